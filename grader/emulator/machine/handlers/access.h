// The first step of every memory access: look at the 32 addresses once, and find out whether they form one run.
#pragma once

#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator {
namespace {

struct AddressSpan {
  uint64_t low = 0;         // smallest address of an active lane
  uint64_t end = 0;         // one past the last byte of an active lane
  uint64_t any_bits = 0;    // the OR of all active addresses, from which alignment follows
  bool contiguous = false;  // lane l is at low + (l - first) * size for every active lane
  bool same = false;        // not contiguous, and every active lane is at low
  int first = 0, last = 0;  // active lanes
};

// `addresses` has one entry for each lane; each lane accesses `size` bytes. REQUIRES: mask != 0.
template <typename Address>
inline AddressSpan Measure(const Address* addresses, uint64_t offset, LaneMask mask, uint64_t size) {
  AddressSpan s;
  s.first = __builtin_ctz(mask);
  s.last = 31 - __builtin_clz(mask);
  if (s.first == s.last) {
    s.contiguous = true;
    s.low = static_cast<uint64_t>(addresses[s.first]) + offset;
    s.end = s.low + size;
    s.any_bits = s.low;
    return s;
  }
  const Address step = static_cast<Address>(size);
  const Address base = static_cast<Address>(addresses[s.first] - static_cast<Address>(s.first) * step);
  Address difference = 0;
  if (mask == kAllLanes) {
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) {
      difference |= static_cast<Address>(addresses[l] - (base + static_cast<Address>(l) * step));
    }
  } else {
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) {
      Address d = static_cast<Address>(addresses[l] - (base + static_cast<Address>(l) * step));
      difference |= (mask >> l) & 1 ? d : Address{0};
    }
  }
  if (difference == 0) {
    s.contiguous = true;
    s.low = static_cast<uint64_t>(addresses[s.first]) + offset;
    s.end = s.low + static_cast<uint64_t>(s.last - s.first + 1) * size;
    s.any_bits = s.low;  // all other addresses differ from it by multiples of size
    return s;
  }
  Address low = addresses[s.first], high = addresses[s.first], any = 0;
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    Address a = (mask >> l) & 1 ? addresses[l] : addresses[s.first];
    Address b = static_cast<Address>(a + static_cast<Address>(offset));
    low = a < low ? a : low;
    high = a > high ? a : high;
    any |= b;
  }
  s.low = static_cast<uint64_t>(low) + offset;
  s.end = static_cast<uint64_t>(high) + offset + size;
  s.any_bits = any;
  s.same = low == high;
  return s;
}

inline bool IsRun(LaneMask mask) {  // one unbroken run of ones
  LaneMask low = mask & (~mask + 1u);
  return ((mask + low) & mask) == 0;
}

// Counts the distinct 32-byte sectors of the active lanes. Accesses are aligned and at most 16 bytes long, so none
// crosses a sector boundary.
inline uint32_t CountSectors(const uint64_t* addresses, uint64_t offset, LaneMask mask, const AddressSpan& span) {
  if (span.contiguous && IsRun(mask)) return static_cast<uint32_t>(((span.end - 1) >> 5) - (span.low >> 5) + 1);
  if (span.same) return 1;
  uint64_t sectors[kLanes];
  int count = 0;
  bool sorted = true;
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    uint64_t sector = (addresses[__builtin_ctz(m)] + offset) >> 5;
    if (count > 0 && sector == sectors[count - 1]) continue;
    if (count > 0 && sector < sectors[count - 1]) sorted = false;
    sectors[count++] = sector;
  }
  if (sorted) return static_cast<uint32_t>(count);
  for (int i = 1; i < count; ++i) {  // insertion sort: at most 32 values
    uint64_t v = sectors[i];
    int j = i - 1;
    while (j >= 0 && sectors[j] > v) {
      sectors[j + 1] = sectors[j];
      --j;
    }
    sectors[j + 1] = v;
  }
  uint32_t distinct = 1;
  for (int i = 1; i < count; ++i) distinct += sectors[i] != sectors[i - 1];
  return distinct;
}

// How many passes shared memory needs for the lanes of `mask`: the largest number of distinct 4-byte words in one of
// its 32 banks.
template <typename Address>
inline uint32_t BankTurns(const Address* addresses, uint64_t offset, LaneMask mask, int words_per_lane) {
  uint32_t words[128];
  uint8_t next[128], head[32], depth[32] = {};
  int used = 0;
  uint32_t turns = 1, previous = 0xFFFFFFFFu;
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    uint32_t first = static_cast<uint32_t>((static_cast<uint64_t>(addresses[__builtin_ctz(m)]) + offset) >> 2);
    if (first == previous) continue;
    previous = first;
    for (int w = 0; w < words_per_lane; ++w) {
      uint32_t word = first + static_cast<uint32_t>(w), bank = word & 31;
      bool seen = false;
      uint8_t at = head[bank];
      for (int k = 0; k < depth[bank]; ++k, at = next[at]) {
        if (words[at] == word) {
          seen = true;
          break;
        }
      }
      if (seen) continue;
      words[used] = word;
      next[used] = depth[bank] > 0 ? head[bank] : uint8_t{0};
      head[bank] = static_cast<uint8_t>(used++);
      if (++depth[bank] > turns) turns = depth[bank];
    }
  }
  return turns;
}

struct Wavefronts {
  uint32_t actual = 0, ideal = 0;
};

// 8-byte accesses are served half a warp at a time, and 16-byte accesses a quarter of a warp at a time.
template <typename Address>
inline Wavefronts CountWavefronts(const Address* addresses, uint64_t offset, LaneMask mask, const AddressSpan& span,
                                  int size) {
  Wavefronts w;
  const bool in_32_words = ((span.end - 1) >> 2) - (span.low >> 2) < 32;  // so each has a bank of its own
  const int groups = size <= 4 ? 1 : size / 4, lanes = kLanes / groups, words = size <= 4 ? 1 : size / 4;
  for (int g = 0; g < groups; ++g) {
    LaneMask part = groups == 1 ? mask : mask & (((1u << lanes) - 1u) << (g * lanes));
    if (part == 0) continue;
    ++w.ideal;
    w.actual += in_32_words || (span.contiguous && size >= 4) ? 1 : BankTurns(addresses, offset, part, words);
  }
  return w;
}

// Call this for each strong access. Under a seed, some of them end the turn of the warp and of its block. So other
// blocks run between two accesses of one block, as on a GPU: without this, a block that waits for nobody ends before
// another one starts, and an update that takes two atomics is never lost.
[[maybe_unused]] inline void NoteStrong(Exec& x, const Inst& i, uint64_t generic_address) {
  x.warp->last_strong = &i;
  x.warp->last_strong_address = generic_address;
  const uint32_t one_in = x.block->yields_one_in;
  if (one_in != 0 && x.block->random.Below(one_in) == 0) x.leave = x.yields = true;
}

}  // namespace
}  // namespace warpgrade::emulator
