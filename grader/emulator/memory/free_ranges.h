// The addresses of a range that nobody uses. What was given back is given out again either as late as can be, so that a
// pointer into freed memory stays wrong for long, or as soon as can be, so that few pages are in use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace warpgrade::emulator {

class FreeRanges {
 public:
  enum class Reuse { kLate, kSoon };
  FreeRanges(uint64_t base, uint64_t bytes, Reuse reuse);

  // The start of `bytes` free bytes, which are not free any more; nullopt when no range has them. REQUIRES: bytes > 0;
  // `alignment`, of which the start is a multiple, is a power of two.
  std::optional<uint64_t> Take(uint64_t bytes, uint64_t alignment);
  // REQUIRES: none of these bytes is free.
  void GiveBack(uint64_t start, uint64_t bytes);
  uint64_t bytes() const { return bytes_; }  // that are free

 private:
  Reuse reuse_;
  uint64_t bytes_;
  std::map<uint64_t, uint64_t> ranges_;  // start -> bytes; no two of them touch
  uint64_t next_;                        // where the next search begins: it goes around
};

}  // namespace warpgrade::emulator
