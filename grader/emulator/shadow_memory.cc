#include "grader/emulator/shadow_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

#include "grader/result/result.h"

namespace warpgrade::emulator {
namespace {

// Of the launches that scatter their accesses most; lines beyond are not checked.
constexpr size_t kGlobalGranuleBytes = size_t{1} << 30;
constexpr size_t kKeptDirty = size_t{64} << 20;  // memory kept from launch to launch

void* Map(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  WARPGRADE_CHECK(p != MAP_FAILED);
  return p;
}

}  // namespace

GranulePool::~GranulePool() {
  if (start_ != nullptr) munmap(start_, bytes_);
}

void GranulePool::Reserve(size_t bytes) {
  if (bytes <= bytes_) return;
  if (start_ != nullptr) munmap(start_, bytes_);
  start_ = static_cast<std::byte*>(Map(bytes));
  bytes_ = bytes;
  dirty_ = 0;
  used_ = 0;
}

Granule* GranulePool::Take(size_t count) {
  size_t bytes = count * sizeof(Granule), at = used_.fetch_add(bytes, std::memory_order_relaxed);
  if (at + bytes > bytes_) return nullptr;
  auto* granules = reinterpret_cast<Granule*>(start_ + at);
  if (at < dirty_) {
    for (size_t k = 0; k < count; ++k) granules[k] = Granule{};
  }
  return granules;
}

void GranulePool::Reset() {
  size_t used = used_.exchange(0);
  if (used > bytes_) used = bytes_;
  if (used > dirty_) dirty_ = used;
  if (dirty_ > kKeptDirty) {
    madvise(start_ + kKeptDirty, bytes_ - kKeptDirty, MADV_DONTNEED);
    dirty_ = kKeptDirty;
  }
}

GlobalShadow::GlobalShadow(uint64_t arena_bytes) {
  bytes_ = (arena_bytes / kLineBytes + 1) * sizeof(LineShadow);
  lines_ = static_cast<LineShadow*>(Map(bytes_));  // zero bytes are an empty line of stamp 0
  granules_.Reserve(kGlobalGranuleBytes);
}

GlobalShadow::~GlobalShadow() { munmap(lines_, bytes_); }

void GlobalShadow::NextLaunch(bool concurrent) {
  concurrent_ = concurrent;
  if (++stamp_ == 0) {  // after 2^32 launches
    madvise(lines_, bytes_, MADV_DONTNEED);
    stamp_ = 1;
  }
  granules_.Reset();
}

}  // namespace warpgrade::emulator
