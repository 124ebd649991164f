// Tested by tests/cudart/programs_test.cc (programs/memory.cu, managed_memory.cu, host_memory.cu).
#include "grader/cudart/memory_table.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "grader/cudart/stream_work.h"

namespace warpgrade::cudart {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t Pages(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// Why `address` is nothing that can be freed.
emulator::Finding WrongFree(Runtime& runtime, DevicePtr address) {
  emulator::Finding finding;
  finding.address = address;
  const auto inside = FindOwned(runtime, reinterpret_cast<const void*>(address));
  if (const auto freed = runtime.freed.find(address); freed != runtime.freed.end()) {
    finding.kind = emulator::FindingKind::kDoubleFree;
    finding.message = fmt::format("{} frees {:#x}, {} bytes from {}, which was freed before", runtime.api, address,
                                  freed->second.bytes, freed->second.api);
  } else if (inside != runtime.memory.end()) {
    finding.kind = emulator::FindingKind::kInvalidFree;
    finding.message =
        fmt::format("{} frees {:#x}, which is {} bytes into {} bytes from {}; pass the address it gave", runtime.api,
                    address, address - inside->first, inside->second.bytes, inside->second.api);
  } else {
    finding.kind = emulator::FindingKind::kInvalidFree;
    finding.message = fmt::format("{} frees {:#x}, which no allocation function gave", runtime.api, address);
  }
  return finding;
}

}  // namespace

cudaError_t MapShared(Runtime& runtime, DevicePtr base, uint64_t bytes) {
  int fd = -1;
  const cudaError_t error = runtime.backend().Share(base, &fd);
  if (error != cudaSuccess) return error;
  void* wanted = reinterpret_cast<void*>(base);
  void* got = mmap(wanted, Pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
  const int reason = errno;
  close(fd);
  if (got == wanted) return cudaSuccess;
  if (got != MAP_FAILED) munmap(got, Pages(bytes));  // a kernel that does not know MAP_FIXED_NOREPLACE
  return runtime.Explain(cudaErrorMemoryAllocation,
                         fmt::format("the host cannot map memory that it shares with the device at {:#x}: {}", base,
                                     got == MAP_FAILED ? std::strerror(reason) : "the address is taken"));
}

void UnmapShared(DevicePtr base, uint64_t bytes) { munmap(reinterpret_cast<void*>(base), Pages(bytes)); }

cudaError_t Acquire(Runtime& runtime, MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (const cudaError_t unsafe = CheckUnsafe(runtime); unsafe != cudaSuccess) return unsafe;
  DevicePtr address = 0;
  Backend& device = runtime.backend();
  cudaError_t error =
      kind == MemoryKind::kDevice ? device.Allocate(bytes, &address) : device.AllocateShared(bytes, kind, &address);
  if (error != cudaSuccess) return error;
  if (address != 0 && kind != MemoryKind::kDevice) {
    error = MapShared(runtime, address, bytes);
    if (error != cudaSuccess) {
      static_cast<void>(device.Free(address));
      return error;
    }
  }
  if (address != 0) {
    runtime.memory[address] = {bytes, kind, runtime.api, flags, ++runtime.allocations_made};
    runtime.freed.erase(address);
  }
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t Release(Runtime& runtime, DevicePtr address) {
  constexpr size_t kRemembered = 4096;
  const auto found = runtime.memory.find(address);
  if (found == runtime.memory.end()) {
    runtime.Report(WrongFree(runtime, address));
    return cudaErrorInvalidValue;
  }
  if (found->second.kind != MemoryKind::kDevice) UnmapShared(address, found->second.bytes);
  if (runtime.freed.size() >= kRemembered) runtime.freed.clear();
  runtime.freed[address] = found->second;
  if (const auto pool = runtime.pool_of.find(address); pool != runtime.pool_of.end()) {
    pool->second->used_bytes -= found->second.bytes;
    runtime.pool_of.erase(pool);
  }
  runtime.advice.erase(address);
  runtime.memory.erase(found);
  return runtime.backend().Free(address);
}

std::map<DevicePtr, OwnedMemory>::iterator FindOwned(Runtime& runtime, const void* pointer) {
  const auto address = reinterpret_cast<DevicePtr>(pointer);
  auto after = runtime.memory.upper_bound(address);
  if (after == runtime.memory.begin()) return runtime.memory.end();
  --after;
  return address - after->first < after->second.bytes ? after : runtime.memory.end();
}

cudaError_t SendRegistered(Runtime& runtime) {
  for (const auto& [host, range] : runtime.registered) {
    if (range.device == 0) continue;
    const cudaError_t error = runtime.backend().Write(range.device, reinterpret_cast<const void*>(host), range.bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t FetchRegistered(Runtime& runtime) {
  for (const auto& [host, range] : runtime.registered) {
    if (range.device == 0 || (range.flags & cudaHostRegisterReadOnly) != 0) continue;
    const cudaError_t error = runtime.backend().Read(reinterpret_cast<void*>(host), range.device, range.bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace warpgrade::cudart
