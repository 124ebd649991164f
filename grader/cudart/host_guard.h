// Notices when the host accesses pinned or managed memory too early: on a GPU, work that uses the memory could still
// run. In the emulator this work is done when it is called. But the pages that it used stay protected until the program
// has waited for the work: pages that it wrote are protected from any access, pages that it read only from writes. The
// first access that comes too early is recorded, and then these pages are not protected any more.
//
//   cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream)    the pages of h are protected
//   h[0]                                                            SIGSEGV: recorded; the pages are opened; it reads
//   cudaStreamSynchronize(stream)                                   would have opened the pages
//
// A page is protected only if the work used every byte of the allocation in that page. So an access to other bytes is
// never mistaken for an access to the used ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "grader/cudart/device/backend.h"
#include "grader/cudart/order/clocks.h"

namespace warpgrade::cudart {

// An access of the host that came too early, to memory that work in `stream` used.
struct EarlyAccess {
  uint64_t stream = 0, address = 0;
  bool writes = false;
  // The instruction that made the access, and what lies on top of the stack: if the instruction is in a function such
  // as memcpy, that is the return address. Null: not known.
  const void* instruction = nullptr;
  const void* top_of_stack = nullptr;
};

// Use one for a process: SIGSEGV goes to the object that guarded last. Thread-compatible, except for the handler.
class HostGuard {
 public:
  HostGuard() = default;
  ~HostGuard();
  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;

  // Memory that is mapped at its device address. Only such memory is guarded.
  void Add(uint64_t base, uint64_t bytes) { memory_[base] = bytes; }
  bool HasMemory() const { return !memory_.empty(); }
  bool Has(uint64_t address) const;
  // Opens its pages. Call it before they are unmapped.
  void Remove(uint64_t base);

  // Work in `stream` used these bytes, and the host has not waited for it.
  void Guard(uint64_t stream, const std::vector<HostVisibleBytes>& used);
  // The same for work that is done later than its call. Its moment is the moment of the call.
  Moment Reserve(uint64_t stream);
  void Guard(uint64_t stream, const Moment& moment, const std::vector<HostVisibleBytes>& used);
  // Opens the pages of the work that the host waited for.
  void Apply(const OrderStep& step);
  // The accesses that were recorded since the last call.
  std::vector<EarlyAccess> Take();

 private:
  struct Pages {
    Moment moment;
    uint64_t stream = 0;
    uint64_t begin = 0, end = 0;  // of pages
    bool written = false;
    int protection() const;
  };
  static constexpr size_t kMostPages = 256;  // ranges of them; more are not guarded
  static constexpr size_t kMostNoted = 16;

  template <typename Predicate>
  void OpenIf(Predicate predicate);
  bool Note(EarlyAccess access, const void* const* stack);
  void HandleFaults();

  Clocks clocks_;
  std::map<uint64_t, uint64_t> memory_;  // bytes by base
  // The handler uses these, so `lock_` guards them.
  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  std::vector<Pages> guarded_;
  EarlyAccess noted_[kMostNoted];
  size_t noted_count_ = 0;
};

}  // namespace warpgrade::cudart
