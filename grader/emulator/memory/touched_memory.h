// Which bytes of global memory the running launch touches: a bit for each byte and kind of access, mapped lazily beside
// the memory. The order of streams is checked with it (grader/cudart/order).
#pragma once

#include <cstdint>
#include <functional>

#include "grader/emulator/memory/byte_ranges.h"

namespace warpgrade::emulator {

class TouchedMemory {
 public:
  enum Kind : uint8_t { kRead, kWrite, kStrongRead, kStrongWrite };
  static constexpr int kKinds = 4;
  // The most ranges of one kind that Take returns; further ranges are left out.
  static constexpr size_t kMostRanges = size_t{1} << 18;

  explicit TouchedMemory(uint64_t arena_bytes);
  ~TouchedMemory();
  TouchedMemory(const TouchedMemory&) = delete;
  TouchedMemory& operator=(const TouchedMemory&) = delete;

  // Remembers an access to [offset, offset + bytes) of the arena. Safe from several host threads. REQUIRES: bytes > 0.
  void Note(Kind kind, uint64_t offset, uint64_t bytes);

  // What was noted since the last call, as addresses from `base` on, and forgets it. Ranges of which `is_wanted` is
  // false are left out; it is asked about the first address of each. REQUIRES: no launch runs.
  TouchedBytes Take(uint64_t base, const std::function<bool(uint64_t address)>& is_wanted);

 private:
  void TakePage(uint64_t page, uint64_t base, const std::function<bool(uint64_t)>& is_wanted, TouchedBytes* taken);

  const uint64_t pages_, regions_;
  uint64_t* bits_[kKinds] = {};
  uint8_t* kinds_of_page_ = nullptr;  // a bit for each kind
  uint8_t* region_touched_ = nullptr;
};

}  // namespace warpgrade::emulator
