// One reserved range of the host's address space stands for device memory; allocations are carved out of it with a
// guard behind each. Freed ranges are given out again as late as can be, so that a use after free is known for one.
// Tested by tests/emulator/global_memory_test.cc.
#include "grader/emulator/memory/global_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "grader/emulator/memory/huge_pages.h"
#include "grader/emulator/memory/initialised.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kGranule = 256;                         // alignment of allocations
constexpr uint64_t kLeastGuard = uint64_t{256} << 10;      // behind each allocation, where there is room for it
constexpr uint64_t kLeastGap = 256;                        // where there is not, and in the heap of kernels
constexpr uint64_t kStride = uint64_t{64} << 10;           // no two allocations share a page of anything
constexpr uint64_t kLeastAddresses = uint64_t{256} << 20;  // for allocations, however small the GPU
constexpr size_t kRememberedFrees = 4096;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kLeastGivenBack = uint64_t{64} << 20;  // to set fewer bytes to 0 takes some milliseconds

uint64_t RoundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

std::string Bytes(uint64_t n) { return n == 1 ? "1 byte" : fmt::format("{} bytes", n); }

}  // namespace

// Pages cost memory only once they are written. Twice the capacity would hold all allocations with their guards; as
// much again leaves room for what was freed.
GlobalMemory::GlobalMemory(uint64_t capacity) : capacity_(capacity) {
  const uint64_t heap = RoundUp(capacity * 2, kStride), shared = heap;
  const uint64_t own = std::max(RoundUp(capacity * 4, kStride), kLeastAddresses);
  addresses_ = own;
  reserved_ = heap + own + shared;
  void* p = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  arena_ = static_cast<uint8_t*>(p);
  p = mmap(nullptr, reserved_ / 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  written_ = static_cast<uint64_t*>(p);
  heap_ = FreeRanges(kBase, heap, FreeRanges::Reuse::kSoon);
  free_ = FreeRanges(kBase + heap, own, FreeRanges::Reuse::kLate);
  host_window_ = kBase + heap + own;
  shared_ = std::make_unique<HostWindow>(arena_ + heap + own, host_window_, shared);
}

GlobalMemory::~GlobalMemory() {
  shared_.reset();
  munmap(arena_, reserved_);
  munmap(written_, reserved_ / 8);
}

Result<uint64_t> GlobalMemory::AllocateShared(uint64_t bytes, MemoryKind kind, std::string_view label) {
  std::lock_guard lock(mutex_);
  ReleaseRetired();
  if (bytes == 0) return uint64_t{0};
  Result<uint64_t> base = shared_->Map(bytes);
  if (!base) return base;
  Allocation allocation;
  allocation.base = *base;
  allocation.bytes = bytes;
  allocation.room = shared_->Room(*base);
  allocation.label = label;
  // The memory is zero at first, and nobody sees the host's later writes to it, so all of it counts as initialised.
  allocation.initialised = true;
  allocation.kind = kind;
  Enter(std::move(allocation));
  return base;
}

int GlobalMemory::TakeDescriptor(uint64_t base) { return shared_->TakeDescriptor(base); }

Result<uint64_t> GlobalMemory::Allocate(uint64_t bytes, std::string_view label, bool constant) {
  std::lock_guard lock(mutex_);
  ReleaseRetired();
  return Place(bytes, label, constant, /*in_kernel=*/false);
}

Status GlobalMemory::Free(uint64_t base) {
  std::lock_guard lock(mutex_);
  ReleaseRetired();
  if (auto it = live_.find(base); it != live_.end() && it->second.in_kernel) {
    return Error{ErrorKind::kSubmission,
                 fmt::format("{:#x} was allocated by malloc in a kernel; free it in a kernel", base)};
  }
  return Remove(base);
}

uint64_t GlobalMemory::AllocateInKernel(uint64_t bytes, uint64_t heap_bytes) {
  constexpr uint64_t kHeapGranule = 16;  // the heap's own record of each block takes this much again
  std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > heap_bytes) return 0;
  const uint64_t cost = RoundUp(bytes, kHeapGranule) + kHeapGranule;
  if (heap_used_ + cost > heap_bytes) return 0;
  Result<uint64_t> at = Place(bytes, "malloc in a kernel", /*constant=*/false, /*in_kernel=*/true);
  if (!at) return 0;
  heap_used_ += cost;
  return *at;
}

Status GlobalMemory::FreeInKernel(uint64_t base) {
  std::lock_guard lock(mutex_);
  auto it = live_.find(base);
  if (it != live_.end() && !it->second.in_kernel) {
    return Error{ErrorKind::kSubmission,
                 fmt::format("{:#x} is {}, which does not come from malloc in a kernel", base, it->second.label)};
  }
  if (it != live_.end()) heap_used_ -= RoundUp(it->second.bytes, 16) + 16;
  return Remove(base);
}

Result<uint64_t> GlobalMemory::Place(uint64_t bytes, std::string_view label, bool constant, bool in_kernel) {
  if (bytes == 0) return uint64_t{0};
  if (bytes > capacity_ - std::min(used_, capacity_)) {
    return Error{ErrorKind::kLimit,
                 fmt::format("out of device memory: {} requested, but only {} of {} free", Bytes(bytes),
                             Bytes(capacity_ - std::min(used_, capacity_)), Bytes(capacity_))};
  }
  Allocation allocation;
  allocation.bytes = bytes;
  allocation.label = label;
  allocation.constant = constant;
  allocation.in_kernel = in_kernel;
  std::optional<uint64_t> at;
  if (!in_kernel) {
    allocation.room = RoundUp(bytes + std::max(bytes, kLeastGuard), kStride);
    // One half of the addresses is kept for what has to do with less.
    if (free_.bytes() >= addresses_ / 2 + allocation.room) at = free_.Take(allocation.room, kStride);
  }
  if (!at) {
    allocation.room = RoundUp(bytes, kGranule) + kLeastGap;
    at = (in_kernel ? heap_ : free_).Take(allocation.room, kGranule);
  }
  if (!at) return Error{ErrorKind::kLimit, fmt::format("out of device memory: no free range of {}", Bytes(bytes))};
  allocation.base = *at;
  Enter(std::move(allocation));
  if (!in_kernel && bytes >= kLeastHugeArray) PreferHugePages(Host(*at), bytes);
  used_ += bytes;
  return *at;
}

void GlobalMemory::Enter(Allocation allocation) {
  allocation.sequence = next_sequence_++;
  ForgetFreed(allocation.base, allocation.room);
  live_[allocation.base] = std::move(allocation);
}

Status GlobalMemory::Remove(uint64_t base) {
  auto it = live_.find(base);
  if (it == live_.end()) {
    if (auto freed = freed_.find(base); freed != freed_.end()) {
      return Error{ErrorKind::kSubmission,
                   fmt::format("double free: {} at {:#x} was freed before", freed->second.label, base)};
    }
    return Error{
        ErrorKind::kSubmission,
        fmt::format("{:#x} is not the start of an allocation; pass exactly the address that the allocation returned",
                    base)};
  }
  RememberFreed(it->second);
  if (shared_->Contains(base)) {
    live_.erase(it);
    shared_->Unmap(base);
    return {};
  }
  used_ -= it->second.bytes;
  auto node = live_.extract(it);
  if (node.mapped().in_kernel) {
    retired_.push_back(std::move(node));
  } else {
    GiveBack(node.mapped());
  }
  return {};
}

void GlobalMemory::RememberFreed(const Allocation& allocation) {
  if (freed_bases_.size() == kRememberedFrees) {
    freed_.erase(freed_bases_.front());
    freed_bases_.pop_front();
  }
  freed_[allocation.base] = allocation;
  freed_bases_.push_back(allocation.base);
}

void GlobalMemory::ForgetFreed(uint64_t start, uint64_t bytes) {
  auto first = freed_.lower_bound(start);
  if (first != freed_.begin() && std::prev(first)->first + std::prev(first)->second.room > start) --first;
  freed_.erase(first, freed_.lower_bound(start + bytes));
}

void GlobalMemory::ExpectKernelAllocations(bool expected) {
  std::lock_guard lock(mutex_);
  ReleaseRetired();
  concurrent_ = expected;
}

void GlobalMemory::ReleaseRetired() {
  for (const auto& node : retired_) GiveBack(node.mapped());
  retired_.clear();
}

void GlobalMemory::GiveBack(const Allocation& allocation) {
  // Give the pages back, so that a long grading run does not hold the peak of every submission.
  const uint64_t start = allocation.base - kBase;
  const uint64_t first_page = RoundUp(start, kPage), last_page = (start + allocation.room) / kPage * kPage;
  if (last_page > first_page) madvise(arena_ + first_page, last_page - first_page, MADV_DONTNEED);
  if (!allocation.in_kernel && allocation.bytes >= kLeastHugeArray) PreferSmallPages(arena_ + start, allocation.bytes);
  ForgetMarks(start, allocation.room);
  (allocation.in_kernel ? heap_ : free_).GiveBack(allocation.base, allocation.room);
}

void GlobalMemory::Clear(uint64_t address, uint64_t bytes) const {
  uint8_t* const begin = Host(address);
  // Memory that is shared with the host would keep what it has.
  if (bytes < kLeastGivenBack || shared_->Contains(address)) {
    std::memset(begin, 0, bytes);
    return;
  }
  const uint64_t start = address - kBase, end = start + bytes;
  const uint64_t first = RoundUp(start, kPage), last = end / kPage * kPage;
  std::memset(begin, 0, first - start);
  if (madvise(arena_ + first, last - first, MADV_DONTNEED) != 0) std::memset(arena_ + first, 0, last - first);
  std::memset(arena_ + last, 0, end - last);
}

void GlobalMemory::ForgetMarks(uint64_t offset, uint64_t bytes) {
  constexpr uint64_t kMarked = kPage * 8;  // bytes of memory whose marks fill a page
  uint64_t first = RoundUp(offset, kMarked), last = (offset + bytes) / kMarked * kMarked;
  if (last <= first) {
    ClearWritten(written_, offset, bytes);
    return;
  }
  madvise(reinterpret_cast<uint8_t*>(written_) + first / 8, (last - first) / 8, MADV_DONTNEED);
  ClearWritten(written_, offset, first - offset);
  ClearWritten(written_, last, offset + bytes - last);
}

void GlobalMemory::MarkWritten(uint64_t address, uint64_t bytes) {
  auto it = live_.upper_bound(address);
  if (bytes == 0 || it == live_.begin()) return;
  Allocation& a = std::prev(it)->second;
  if (a.initialised) return;
  // A copy in pieces (over the judge's socket) must leave the same state as one copy. Otherwise kernels would have to
  // look at the bits of each byte, which makes them slower by 10%.
  const uint64_t from = address - a.base;
  if (from <= a.written_to) a.written_to = std::max(a.written_to, from + bytes);
  a.initialised = a.written_to >= a.bytes;
  if (!a.initialised) SetWritten(written_, address - kBase, bytes);
}

void GlobalMemory::CopyMarks(uint64_t to, uint64_t from, uint64_t bytes) {
  const Allocation* source = Find(from);
  const Allocation* target = Find(to);
  if (source == nullptr || target == nullptr || target->initialised) return;
  if (source->initialised || AllWritten(written_, from - kBase, bytes)) {
    MarkWritten(to, bytes);
  } else {
    CopyWritten(written_, to - kBase, from - kBase, bytes);
  }
}

bool GlobalMemory::WasFreed(uint64_t base) const {
  std::lock_guard lock(mutex_);
  return freed_.contains(base);
}

const Allocation* GlobalMemory::Find(uint64_t address) const {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (concurrent_) lock.lock();
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return nullptr;
  const Allocation& a = std::prev(it)->second;
  return address - a.base < a.bytes ? &a : nullptr;
}

WildAddress GlobalMemory::Explain(uint64_t address, uint64_t access_bytes, std::span<const uint64_t> pointers) const {
  std::lock_guard lock(mutex_);
  return ExplainWildAddress({live_, freed_, kBase, kBase + reserved_}, address, access_bytes, pointers);
}

bool GlobalMemory::IsFreed(uint64_t address, std::span<const uint64_t> pointers) const {
  std::lock_guard lock(mutex_);
  return IsFreedAddress({live_, freed_, kBase, kBase + reserved_}, address, pointers);
}

}  // namespace warpgrade::emulator
