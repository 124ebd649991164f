// Which bytes of memory were ever written: one bit for each byte, 64 in a word. Several host threads may set bits at
// the same time. A reader may miss bits that are being set, but only if its access and the write are unordered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warpgrade::emulator {

// The bits of [at, at + bytes) that lie in the word of `at`. Moves `at` and `bytes` on to the next word.
inline uint64_t TakeWritten(uint64_t* at, uint64_t* bytes) {
  uint64_t shift = *at % 64, count = std::min<uint64_t>(64 - shift, *bytes);
  *at += count;
  *bytes -= count;
  return (count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << shift;
}

// REQUIRES, for all of these: bytes > 0.
inline bool AllWritten(const uint64_t* bits, uint64_t at, uint64_t bytes) {
  while (bytes > 0) {
    uint64_t word = at / 64, mask = TakeWritten(&at, &bytes);
    if ((__atomic_load_n(&bits[word], __ATOMIC_RELAXED) & mask) != mask) return false;
  }
  return true;
}
bool AnyWritten(const uint64_t* bits, uint64_t at, uint64_t bytes);
void SetWritten(uint64_t* bits, uint64_t at, uint64_t bytes);
void ClearWritten(uint64_t* bits, uint64_t at, uint64_t bytes);
// The bits of `from` are copied to `to`; the ranges may overlap as in memmove.
void CopyWritten(uint64_t* bits, uint64_t to, uint64_t from, uint64_t bytes);

}  // namespace warpgrade::emulator
