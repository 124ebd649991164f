// Bits are set as in initialised.h. Two levels of flags, for pages of 4 KiB and for regions of 512 pages, lead Take to
// the few places that were touched. Tested by tests/emulator/touched_memory_test.cc and, with kernels, by
// tests/emulator/exec/touched_bytes_test.cc.
#include "grader/emulator/memory/touched_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "grader/emulator/memory/initialised.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kPage = 4096, kPagesOfRegion = 512, kWordsOfPage = kPage / 64;

template <typename T>
T* Map(uint64_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  return static_cast<T*>(p);
}

void SetFlag(uint8_t* flags, uint8_t bit) {
  if ((__atomic_load_n(flags, __ATOMIC_RELAXED) & bit) == 0) __atomic_fetch_or(flags, bit, __ATOMIC_RELAXED);
}

// Runs f(first, past) over the runs of ones in the bits of one page.
template <typename F>
void ForRuns(const uint64_t* words, F f) {
  uint64_t at = 0;
  while (at < kPage) {
    const uint64_t rest = words[at / 64] >> at % 64;
    if (rest == 0) {
      at = (at / 64 + 1) * 64;
      continue;
    }
    const uint64_t first = at + static_cast<uint64_t>(__builtin_ctzll(rest));
    at = first;
    for (;;) {
      const uint64_t zeros = ~(words[at / 64] >> at % 64);  // what was shifted in counts as zero, and ends no run
      const uint64_t ones =
          std::min<uint64_t>(zeros == 0 ? 64 : static_cast<uint64_t>(__builtin_ctzll(zeros)), 64 - at % 64);
      at += ones;
      if (at % 64 != 0 || ones == 0 || at >= kPage) break;
    }
    f(first, at);
  }
}

}  // namespace

TouchedMemory::TouchedMemory(uint64_t arena_bytes)
    : pages_(arena_bytes / kPage + 1), regions_(pages_ / kPagesOfRegion + 1) {
  for (uint64_t*& bits : bits_) bits = Map<uint64_t>(pages_ * kPage / 8);
  kinds_of_page_ = Map<uint8_t>(pages_);
  region_touched_ = Map<uint8_t>(regions_);
}

TouchedMemory::~TouchedMemory() {
  for (uint64_t* bits : bits_) munmap(bits, pages_ * kPage / 8);
  munmap(kinds_of_page_, pages_);
  munmap(region_touched_, regions_);
}

void TouchedMemory::Note(Kind kind, uint64_t offset, uint64_t bytes) {
  if (AllWritten(bits_[kind], offset, bytes)) return;  // whoever set them sets the flags, too
  SetWritten(bits_[kind], offset, bytes);
  const auto bit = static_cast<uint8_t>(1u << kind);
  for (uint64_t page = offset / kPage; page <= (offset + bytes - 1) / kPage; ++page) {
    SetFlag(&kinds_of_page_[page], bit);
    SetFlag(&region_touched_[page / kPagesOfRegion], 1);
  }
}

TouchedBytes TouchedMemory::Take(uint64_t base, const std::function<bool(uint64_t)>& is_wanted) {
  TouchedBytes taken;
  uint8_t* next = region_touched_;
  const auto rest = [&] { return static_cast<size_t>(region_touched_ + regions_ - next); };
  while ((next = static_cast<uint8_t*>(std::memchr(next, 1, rest()))) != nullptr) {
    *next = 0;
    const auto region = static_cast<uint64_t>(next - region_touched_);
    const uint64_t last = std::min((region + 1) * kPagesOfRegion, pages_);
    for (uint64_t page = region * kPagesOfRegion; page < last; ++page) {
      if (kinds_of_page_[page] == 0) continue;
      TakePage(page, base, is_wanted, &taken);
      kinds_of_page_[page] = 0;
    }
  }
  return taken;
}

void TouchedMemory::TakePage(uint64_t page, uint64_t base, const std::function<bool(uint64_t)>& is_wanted,
                             TouchedBytes* taken) {
  ByteRanges* sets[kKinds] = {&taken->reads, &taken->writes, &taken->strong_reads, &taken->strong_writes};
  for (int kind = 0; kind < kKinds; ++kind) {
    if ((kinds_of_page_[page] >> kind & 1) == 0) continue;
    uint64_t* words = bits_[kind] + page * kWordsOfPage;
    ForRuns(words, [&](uint64_t first, uint64_t past) {
      const uint64_t address = base + page * kPage + first;
      if (sets[kind]->size() < kMostRanges && is_wanted(address)) {
        sets[kind]->Add(address, base + page * kPage + past);
      }
    });
    std::fill_n(words, kWordsOfPage, 0);
  }
}

}  // namespace warpgrade::emulator
