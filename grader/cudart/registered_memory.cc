#include "grader/cudart/registered_memory.h"

#include <algorithm>
#include <utility>

#include "grader/cudart/device_link.h"

namespace warpgrade::cudart {

void RegisteredMemory::Add(const void* begin, uint64_t bytes, unsigned flags) {
  const auto address = reinterpret_cast<uintptr_t>(begin);
  ranges_[address] = {address, bytes, flags};
}

RegisteredRange* RegisteredMemory::Find(const void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  --after;
  return address - after->first < after->second.bytes ? &after->second : nullptr;
}

cudaError_t RegisteredMemory::Remove(const void* begin) {
  const auto found = ranges_.find(reinterpret_cast<uintptr_t>(begin));
  if (found == ranges_.end()) return cudaErrorHostMemoryNotRegistered;
  const DevicePtr copy = found->second.copy;
  ranges_.erase(found);
  return copy == 0 ? cudaSuccess : device_.backend().Free(copy);
}

cudaError_t RegisteredMemory::DevicePointerOf(RegisteredRange& range, const void* pointer, void** device_pointer) {
  if (range.copy == 0) {
    const cudaError_t error = device_.backend().Allocate(range.bytes, &range.copy);
    if (error != cudaSuccess) return error;
  }
  *device_pointer = reinterpret_cast<void*>(range.copy + (reinterpret_cast<uintptr_t>(pointer) - range.begin));
  return cudaSuccess;
}

bool RegisteredMemory::HasCopies() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [](const auto& entry) { return entry.second.copy != 0; });
}

cudaError_t RegisteredMemory::Send() {
  for (const auto& [begin, range] : ranges_) {
    if (range.copy == 0) continue;
    const cudaError_t error = device_.backend().Write(range.copy, reinterpret_cast<const void*>(begin), range.bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t RegisteredMemory::Fetch() {
  for (const auto& [begin, range] : ranges_) {
    if (range.copy == 0 || (range.flags & cudaHostRegisterReadOnly) != 0) continue;
    const cudaError_t error = device_.backend().Read(reinterpret_cast<void*>(begin), range.copy, range.bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

void RegisteredMemory::DropCopies() {
  for (auto& [begin, range] : ranges_) {
    if (range.copy != 0) static_cast<void>(device_.backend().Free(std::exchange(range.copy, 0)));
  }
}

}  // namespace warpgrade::cudart
