#include "grader/emulator/memory/free_ranges.h"

#include <algorithm>
#include <iterator>

namespace warpgrade::emulator {

FreeRanges::FreeRanges(uint64_t base, uint64_t bytes, Reuse reuse) : reuse_(reuse), bytes_(bytes), next_(base) {
  if (bytes > 0) ranges_[base] = bytes;
}

std::optional<uint64_t> FreeRanges::Take(uint64_t bytes, uint64_t alignment) {
  auto range = ranges_.upper_bound(next_);
  if (range != ranges_.begin()) --range;  // next_ may lie inside of it
  uint64_t earliest = next_;
  // The range where the search begins is looked at twice: from next_ on, and whole.
  for (size_t looked_at = 0; looked_at <= ranges_.size(); ++looked_at, ++range, earliest = 0) {
    if (range == ranges_.end()) range = ranges_.begin();
    if (range == ranges_.end()) break;
    const uint64_t first = range->first, end = first + range->second;
    const uint64_t start = (std::max(first, earliest) + alignment - 1) & ~(alignment - 1);
    if (start > end || end - start < bytes) continue;
    if (start > first) {
      range->second = start - first;
    } else {
      ranges_.erase(range);
    }
    if (end > start + bytes) ranges_[start + bytes] = end - (start + bytes);
    bytes_ -= bytes;
    if (reuse_ == Reuse::kLate) next_ = start + bytes;
    return start;
  }
  return std::nullopt;
}

void FreeRanges::GiveBack(uint64_t start, uint64_t bytes) {
  bytes_ += bytes;
  auto next = ranges_.lower_bound(start);
  if (next != ranges_.end() && start + bytes == next->first) {
    bytes += next->second;
    next = ranges_.erase(next);
  }
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += bytes;
      return;
    }
  }
  ranges_[start] = bytes;
}

}  // namespace warpgrade::emulator
