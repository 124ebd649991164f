#include "grader/emulator/memory/byte_ranges.h"

#include <algorithm>

namespace warpgrade::emulator {
namespace {

// The first range that ends after `at`.
template <typename Ranges>
auto After(Ranges& ranges, uint64_t at) {
  return std::partition_point(ranges.begin(), ranges.end(), [at](const ByteRange& r) { return r.end <= at; });
}

}  // namespace

void ByteRanges::Add(uint64_t begin, uint64_t end) {
  if (begin >= end) return;
  if (ranges_.empty() || ranges_.back().end < begin) {
    ranges_.push_back({begin, end});
    return;
  }
  // All ranges that meet or touch the new one become one with it.
  auto first =
      std::partition_point(ranges_.begin(), ranges_.end(), [begin](const ByteRange& r) { return r.end < begin; });
  auto last = std::partition_point(first, ranges_.end(), [end](const ByteRange& r) { return r.begin <= end; });
  if (first == last) {
    ranges_.insert(first, {begin, end});
    return;
  }
  first->begin = std::min(first->begin, begin);
  first->end = std::max((last - 1)->end, end);
  ranges_.erase(first + 1, last);
}

void ByteRanges::Remove(uint64_t begin, uint64_t end) {
  auto first = After(ranges_, begin);
  auto last = std::partition_point(first, ranges_.end(), [end](const ByteRange& r) { return r.begin < end; });
  if (begin >= end || first == last) return;
  const ByteRange left{first->begin, begin}, right{end, (last - 1)->end};
  auto at = ranges_.erase(first, last);
  if (right.begin < right.end) at = ranges_.insert(at, right);
  if (left.begin < left.end) ranges_.insert(at, left);
}

std::optional<ByteRange> ByteRanges::Overlap(const ByteRanges& other) const {
  if (size() > other.size()) return other.Overlap(*this);
  constexpr size_t kFar = 16;
  const bool search = other.size() / kFar > size();
  auto theirs = other.ranges_.begin();
  for (const ByteRange& ours : ranges_) {
    if (search) {
      theirs = After(other.ranges_, ours.begin);
    } else {
      while (theirs != other.ranges_.end() && theirs->end <= ours.begin) ++theirs;
    }
    if (theirs == other.ranges_.end()) return std::nullopt;
    if (theirs->begin < ours.end)
      return ByteRange{std::max(ours.begin, theirs->begin), std::min(ours.end, theirs->end)};
  }
  return std::nullopt;
}

}  // namespace warpgrade::emulator
