// One table for all memory that API functions allocate, so that a wrong free can be described: freed before, inside
// another allocation, or no allocation at all. Tested by tests/cudart/allocations_test.cc and, through the API
// functions, by programs_test.cc (programs/memory.cu, managed_memory.cu, host_memory.cu, host_faults.cu).
#include "grader/cudart/allocations.h"

#include <fmt/format.h>

#include <utility>

#include "grader/cudart/captures.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/host_findings.h"
#include "grader/cudart/memory_pools.h"
#include "grader/cudart/shared_mapping.h"

namespace warpgrade::cudart {

cudaError_t Allocations::Acquire(MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer,
                                 std::shared_ptr<MemoryPool> pool) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (const cudaError_t unsafe = captures_.CheckUnsafe(); unsafe != cudaSuccess) return unsafe;
  if (pool == nullptr) device_.Order(OrderOp::kDeviceBarrier);  // cudaMalloc waits for the running kernels on a GPU
  DevicePtr address = 0;
  Backend& backend = device_.backend();
  cudaError_t error =
      kind == MemoryKind::kDevice ? backend.Allocate(bytes, &address) : backend.AllocateShared(bytes, kind, &address);
  if (error != cudaSuccess) return error;
  if (address != 0 && kind != MemoryKind::kDevice) {
    error = MapShared(backend, errors_, address, bytes);
    if (error != cudaSuccess) {
      static_cast<void>(backend.Free(address));
      return error;
    }
    device_.AddHostVisible(address, bytes);
  }
  if (address != 0) {
    if (pool) pool->Take(bytes);
    live_[address] = {bytes, kind, errors_.api(), flags, ++made_, std::move(pool)};
    freed_.erase(address);
  }
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t Allocations::Release(DevicePtr address) {
  constexpr size_t kRemembered = 4096;
  const auto found = live_.find(address);
  if (found == live_.end()) {
    ReportHostFinding(errors_, WrongFree(address));
    return cudaErrorInvalidValue;
  }
  OwnedMemory& owned = found->second;
  if (owned.kind != MemoryKind::kDevice) {
    device_.RemoveHostVisible(address);
    UnmapShared(address, owned.bytes);
  }
  if (owned.pool) std::exchange(owned.pool, nullptr)->GiveBack(owned.bytes);
  if (freed_.size() >= kRemembered) freed_.clear();
  freed_[address] = owned;
  advice_.erase(address);
  live_.erase(found);
  return device_.backend().Free(address);
}

void Allocations::ReleaseAll() {
  while (!live_.empty()) static_cast<void>(Release(live_.begin()->first));
}

const OwnedMemory* Allocations::FindStart(const void* pointer) const {
  const auto found = live_.find(reinterpret_cast<DevicePtr>(pointer));
  return found == live_.end() ? nullptr : &found->second;
}

const OwnedMemory* Allocations::FindPinned(const void* pointer) const {
  const auto found = Around(reinterpret_cast<DevicePtr>(pointer));
  return found != live_.end() && found->second.kind == MemoryKind::kPinned ? &found->second : nullptr;
}

std::optional<AllocationInfo> Allocations::OnDevice(const void* pointer) {
  std::optional<AllocationInfo> allocation;
  const cudaError_t error = device_.backend().FindAllocation(reinterpret_cast<DevicePtr>(pointer), &allocation);
  return error == cudaSuccess ? allocation : std::nullopt;
}

std::map<DevicePtr, OwnedMemory>::const_iterator Allocations::Around(DevicePtr address) const {
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return live_.end();
  --after;
  return address - after->first < after->second.bytes ? after : live_.end();
}

// Says why `address` cannot be freed.
emulator::Finding Allocations::WrongFree(DevicePtr address) const {
  emulator::Finding finding;
  finding.address = address;
  finding.message = errors_.api();
  finding.host_places.push_back({device_.call(), finding.message.size()});
  const auto inside = Around(address);
  if (const auto freed = freed_.find(address); freed != freed_.end()) {
    finding.kind = emulator::FindingKind::kDoubleFree;
    finding.message += fmt::format(" frees {:#x}, {} bytes from {}, which was freed before", address,
                                   freed->second.bytes, freed->second.api);
  } else if (inside != live_.end()) {
    finding.kind = emulator::FindingKind::kInvalidFree;
    finding.message += fmt::format(
        " frees {:#x}, which is {} bytes past the start of {} bytes from {}; pass the address that it returned",
        address, address - inside->first, inside->second.bytes, inside->second.api);
  } else {
    finding.kind = emulator::FindingKind::kInvalidFree;
    finding.message += fmt::format(" frees {:#x}, which no allocation function returned", address);
  }
  return finding;
}

}  // namespace warpgrade::cudart
