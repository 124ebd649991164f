#include "grader/emulator/memory/initialised.h"

#include <algorithm>
#include <vector>

namespace warpgrade::emulator {

bool AnyWritten(const uint64_t* bits, uint64_t at, uint64_t bytes) {
  while (bytes > 0) {
    uint64_t word = at / 64, mask = TakeWritten(&at, &bytes);
    if ((__atomic_load_n(&bits[word], __ATOMIC_RELAXED) & mask) != 0) return true;
  }
  return false;
}

void SetWritten(uint64_t* bits, uint64_t at, uint64_t bytes) {
  while (bytes > 0) {
    uint64_t word = at / 64, mask = TakeWritten(&at, &bytes);
    if ((__atomic_load_n(&bits[word], __ATOMIC_RELAXED) & mask) == mask) continue;
    if (mask == ~uint64_t{0}) {
      __atomic_store_n(&bits[word], mask, __ATOMIC_RELAXED);  // other threads can only set bits too
    } else {
      __atomic_fetch_or(&bits[word], mask, __ATOMIC_RELAXED);
    }
  }
}

void ClearWritten(uint64_t* bits, uint64_t at, uint64_t bytes) {
  while (bytes > 0) {
    uint64_t word = at / 64, mask = TakeWritten(&at, &bytes);
    bits[word] &= ~mask;
  }
}

void CopyWritten(uint64_t* bits, uint64_t to, uint64_t from, uint64_t bytes) {
  auto get = [&](uint64_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; };
  std::vector<bool> copy(bytes);
  for (uint64_t k = 0; k < bytes; ++k) copy[k] = get(from + k);
  for (uint64_t k = 0; k < bytes; ++k) {
    uint64_t bit = uint64_t{1} << ((to + k) % 64);
    uint64_t& word = bits[(to + k) / 64];
    word = copy[k] ? word | bit : word & ~bit;
  }
}

}  // namespace warpgrade::emulator
