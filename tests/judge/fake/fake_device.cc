#include "tests/judge/fake/fake_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "grader/judge/raw_clock.h"
#include "tests/judge/fake/shared_region.h"

namespace warpgrade::judge::fake {
namespace {

constexpr uint64_t kGuardBytes = 256;

}  // namespace

FakeDevice::FakeDevice() : fd_(memfd_create("fake-device", MFD_CLOEXEC)) {
  WARPGRADE_CHECK(fd_ >= 0 && ftruncate(fd_, kRegionBytes) == 0);
  void* const wanted = reinterpret_cast<void*>(kRegionAddress);
  WARPGRADE_CHECK(mmap(wanted, kRegionBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd_, 0) ==
                  wanted);
}

FakeDevice::~FakeDevice() {
  munmap(reinterpret_cast<void*>(kRegionAddress), kRegionBytes);
  close(fd_);
}

Result<BufferHandle> FakeDevice::Allocate(uint64_t bytes, std::string_view) {
  const uint64_t rounded = (bytes + kGuardBytes + 255) / 256 * 256;
  if (allocations_left && (*allocations_left)-- <= 0) out_of_memory = true;
  if (out_of_memory || used_ + rounded > kRegionBytes - 256) return Error{ErrorKind::kLimit, "the fake device is full"};
  BufferHandle handle;
  handle.address = kRegionAddress + used_;
  handle.bytes = bytes;
  used_ += rounded;
  ++live_buffers;
  return handle;
}

void FakeDevice::Free(const BufferHandle& buffer) {
  uploaded_.erase(buffer.address);
  if (--live_buffers == 0) used_ = 0;
}

HostMemory FakeDevice::AllocateHost(uint64_t bytes) {
  return HostMemory(new std::byte[bytes], bytes, [](std::byte* data) { delete[] data; });
}

Status FakeDevice::Upload(const BufferHandle& buffer, std::span<const std::byte> from) {
  std::memcpy(At(buffer), from.data(), buffer.bytes);
  uploaded_.insert(buffer.address);
  return Status();
}

Status FakeDevice::Download(const BufferHandle& buffer, std::span<std::byte> to) {
  AwaitKernels();
  std::memcpy(to.data(), At(buffer), buffer.bytes);
  return Status();
}

Status FakeDevice::Fill(const BufferHandle& buffer, std::byte value) {
  AwaitKernels();
  ++fills;
  filled_at_ns = RawNanoseconds();
  std::fill_n(At(buffer), buffer.bytes + kGuardBytes, value);
  return Status();
}

Status FakeDevice::FillGuard(const BufferHandle& buffer, std::byte value) {
  std::fill_n(At(buffer) + buffer.bytes, kGuardBytes, value);
  return Status();
}

Result<bool> FakeDevice::GuardIsIntact(const BufferHandle& buffer, std::byte value) {
  const std::byte* const guard = At(buffer) + buffer.bytes;
  return std::all_of(guard, guard + kGuardBytes, [value](std::byte b) { return b == value; });
}

Status FakeDevice::CopyInside(const BufferHandle& to, const BufferHandle& from) {
  std::memcpy(At(to), At(from), from.bytes);
  if (!uploaded_.contains(from.address)) return Status();  // an output that is collected
  if (static_cast<size_t>(deliveries) < busy.size() && busy[static_cast<size_t>(deliveries)]) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ++deliveries;
  clock_runs_ = true;
  return Status();
}

// An input that is drawn here counts as uploaded.
Status FakeDevice::Run(std::string_view, const char* kernel, bool, const GpuArguments& arguments) {
  AwaitKernels();
  run_own(kernel, arguments);
  if (kernel == std::string("draw")) uploaded_.insert(arguments.arrays[arguments.array]);
  return Status();
}

Status FakeDevice::CopyToHost(std::span<std::byte> to, const BufferHandle& from) {
  std::memcpy(to.data(), At(from), from.bytes);
  if (to_device_bytes == 0) ++copies_on_idle_bus;
  to_host_bytes += from.bytes;
  clock_runs_ = true;
  return Status();
}

Status FakeDevice::KeepBusBusy(uint64_t bytes) {
  to_device_bytes += bytes;
  return Status();
}

void FakeDevice::EmptyBus() {
  if (to_device_bytes == 0) return;
  most_to_host_bytes = std::max(most_to_host_bytes, to_host_bytes);
  least_to_device_bytes = std::min(least_to_device_bytes, to_device_bytes);
  to_host_bytes = to_device_bytes = 0;
  if (emptied++ >= shares_bus_from) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

Status FakeDevice::TakeTurn() {
  ++turns;
  AwaitKernels();
  return Status();
}

// Its kernels and copies go with it.
void FakeDevice::WorkerGone() {
  RunningKernels() = 0;
  shares_bus_from = INT_MAX;
}

void FakeDevice::AwaitKernels() const {
  const auto end = std::chrono::steady_clock::now() + longest_turn;
  while (RunningKernels() > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

Result<WorkerPlug> FakeDevice::Plug() {
  WorkerPlug plug;
  plug.inherited_fds.push_back({fd_, kRegionFdInWorker});
  plug.own_processes = own_processes;
  return plug;
}

std::map<std::string, double> FakeDevice::Metrics(uint64_t elements) const {
  const auto of_size = metrics_of_size.find(elements);
  std::map<std::string, double> all = of_size == metrics_of_size.end() ? metrics : of_size->second;
  if (is_reordered_ && !metrics_of_reordered.empty()) {
    all = metrics_of_reordered[std::min(orders.size(), metrics_of_reordered.size()) - 1];
  }
  all["elements"] = static_cast<double>(elements);
  return all;
}

}  // namespace warpgrade::judge::fake
