// The emulated GPU's global memory: one reserved range of host address space and a table of allocations with exact
// bounds. Device address a lives at host address a - kBase + arena, so a device pointer is never a valid host pointer.
//
//   kBase                                                             host_window()
//   +-----------------------+-----------------------------------------+---------------------------------+
//   | malloc of kernels     | cudaMalloc, variables                   | memory that the host accesses   |
//   +-----------------------+-----------------------------------------+---------------------------------+
//
// Addresses cost nothing, so they are used to catch faults. Behind each allocation lies an unused range, the guard. It
// is as long as the allocation, and at least 256 KiB. So an index that is wrong by a factor of two hits no other
// allocation. Freed addresses are reused only after all other free addresses. If addresses run short, and for malloc in
// kernels, the guard has only 256 bytes. Allocations are 256-byte aligned.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/emulator/memory/allocation.h"
#include "grader/emulator/memory/free_ranges.h"
#include "grader/emulator/memory/host_window.h"
#include "grader/emulator/memory/wild_address.h"

namespace warpgrade::emulator {

struct Allocation {
  uint64_t base = 0, bytes = 0;
  uint64_t room = 0;  // bytes from the base to the end of its guard, which no other allocation gets
  uint64_t sequence = 0;
  std::string label;
  bool constant = false;     // .const: kernels may not write it
  bool initialised = false;  // all bytes are initialised, so that no check needs the bit of each byte
  MemoryKind kind = MemoryKind::kDevice;
  bool in_kernel = false;   // malloc of a kernel: only kernels may free it
  uint64_t written_to = 0;  // the host wrote it, piece by piece, from its start up to this offset
};

// The bounds of one live allocation, kept by each host thread to avoid a lookup per access.
struct AllocationCache {
  uint64_t base = 1, end = 0;
  bool constant = false;
  bool initialised = true;
};

// A few allocations that accesses hit lately. Most kernels read from some and write to others, in turns.
class RecentAllocations {
 public:
  void Add(const AllocationCache& allocation) { of_[next_++ % of_.size()] = allocation; }
  // Makes the recent allocation that contains `address` the `current` one, and keeps that one instead. False: there is
  // none.
  bool Exchange(uint64_t address, AllocationCache* current) {
    for (AllocationCache& recent : of_) {
      if (address < recent.base || address >= recent.end) continue;
      std::swap(recent, *current);
      return true;
    }
    return false;
  }

 private:
  std::array<AllocationCache, 3> of_;
  size_t next_ = 0;
};

class GlobalMemory {
 public:
  static constexpr uint64_t kBase = 0x0000'0300'0000'0000;

  explicit GlobalMemory(uint64_t capacity);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  Result<uint64_t> Allocate(uint64_t bytes, std::string_view label, bool constant = false);
  // Allocates memory that the host can reach too (host_window.h). It does not count as used, because it lies beside the
  // GPU's own.
  Result<uint64_t> AllocateShared(uint64_t bytes, MemoryKind kind, std::string_view label);
  int TakeDescriptor(uint64_t base);
  Status Free(uint64_t base);
  // malloc and free in kernels, which may run on several host threads at the same time. AllocateInKernel returns
  // address 0 when `heap_bytes` are used up. FreeInKernel fails if the address is not the start of a live block of the
  // device heap.
  uint64_t AllocateInKernel(uint64_t bytes, uint64_t heap_bytes);
  Status FreeInKernel(uint64_t base);
  // Call this before each launch: says whether its kernel calls malloc or free. Only then look-ups need the lock.
  void ExpectKernelAllocations(bool expected);
  const std::map<uint64_t, Allocation>& live() const { return live_; }
  // True if an allocation that was freed started here, and the address has not been given out again.
  bool WasFreed(uint64_t base) const;
  // The live allocation that contains `address`; nullptr if there is none.
  const Allocation* Find(uint64_t address) const;
  // Where an illegal address lies, for messages. `pointers`: what the kernel got (wild_address.h).
  WildAddress Explain(uint64_t address, uint64_t access_bytes, std::span<const uint64_t> pointers = {}) const;
  // WildAddress::freed of an illegal address.
  bool IsFreed(uint64_t address, std::span<const uint64_t> pointers = {}) const;

  // Marks the range as written, by the host or in another way that counts as written. REQUIRES: it is inside one live
  // allocation.
  void MarkWritten(uint64_t address, uint64_t bytes);
  // Copies the marks: bytes that are written in `from` count as written in `to`. REQUIRES: as for MarkWritten, for
  // both.
  void CopyMarks(uint64_t to, uint64_t from, uint64_t bytes);
  // One bit for each byte from kBase on, which says that the byte was written. The bits mean nothing in an allocation
  // that is `initialised`.
  uint64_t* written() const { return written_; }

  // REQUIRES: the range is inside a live allocation.
  uint8_t* Host(uint64_t address) const { return arena_ + (address - kBase); }
  // Sets all bytes to 0. The pages inside a large array are given back instead, so that gigabytes of zeros take no
  // memory and no time. REQUIRES: the range is inside a live allocation.
  void Clear(uint64_t address, uint64_t bytes) const;

  uint64_t last_sequence() const { return next_sequence_ - 1; }  // of the latest allocation; 0: there was none
  uint64_t used() const { return used_; }
  uint64_t capacity() const { return capacity_; }
  uint64_t reserved() const { return reserved_; }  // bytes of addresses from kBase on
  // Addresses from here on belong to memory that the host can access too.
  uint64_t host_window() const { return host_window_; }

 private:
  uint8_t* arena_ = nullptr;
  uint64_t* written_ = nullptr;
  uint64_t capacity_ = 0, reserved_ = 0, used_ = 0, next_sequence_ = 1;
  uint64_t addresses_ = 0;  // of free_, when nothing was allocated
  uint64_t host_window_ = 0;
  std::unique_ptr<HostWindow> shared_;  // the last part of the arena
  void ForgetMarks(uint64_t offset, uint64_t bytes);
  Result<uint64_t> Place(uint64_t bytes, std::string_view label, bool constant, bool in_kernel);
  // Enters an allocation at addresses that are known to be free.
  void Enter(Allocation allocation);
  Status Remove(uint64_t base);
  void RememberFreed(const Allocation& allocation);
  // Forgets freed allocations whose addresses are given out again.
  void ForgetFreed(uint64_t start, uint64_t bytes);
  void GiveBack(const Allocation& allocation);
  void ReleaseRetired();

  uint64_t heap_used_ = 0;
  bool concurrent_ = false;
  // Guards the members below against kernels that allocate. Memory that a kernel frees is retired until the next
  // host-side call or launch, for two reasons: another host thread may still hold the Allocation that Find returned,
  // and a use after free is certain to be noticed while its address is not reused.
  mutable std::recursive_mutex mutex_;
  std::vector<std::map<uint64_t, Allocation>::node_type> retired_;
  std::map<uint64_t, Allocation> live_;              // by base
  FreeRanges heap_{0, 0, FreeRanges::Reuse::kSoon};  // for malloc of kernels
  FreeRanges free_{0, 0, FreeRanges::Reuse::kLate};  // for all else
  std::map<uint64_t, Allocation> freed_;             // by base, bounded: names use after free
  std::deque<uint64_t> freed_bases_;                 // the oldest first; some may have been forgotten already
};

}  // namespace warpgrade::emulator
