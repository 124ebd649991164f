// Finds both ends of a copy, checks their ranges and the direction, and lets the device copy the rows: Write, Read,
// Copy or Fill of the Backend. Boxes are copied slice by slice. Tested by tests/cudart/programs_test.cc
// (programs/memory.cu, pitched_3d.cu, host_faults.cu).
#include "grader/cudart/transfer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/cudart/allocations.h"
#include "grader/cudart/device/time_model.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/host_findings.h"
#include "grader/cudart/registered_memory.h"
#include "grader/cudart/runtime.h"

namespace warpgrade::cudart {
namespace {

// Bytes from the first byte of the rectangle to one past the last; nullopt if that overflows.
std::optional<uint64_t> Extent(const Shape& shape, size_t pitch) {
  uint64_t rows = 0, extent = 0;
  if (__builtin_mul_overflow(pitch, shape.height - 1, &rows)) return std::nullopt;
  if (__builtin_add_overflow(rows, shape.width, &extent)) return std::nullopt;
  return extent;
}

struct End {
  const char* name;  // "source" or "destination"
  uintptr_t address = 0;
  size_t pitch = 0;
  uint64_t extent = 0;
  bool on_device = false;
  bool on_host = false;  // both flags are true for memory that host and device share
};

// The pointer may be freed device memory, or any number. This must give an error here, and not a crash in memcpy.
bool IsMappedOnHost(uintptr_t address) {
  static const auto kPage = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / kPage * kPage), 1, &resident) == 0 || errno != ENOMEM;
}

// A copy that leaves its memory is a finding, like a kernel's access out of bounds. The call fails too.
cudaError_t Misses(Runtime& runtime, const End& end, const std::string& how) {
  emulator::Finding finding;
  finding.kind = emulator::FindingKind::kInvalidCopy;
  finding.address = end.address;
  finding.message = runtime.errors.api();
  finding.host_places.push_back({runtime.device.call(), finding.message.size()});
  finding.message += fmt::format(" has the {} {:#x}, {}", end.name, end.address, how);
  ReportHostFinding(runtime.errors, finding);
  return cudaErrorInvalidValue;
}

// Finds where `end` points to; cudaErrorInvalidValue when its range leaves the device allocation that it starts in.
cudaError_t Locate(Runtime& runtime, const Shape& shape, End* end) {
  if (end->address == 0) return runtime.errors.Explain(cudaErrorInvalidValue, fmt::format("the {} is null", end->name));
  if (end->pitch < shape.width) {
    return runtime.errors.Explain(cudaErrorInvalidPitchValue,
                                  fmt::format("the {}'s pitch of {} bytes is less than the width of {} bytes",
                                              end->name, end->pitch, shape.width));
  }
  const std::optional<uint64_t> extent = Extent(shape, end->pitch);
  if (!extent) return cudaErrorInvalidValue;
  end->extent = *extent;
  const std::optional<AllocationInfo> allocation =
      runtime.allocations.OnDevice(reinterpret_cast<const void*>(end->address));
  end->on_device = allocation.has_value();
  end->on_host = !allocation || allocation->kind != MemoryKind::kDevice;
  if (!allocation) {
    if (IsMappedOnHost(end->address) && IsMappedOnHost(end->address + end->extent - 1)) return cudaSuccess;
    return Misses(runtime, *end,
                  "which is neither in host memory nor in device memory that is allocated (was it freed?)");
  }
  const uint64_t left = allocation->bytes - (end->address - allocation->base);
  if (end->extent <= left) return cudaSuccess;
  return Misses(runtime, *end,
                fmt::format("for {} bytes, but its allocation of {} bytes has only {} bytes from there to its end",
                            end->extent, allocation->bytes, left));
}

// Checks that the pointer is on the side that the direction names.
cudaError_t CheckSide(Runtime& runtime, const End& end, bool should_be_on_device) {
  if (should_be_on_device ? end.on_device : end.on_host) return cudaSuccess;
  return runtime.errors.Explain(
      cudaErrorInvalidValue,
      should_be_on_device
          ? fmt::format("the direction wants a device {}, but {:#x} is host memory", end.name, end.address)
          : fmt::format("the direction wants a host {}, but {:#x} is device memory", end.name, end.address));
}

cudaError_t CheckDirection(Runtime& runtime, const End& to, const End& from, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const cudaError_t error = CheckSide(runtime, to, to_device);
  return error != cudaSuccess ? error : CheckSide(runtime, from, from_device);
}

cudaError_t CopyRow(Runtime& runtime, const End& to, const End& from, uint64_t bytes) {
  Backend& device = runtime.device.backend();
  if (to.on_device && from.on_device) return device.Copy(to.address, from.address, bytes);
  if (to.on_device) return device.Write(to.address, reinterpret_cast<const void*>(from.address), bytes);
  if (from.on_device) return device.Read(reinterpret_cast<void*>(to.address), from.address, bytes);
  std::memcpy(reinterpret_cast<void*>(to.address), reinterpret_cast<const void*>(from.address), bytes);
  return cudaSuccess;
}

// A GPU's driver copies pageable memory through its own page-locked memory, and the host waits for that.
bool IsPageable(Runtime& runtime, const End& end) {
  if (end.on_device) return false;
  return runtime.registered.Find(reinterpret_cast<const void*>(end.address)) == nullptr;
}

// Whether the host waits for a copy is what "API synchronization behavior" in the runtime API's manual says. From
// pageable memory an asynchronous copy has read its source when it returns, but need not be done.
bool HostWaitsForCopy(Runtime& runtime, const End& to, const End& from, bool pageable) {
  const bool synchronous = runtime.device.use().synchronous;
  if (to.on_device && from.on_device) return synchronous && (to.on_host || from.on_host);
  return synchronous || (from.on_device && pageable);
}

// Until the host waits, it may not touch what the copy touches.
void GuardCopy(Runtime& runtime, const End& to, const End& from, const Shape& shape, bool pageable) {
  if (!to.on_device && !from.on_device) return;
  if (HostWaitsForCopy(runtime, to, from, pageable)) return runtime.device.HostWaited();
  if (shape.height != 1) return;  // rows seldom fill whole pages
  std::vector<HostVisibleBytes> used;
  if (to.on_device && to.on_host) used.push_back({to.address, to.address + shape.width, true});
  if (from.on_device && from.on_host) used.push_back({from.address, from.address + shape.width, false});
  runtime.device.Guard(used);
}

bool IsPacked(const End& end, const Shape& shape) { return end.pitch == shape.width; }

cudaError_t FillRow(Runtime& runtime, uintptr_t address, int value, uint64_t bytes) {
  return runtime.device.backend().Fill(address, static_cast<uint8_t>(value), bytes);
}

// Sets the whole rectangle; or sets nothing, and explains why.
cudaError_t SetRows(Runtime& runtime, End to, int value, Shape shape) {
  cudaError_t error = Locate(runtime, shape, &to);
  if (error == cudaSuccess) error = CheckSide(runtime, to, /*should_be_on_device=*/true);
  if (error != cudaSuccess) return error;
  if (IsPacked(to, shape)) shape = {shape.width * shape.height, 1};
  for (size_t row = 0; row < shape.height; ++row) {
    error = FillRow(runtime, to.address, value, shape.width);
    if (error != cudaSuccess) return error;
    to.address += to.pitch;
  }
  return cudaSuccess;
}

void GuardFill(Runtime& runtime, uintptr_t address, const Shape& shape) {
  if (!runtime.device.IsHostVisible(address)) return;
  if (runtime.device.use().synchronous) return runtime.device.HostWaited();
  if (shape.height == 1) runtime.device.Guard({{address, address + shape.width, true}});
}

// The first byte of slice `z` of the box at `position`; the position's x counts bytes.
char* Slice(const cudaPitchedPtr& memory, const cudaPos& position, size_t z) {
  const size_t rows = memory.ysize * (position.z + z) + position.y;
  return static_cast<char*>(memory.ptr) + rows * memory.pitch + position.x;
}

// Finds both ends of a copy that has a size, and checks them.
cudaError_t LocateBoth(Runtime& runtime, const Shape& shape, cudaMemcpyKind kind, End* to, End* from) {
  for (End* end : {to, from}) {
    const cudaError_t error = Locate(runtime, shape, end);
    if (error != cudaSuccess) return error;
  }
  const cudaError_t direction = CheckDirection(runtime, *to, *from, kind);
  if (direction != cudaSuccess) return direction;
  const bool overlap = to->address < from->address + from->extent && from->address < to->address + to->extent;
  if (!overlap || shape.height != 1) return cudaSuccess;
  return runtime.errors.Explain(cudaErrorInvalidValue, "source and destination overlap");
}

}  // namespace

cudaError_t CheckTransfer(Runtime& runtime, void* to_pointer, size_t to_pitch, const void* from_pointer,
                          size_t from_pitch, Shape shape, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (shape.width == 0 || shape.height == 0) return cudaSuccess;
  End to{"destination", reinterpret_cast<uintptr_t>(to_pointer), to_pitch};
  End from{"source", reinterpret_cast<uintptr_t>(from_pointer), from_pitch};
  return LocateBoth(runtime, shape, kind, &to, &from);
}

cudaError_t CheckSet(Runtime& runtime, void* pointer, size_t pitch, Shape shape) {
  if (shape.width == 0 || shape.height == 0) return cudaSuccess;
  End to{"destination", reinterpret_cast<uintptr_t>(pointer), pitch};
  const cudaError_t error = Locate(runtime, shape, &to);
  return error != cudaSuccess ? error : CheckSide(runtime, to, /*should_be_on_device=*/true);
}

std::vector<HostVisibleBytes> HostVisibleOf(Runtime& runtime, const void* to, const void* from, const Shape& shape) {
  std::vector<HostVisibleBytes> used;
  const auto add = [&](const void* end, bool written) {
    const auto address = reinterpret_cast<uintptr_t>(end);
    if (runtime.device.IsHostVisible(address)) used.push_back({address, address + shape.width, written});
  };
  if (shape.height != 1 || shape.width == 0) return used;  // rows seldom fill whole pages
  add(to, true);
  if (from != nullptr) add(from, false);
  return used;
}

cudaError_t Transfer(Runtime& runtime, void* to_pointer, size_t to_pitch, const void* from_pointer, size_t from_pitch,
                     Shape shape, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (shape.width == 0 || shape.height == 0) return cudaSuccess;
  End to{"destination", reinterpret_cast<uintptr_t>(to_pointer), to_pitch};
  End from{"source", reinterpret_cast<uintptr_t>(from_pointer), from_pitch};
  const cudaError_t wrong = LocateBoth(runtime, shape, kind, &to, &from);
  if (wrong != cudaSuccess) return wrong;

  const bool pageable = IsPageable(runtime, to) || IsPageable(runtime, from);
  if (pageable) {
    StreamUse use = runtime.device.use();
    use.host_waits = true;
    runtime.device.backend().UseStream(use);
  }
  // Without a launch that failed, say: then it is no wonder that nobody wrote what is copied.
  if (!from.on_host && to.on_host && !AnyCallFailed()) {
    runtime.device.backend().AnnounceRead(from.address, from.extent);
  }
  if (IsPacked(to, shape) && IsPacked(from, shape)) shape = {shape.width * shape.height, 1};
  const End first_to = to, first_from = from;
  for (size_t row = 0; row < shape.height; ++row) {
    const cudaError_t error = CopyRow(runtime, to, from, shape.width);
    if (error != cudaSuccess) return error;
    to.address += to.pitch;
    from.address += from.pitch;
  }
  const uint64_t bytes = uint64_t{shape.width} * shape.height;
  runtime.device.Advance(to.on_device && from.on_device ? DeviceCopyNanoseconds(bytes, *runtime.device.facts().model)
                                                        : HostCopyNanoseconds(bytes));
  GuardCopy(runtime, first_to, first_from, shape, pageable);
  return cudaSuccess;
}

bool IsPageable(Runtime& runtime, const void* pointer) {
  return !runtime.allocations.OnDevice(pointer) && runtime.registered.Find(pointer) == nullptr;
}

DeviceWork KeepSource(Runtime& runtime, const void* from, size_t from_pitch, Shape shape,
                      const std::function<DeviceWork(const void*)>& make) {
  const auto address = reinterpret_cast<uintptr_t>(from);
  const std::optional<uint64_t> extent = shape.height == 0 ? 0 : Extent(shape, from_pitch);
  const bool is_there = extent && *extent > 0 && IsMappedOnHost(address) && IsMappedOnHost(address + *extent - 1);
  if (!is_there || !IsPageable(runtime, from)) return make(from);
  const auto* const begin = static_cast<const std::byte*>(from);
  const auto kept = std::make_shared<const std::vector<std::byte>>(begin, begin + *extent);
  return [kept, work = make(kept->data())](Runtime& r) mutable { return work(r); };
}

cudaError_t Set(Runtime& runtime, void* pointer, size_t pitch, int value, Shape shape) {
  if (shape.width == 0 || shape.height == 0) return cudaSuccess;
  const End to{"destination", reinterpret_cast<uintptr_t>(pointer), pitch};
  // The device refuses memory that is not its own, and the pointer is looked up only then. Looking it up first would
  // cost one more request in each call of a rung that clears a counter.
  const bool one_row = shape.height == 1 && IsPacked(to, shape);
  cudaError_t error = one_row ? FillRow(runtime, to.address, value, shape.width) : cudaErrorInvalidValue;
  if (error == cudaErrorInvalidValue) error = SetRows(runtime, to, value, shape);
  if (error != cudaSuccess) return error;
  runtime.device.Advance(
      DeviceCopyNanoseconds(uint64_t{shape.width} * shape.height / 2, *runtime.device.facts().model));
  GuardFill(runtime, to.address, shape);
  return cudaSuccess;
}

cudaError_t Transfer3D(Runtime& runtime, const cudaMemcpy3DParms& p) {
  if (p.srcArray != nullptr || p.dstArray != nullptr) {
    return runtime.errors.Explain(cudaErrorNotSupported, "the emulator has no CUDA arrays; use cudaMalloc3D");
  }
  if (p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0) return cudaSuccess;
  const bool fits = p.extent.height + p.srcPos.y <= p.srcPtr.ysize && p.extent.height + p.dstPos.y <= p.dstPtr.ysize;
  if (!fits && p.extent.depth > 1) {
    return runtime.errors.Explain(cudaErrorInvalidValue,
                                  "the box is higher than the slices (cudaPitchedPtr::ysize) it is in");
  }
  for (size_t z = 0; z < p.extent.depth; ++z) {
    const cudaError_t error =
        Transfer(runtime, Slice(p.dstPtr, p.dstPos, z), p.dstPtr.pitch, Slice(p.srcPtr, p.srcPos, z), p.srcPtr.pitch,
                 {p.extent.width, p.extent.height}, p.kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t Set3D(Runtime& runtime, const cudaPitchedPtr& memory, int value, const cudaExtent& extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t error = Set(runtime, Slice(memory, {}, z), memory.pitch, value, {extent.width, extent.height});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace warpgrade::cudart
