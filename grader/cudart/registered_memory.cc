// Compares the host's bytes and the device's with what both had last, word by word. Tested by
// tests/cudart/registered_memory_test.cc and, with kernels that wait, by tests/programs/tricky.
#include "grader/cudart/registered_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "grader/cudart/device_link.h"

namespace warpgrade::cudart {
namespace {

constexpr uint64_t kPiece = uint64_t{1} << 20;
constexpr uint64_t kWord = sizeof(uint64_t);

// The program's memory around an address, a word that is aligned. The host's other threads may use it meanwhile, so it
// is read and written at once.
uint64_t* WordAt(uintptr_t address) { return reinterpret_cast<uint64_t*>(address / kWord * kWord); }

// From the address to the next word, or to the end.
uint64_t StepAt(uintptr_t address, uint64_t left) { return std::min(kWord - address % kWord, left); }

// Gives the host the bytes that differ from `both`, in the word that they are all in, and leaves its others as they
// are.
void Give(uintptr_t host, std::byte* both, const std::byte* device, uint64_t bytes) {
  uint64_t* const word = WordAt(host);
  uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED), wanted = 0;
  do {
    std::byte parts[kWord];
    std::memcpy(parts, &now, kWord);
    for (uint64_t i = 0; i < bytes; ++i) {
      if (device[i] != both[i]) parts[host % kWord + i] = device[i];
    }
    std::memcpy(&wanted, parts, kWord);
  } while (!__atomic_compare_exchange_n(word, &now, wanted, /*weak=*/true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  std::memcpy(both, device, bytes);
}

}  // namespace

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
    device_.AddSharedWithHost();
  }
  *device_pointer = reinterpret_cast<void*>(range.copy + (reinterpret_cast<uintptr_t>(pointer) - range.begin));
  return cudaSuccess;
}

bool RegisteredMemory::HasCopies() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [](const auto& entry) { return entry.second.copy != 0; });
}

cudaError_t RegisteredMemory::SendRange(RegisteredRange& range) {
  const auto* const host = reinterpret_cast<const std::byte*>(range.begin);
  Backend& device = device_.backend();
  if (range.both.empty()) {
    range.both.assign(host, host + range.bytes);
    return device.Write(range.copy, range.both.data(), range.bytes);
  }
  for (uint64_t begin = 0; begin < range.bytes; begin += kPiece) {
    const uint64_t end = std::min(begin + kPiece, range.bytes);
    if (std::memcmp(host + begin, &range.both[begin], end - begin) == 0) continue;
    uint64_t first = begin, last = begin;  // of bytes that the host changed, which are sent together
    const auto send = [&] {
      return first == last ? cudaSuccess : device.Write(range.copy + first, &range.both[first], last - first);
    };
    for (uint64_t at = begin; at < end; at += StepAt(range.begin + at, end - at)) {
      const uint64_t word = __atomic_load_n(WordAt(range.begin + at), __ATOMIC_ACQUIRE);
      std::byte now[kWord];
      std::memcpy(now, &word, kWord);
      for (uint64_t i = 0; i < StepAt(range.begin + at, end - at); ++i) {
        const std::byte byte = now[(range.begin + at) % kWord + i];
        if (byte == range.both[at + i]) continue;
        range.both[at + i] = byte;
        if (last != at + i) {
          const cudaError_t error = send();
          if (error != cudaSuccess) return error;
          first = at + i;
        }
        last = at + i + 1;
      }
    }
    const cudaError_t error = send();
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t RegisteredMemory::FetchRange(RegisteredRange& range) {
  if (range.both.empty() || (range.flags & cudaHostRegisterReadOnly) != 0) return cudaSuccess;
  std::vector<std::byte> read(std::min(kPiece, range.bytes));
  for (uint64_t begin = 0; begin < range.bytes; begin += kPiece) {
    const uint64_t bytes = std::min(kPiece, range.bytes - begin);
    const cudaError_t error = device_.backend().Read(read.data(), range.copy + begin, bytes);
    if (error != cudaSuccess) return error;
    for (uint64_t at = 0; at < bytes;) {
      const uint64_t step = StepAt(range.begin + begin + at, bytes - at);
      std::byte* const both = &range.both[begin + at];
      if (std::memcmp(both, &read[at], step) != 0) Give(range.begin + begin + at, both, &read[at], step);
      at += step;
    }
  }
  return cudaSuccess;
}

cudaError_t RegisteredMemory::Send() {
  for (auto& [begin, range] : ranges_) {
    const cudaError_t error = range.copy == 0 ? cudaSuccess : SendRange(range);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t RegisteredMemory::Fetch() {
  std::vector<RegisteredRange*> copied;
  for (auto& [begin, range] : ranges_) {
    if (range.copy != 0) copied.push_back(&range);
  }
  std::stable_sort(copied.begin(), copied.end(), [](auto* a, auto* b) { return a->bytes > b->bytes; });
  for (RegisteredRange* range : copied) {
    const cudaError_t error = FetchRange(*range);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

void RegisteredMemory::DropCopies() {
  for (auto& [begin, range] : ranges_) {
    if (range.copy != 0) static_cast<void>(device_.backend().Free(std::exchange(range.copy, 0)));
    range.both.clear();
  }
}

}  // namespace warpgrade::cudart
