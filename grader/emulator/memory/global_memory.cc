// One reserved range of the host's address space stands for device memory. Allocations are cut out of it, with a gap
// behind each. Freed ranges are remembered for a while, so that a use after free can be named as such. Tested by
// tests/emulator/global_memory_test.cc.
#include "grader/emulator/memory/global_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "grader/emulator/memory/initialised.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kGranule = 256;       // alignment of allocations
constexpr uint64_t kGap = 256;           // never-allocated bytes after each allocation
constexpr size_t kRememberedFrees = 64;  // enough to name the usual use after free
constexpr uint64_t kPage = 4096;

uint64_t RoundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

std::string Bytes(uint64_t n) { return n == 1 ? "1 byte" : fmt::format("{} bytes", n); }

}  // namespace

GlobalMemory::GlobalMemory(uint64_t capacity) : capacity_(capacity) {
  // Reserve twice the capacity, so that fragmentation does not make a fitting allocation fail. Pages cost memory only
  // once they are written.
  const uint64_t shared = RoundUp(capacity, kPage), own = RoundUp(capacity * 2, kPage);
  reserved_ = own + shared;
  void* p = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  arena_ = static_cast<uint8_t*>(p);
  p = mmap(nullptr, reserved_ / 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  written_ = static_cast<uint64_t*>(p);
  free_ranges_[kBase] = own;
  host_window_ = kBase + own;
  shared_ = std::make_unique<HostWindow>(arena_ + own, host_window_, shared);
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
  // The memory is zero at first, and nobody sees the host's later writes to it, so all of it counts as initialised.
  if (base) {
    live_[*base] = Allocation{*base,
                              bytes,
                              next_sequence_++,
                              std::string(label),
                              /*constant=*/false,
                              /*initialised=*/true,
                              kind};
  }
  return base;
}

int GlobalMemory::TakeDescriptor(uint64_t base) { return shared_->TakeDescriptor(base); }

Result<uint64_t> GlobalMemory::Allocate(uint64_t bytes, std::string_view label, bool constant) {
  std::lock_guard lock(mutex_);
  ReleaseRetired();
  return Place(bytes, label, constant);
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
  Result<uint64_t> at = Place(bytes, "malloc in a kernel", false);
  if (!at) return 0;
  live_[*at].in_kernel = true;
  heap_used_ += cost;
  return *at;
}

Status GlobalMemory::FreeInKernel(uint64_t base) {
  std::lock_guard lock(mutex_);
  auto it = live_.find(base);
  if (it != live_.end() && !it->second.in_kernel) {
    return Error{ErrorKind::kSubmission,
                 fmt::format("{:#x} is {}, which malloc in a kernel did not give", base, it->second.label)};
  }
  if (it != live_.end()) heap_used_ -= RoundUp(it->second.bytes, 16) + 16;
  return Remove(base);
}

Result<uint64_t> GlobalMemory::Place(uint64_t bytes, std::string_view label, bool constant) {
  if (bytes == 0) return uint64_t{0};
  if (bytes > capacity_ - std::min(used_, capacity_)) {
    return Error{ErrorKind::kLimit, fmt::format("out of device memory: {} asked for, {} free of {}", Bytes(bytes),
                                                Bytes(capacity_ - std::min(used_, capacity_)), Bytes(capacity_))};
  }
  uint64_t need = RoundUp(bytes, kGranule) + kGap;
  for (auto it = free_ranges_.begin(); it != free_ranges_.end(); ++it) {
    if (it->second < need) continue;
    uint64_t base = it->first, rest = it->second - need;
    free_ranges_.erase(it);
    if (rest > 0) free_ranges_[base + need] = rest;
    live_[base] = Allocation{base, bytes, next_sequence_++, std::string(label), constant};
    used_ += bytes;
    return base;
  }
  return Error{ErrorKind::kLimit, fmt::format("out of device memory: no free range of {}", Bytes(bytes))};
}

Status GlobalMemory::Remove(uint64_t base) {
  auto it = live_.find(base);
  if (it == live_.end()) {
    for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed) {
      if (freed->base == base) {
        return Error{ErrorKind::kSubmission,
                     fmt::format("double free: {} at {:#x} was freed before", freed->label, base)};
      }
    }
    return Error{ErrorKind::kSubmission,
                 fmt::format("{:#x} is not the start of an allocation; pass exactly what the allocation gave", base)};
  }
  if (freed_.size() == kRememberedFrees) freed_.erase(freed_.begin());
  freed_.push_back(it->second);
  if (shared_->Contains(base)) {
    live_.erase(it);
    shared_->Unmap(base);
    return {};
  }
  used_ -= it->second.bytes;
  uint64_t start = base, length = RoundUp(it->second.bytes, kGranule) + kGap;
  if (it->second.in_kernel) {
    retired_.push_back(live_.extract(it));
    return {};
  }
  live_.erase(it);
  GiveBack(start, length);
  return {};
}

void GlobalMemory::ExpectKernelAllocations(bool expected) {
  std::lock_guard lock(mutex_);
  ReleaseRetired();
  concurrent_ = expected;
}

void GlobalMemory::ReleaseRetired() {
  for (const auto& node : retired_) GiveBack(node.key(), RoundUp(node.mapped().bytes, kGranule) + kGap);
  retired_.clear();
}

void GlobalMemory::GiveBack(uint64_t start, uint64_t length) {
  // Give the pages back, so that a long grading run does not hold the peak of every submission.
  uint64_t first_page = RoundUp(start - kBase, kPage), last_page = (start - kBase + length) / kPage * kPage;
  if (last_page > first_page) madvise(arena_ + first_page, last_page - first_page, MADV_DONTNEED);
  ForgetMarks(start - kBase, length);
  auto next = free_ranges_.lower_bound(start);
  if (next != free_ranges_.end() && start + length == next->first) {
    length += next->second;
    next = free_ranges_.erase(next);
  }
  if (next != free_ranges_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += length;
      return;
    }
  }
  free_ranges_[start] = length;
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
  return std::any_of(freed_.begin(), freed_.end(), [&](const Allocation& a) { return a.base == base; });
}

const Allocation* GlobalMemory::Find(uint64_t address) const {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (concurrent_) lock.lock();
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return nullptr;
  const Allocation& a = std::prev(it)->second;
  return address - a.base < a.bytes ? &a : nullptr;
}

std::string GlobalMemory::Describe(uint64_t address, uint64_t access_bytes) const {
  std::lock_guard lock(mutex_);
  if (address == 0) return "a null pointer";
  if (address < kBase || address - kBase >= reserved_) {
    return "an address that no device memory has (a host pointer, or one computed wrongly)";
  }
  for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed) {
    if (address - freed->base < freed->bytes && Find(address) == nullptr) {
      return fmt::format("{} into {} ({}), which was freed", Bytes(address - freed->base), freed->label,
                         Bytes(freed->bytes));
    }
  }
  auto after = live_.upper_bound(address);
  if (after != live_.begin()) {
    const Allocation& a = std::prev(after)->second;
    uint64_t end = a.base + a.bytes;
    bool before_is_nearer = after != live_.end() && after->second.base - address < address - std::min(end, address);
    if (!before_is_nearer) {
      if (address < end) {
        return fmt::format("{} into {}, of which the last {} lie past its end ({})", Bytes(address - a.base), a.label,
                           address + access_bytes - end, Bytes(a.bytes));
      }
      return address == end ? fmt::format("just past the end of {} ({})", a.label, Bytes(a.bytes))
                            : fmt::format("{} past the end of {} ({})", Bytes(address - end), a.label, Bytes(a.bytes));
    }
  }
  if (after != live_.end()) {
    return fmt::format("{} before the start of {} ({})", Bytes(after->second.base - address), after->second.label,
                       Bytes(after->second.bytes));
  }
  return "an address near no allocation";
}

}  // namespace warpgrade::emulator
