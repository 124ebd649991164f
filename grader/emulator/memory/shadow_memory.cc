// Maps the shadows and gives out granules. Pages of both cost memory only once they are written, and are given back
// when launches have taken many granules and when arrays are freed. Tested by tests/emulator/exec/global_race_test.cc.
#include "grader/emulator/memory/shadow_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "grader/emulator/memory/huge_pages.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {
namespace {

// Enough for the launches that scatter their accesses most. Once they are used up, further lines are not checked.
constexpr size_t kGlobalGranules = size_t{27} << 20;
constexpr size_t kKeptDirty = size_t{1} << 20;  // granules kept from launch to launch; a whole number of pages
static_assert(kKeptDirty * sizeof(Granule) % 4096 == 0);

// Arrays of at least so many bytes are mostly used from the start to the end. Their lines get memory all at once: for
// each page, the system would first map a page of zeros when a line is read, and then interrupt the other processors to
// replace it when the line is written.
constexpr uint64_t kLeastPopulatedArray = uint64_t{64} << 10;
// If the lines of all arrays take more than that, they get it only when they are used: a program may allocate much that
// it never uses.
constexpr uint64_t kMostPopulated = uint64_t{32} << 20;

// The whole pages among the bytes. Failure is no harm: systems before Linux 5.14 do not know this advice.
void Populate(void* from, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  const uint64_t start = reinterpret_cast<uint64_t>(from);
  const uint64_t first = (start + kPage - 1) / kPage * kPage, past = (start + bytes) / kPage * kPage;
  if (past > first) madvise(reinterpret_cast<void*>(first), past - first, MADV_POPULATE_WRITE);
}

void* Map(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  return p;
}

}  // namespace

GranulePool::~GranulePool() {
  if (granules_ != nullptr) munmap(granules_, capacity_ * sizeof(Granule));
}

void GranulePool::Reserve(size_t granules) {
  if (granules <= capacity_) return;
  if (granules_ != nullptr) munmap(granules_, capacity_ * sizeof(Granule));
  granules_ = static_cast<Granule*>(Map(granules * sizeof(Granule)));
  capacity_ = granules;
  dirty_ = 0;
  used_ = 0;
}

uint32_t GranulePool::Take(size_t count) {
  size_t at = used_.fetch_add(count, std::memory_order_relaxed);
  if (at + count > capacity_) return kNone;
  return static_cast<uint32_t>(at);
}

void GranulePool::Reset() {
  if (used_.load(std::memory_order_relaxed) == 0) return;
  dirty_ = std::max(dirty_, std::min(used_.exchange(0), capacity_));
  if (dirty_ > kKeptDirty) {
    uint8_t* from = reinterpret_cast<uint8_t*>(granules_ + kKeptDirty);
    madvise(from, (capacity_ - kKeptDirty) * sizeof(Granule), MADV_DONTNEED);
    dirty_ = kKeptDirty;
  }
}

GlobalShadow::GlobalShadow(uint64_t arena_bytes) {
  bytes_ = (arena_bytes / kLineBytes + 1) * sizeof(LineShadow);
  lines_ = static_cast<LineShadow*>(Map(bytes_));  // zero bytes are an empty line with stamp 0
  granules_.Reserve(kGlobalGranules);
}

GlobalShadow::~GlobalShadow() { munmap(lines_, bytes_); }

void GlobalShadow::Forget(uint64_t arena_offset, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kCovered = kPage / sizeof(LineShadow) * kLineBytes;  // bytes that a page of lines remembers
  const uint64_t first = (arena_offset + kCovered - 1) / kCovered, last = (arena_offset + bytes) / kCovered;
  if (last > first) madvise(lines_ + first * (kPage / sizeof(LineShadow)), (last - first) * kPage, MADV_DONTNEED);
  if (bytes >= kLeastHugeArray) PreferSmallPages(&Line(arena_offset), bytes / kLineBytes * sizeof(LineShadow));
}

void GlobalShadow::ExpectNewArrays(const GlobalMemory& memory) {
  const auto of_lines = [](const Allocation& array) { return array.bytes / kLineBytes * sizeof(LineShadow); };
  uint64_t all = 0;
  for (const auto& [base, array] : memory.live()) all += of_lines(array);
  for (const auto& [base, array] : memory.live()) {
    if (array.sequence <= expected_) continue;
    LineShadow* const first = &Line(base - GlobalMemory::kBase);
    if (array.bytes >= kLeastHugeArray) PreferHugePages(first, of_lines(array));
    if (array.bytes >= kLeastPopulatedArray && all <= kMostPopulated) Populate(first, of_lines(array));
  }
  expected_ = memory.last_sequence();
}

void GlobalShadow::NextLaunch(bool concurrent, const GlobalMemory& memory) {
  concurrent_ = concurrent;
  if (expected_ < memory.last_sequence()) ExpectNewArrays(memory);
  if (++stamp_ == 0) {  // wraps after 2^32 launches
    madvise(lines_, bytes_, MADV_DONTNEED);
    stamp_ = 1;
  }
  granules_.Reset();
}

}  // namespace warpgrade::emulator
