// Sets of bytes of device memory, as sorted ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpgrade::emulator {

struct ByteRange {
  uint64_t begin = 0, end = 0;  // [begin, end)

  bool operator==(const ByteRange&) const = default;
};

class ByteRanges {
 public:
  // Adds [begin, end). Fast where the ranges come in rising order.
  void Add(uint64_t begin, uint64_t end);
  void Remove(uint64_t begin, uint64_t end);
  void Clear() { ranges_.clear(); }

  // The first bytes that both have; nullopt: none. O(smaller * log(larger)) when one is far smaller.
  std::optional<ByteRange> Overlap(const ByteRanges& other) const;

  bool empty() const { return ranges_.empty(); }
  size_t size() const { return ranges_.size(); }
  // Disjoint, in rising order, with a gap between any two.
  const std::vector<ByteRange>& all() const { return ranges_; }

 private:
  std::vector<ByteRange> ranges_;
};

// The bytes of global memory that a piece of work touched. Strong accesses are atomic, volatile or of a memory order:
// two of them do not race. An atomic is a strong write, and a strong read if its old value is used.
struct TouchedBytes {
  ByteRanges reads, writes;
  ByteRanges strong_reads, strong_writes;
  bool fences = false;  // a kernel with fences: it may order itself with another one that runs at the same time
  bool heap = false;    // it used the device heap, which the ranges leave out
  bool waited = false;  // a kernel that waited until others wrote memory: that orders the two

  size_t size() const { return reads.size() + writes.size() + strong_reads.size() + strong_writes.size(); }
};

}  // namespace warpgrade::emulator
