// The emulated GPU's global memory: one reserved range of host address space and a table of allocations with exact
// bounds. Device address a lives at host address a - kBase + arena, so a device pointer is never a valid host pointer.
// Allocations are 256-byte aligned and at least 256 bytes apart, so running past an end always meets no allocation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/memory/allocation.h"
#include "grader/emulator/memory/host_window.h"

namespace warpgrade::emulator {

struct Allocation {
  uint64_t base = 0, bytes = 0;
  uint64_t sequence = 0;
  std::string label;
  bool constant = false;     // .const: kernels may not write it
  bool initialised = false;  // all of it, so that nobody need look at the bits of each byte
  MemoryKind kind = MemoryKind::kDevice;
  bool in_kernel = false;   // malloc of a kernel: only kernels may free it
  uint64_t written_to = 0;  // the host wrote it from its start up to this offset, piece by piece
};

// The bounds of one live allocation, kept by each host thread to avoid a lookup per access.
struct AllocationCache {
  uint64_t base = 1, end = 0;
  bool constant = false;
  bool initialised = true;
};

class GlobalMemory {
 public:
  static constexpr uint64_t kBase = 0x0000'0300'0000'0000;

  explicit GlobalMemory(uint64_t capacity);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  Result<uint64_t> Allocate(uint64_t bytes, std::string_view label, bool constant = false);
  // Memory that the host reaches too (host_window.h), which is not counted as used: it lies beside the GPU's own.
  Result<uint64_t> AllocateShared(uint64_t bytes, MemoryKind kind, std::string_view label);
  int TakeDescriptor(uint64_t base);
  Status Free(uint64_t base);
  // malloc and free of kernels, which may run on several host threads at once. An address of 0: `heap_bytes` are used
  // up. FreeInKernel's errors: not the start of a live block of the device heap.
  uint64_t AllocateInKernel(uint64_t bytes, uint64_t heap_bytes);
  Status FreeInKernel(uint64_t base);
  // Says before a launch whether its kernel calls malloc or free: only then do look-ups need the lock.
  void ExpectKernelAllocations(bool expected);
  const std::map<uint64_t, Allocation>& live() const { return live_; }
  // True if an allocation that was freed, lately, started here.
  bool WasFreed(uint64_t base) const;
  // The live allocation that contains `address`; nullptr if there is none.
  const Allocation* Find(uint64_t address) const;
  // Where an illegal address lies, for messages: "4 bytes past the end of d_in (4000 bytes)".
  std::string Describe(uint64_t address, uint64_t access_bytes) const;

  // The range was written by the host, or counts as if it were. REQUIRES: it is inside one live allocation.
  void MarkWritten(uint64_t address, uint64_t bytes);
  // The range was copied: what was written of `from` counts as written at `to`. REQUIRES: as MarkWritten, both.
  void CopyMarks(uint64_t to, uint64_t from, uint64_t bytes);
  // A bit for each byte from kBase on, which says that it was written; meaningless where the allocation is
  // `initialised`.
  uint64_t* written() const { return written_; }

  // REQUIRES: the range is inside a live allocation.
  uint8_t* Host(uint64_t address) const { return arena_ + (address - kBase); }

  uint64_t used() const { return used_; }
  uint64_t capacity() const { return capacity_; }
  uint64_t reserved() const { return reserved_; }  // bytes of addresses from kBase on
  // From here on lies what the host reaches too.
  uint64_t host_window() const { return host_window_; }

 private:
  uint8_t* arena_ = nullptr;
  uint64_t* written_ = nullptr;
  uint64_t capacity_ = 0, reserved_ = 0, used_ = 0, next_sequence_ = 1;
  uint64_t host_window_ = 0;
  std::unique_ptr<HostWindow> shared_;  // the last part of the arena
  void ForgetMarks(uint64_t offset, uint64_t bytes);
  Result<uint64_t> Place(uint64_t bytes, std::string_view label, bool constant);
  Status Remove(uint64_t base);
  void GiveBack(uint64_t start, uint64_t length);
  void ReleaseRetired();

  uint64_t heap_used_ = 0;
  bool concurrent_ = false;
  // Guards what follows against kernels that allocate. What a kernel frees is retired until the next host-side call or
  // launch: another host thread may still hold the Allocation that Find gave, and an address that does not come back
  // soon makes a use after free sure to be seen.
  mutable std::recursive_mutex mutex_;
  std::vector<std::map<uint64_t, Allocation>::node_type> retired_;
  std::map<uint64_t, Allocation> live_;       // by base
  std::map<uint64_t, uint64_t> free_ranges_;  // base -> bytes
  std::vector<Allocation> freed_;             // latest last, bounded: names use after free
};

}  // namespace warpgrade::emulator
