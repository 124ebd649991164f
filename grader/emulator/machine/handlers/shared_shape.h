// The quick way to enter an access of shared memory. It knows three shapes: lanes in order, all lanes at one address,
// and the shape that the same address register had before. For those it says the span and the bank conflicts with a few
// vector instructions. All others go the general way (access.h), and are remembered. Both ways count the same:
// tests/emulator/exec/shared_shape_test.cc compares them.
#pragma once

#include "grader/emulator/machine/handlers/access.h"
#include "grader/emulator/state/shared_shape.h"

namespace warpgrade::emulator {
namespace {

// Addresses in shared memory: lane l's is row[l] + offset, added in 32 bits. nvcc makes s[i - 1] and s[i + 1] of one
// register that is "negative" for i = 0.
struct SharedLanes {
  const uint32_t* row;
  uint32_t offset;
  uint32_t At(int lane) const { return row[lane] + offset; }
};

// The same in 64 bits, for what takes lanes one by one.
struct WideAddresses {
  alignas(64) uint64_t lane[kLanes];
  explicit WideAddresses(SharedLanes a) {
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) lane[l] = a.row[l] + a.offset;
  }
};

enum class LaneShape : uint8_t { kRun, kSame, kOther };

// An access whose lanes are all legal. It is returned in two registers: a larger one would go through memory, which
// took half of the time of a load.
struct SharedAccess {
  LaneMask mask = 0;
  uint32_t low = 0, end = 0;  // the span of all lanes
  LaneShape shape = LaneShape::kOther;
};
static_assert(sizeof(SharedAccess) == 16);

// Multiples of kStep for each lane.
template <uint32_t kStep>
struct Steps {
  alignas(64) uint32_t at[kLanes];
  constexpr Steps() : at() {
    for (uint32_t l = 0; l < kLanes; ++l) at[l] = l * kStep;
  }
};
template <uint32_t kStep>
inline constexpr Steps<kStep> kSteps;

// The lanes whose row[l] is not start + pattern[l].
inline LaneMask LanesOff(const uint32_t* row, uint32_t start, const uint32_t* pattern) {
#if defined(__AVX512F__)
  const __m512i from = _mm512_set1_epi32(static_cast<int>(start));
  const __mmask16 low =
      _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(row), _mm512_add_epi32(from, _mm512_loadu_si512(pattern)));
  const __mmask16 high =
      _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(row + 16), _mm512_add_epi32(from, _mm512_loadu_si512(pattern + 16)));
  return LaneMask{low} | LaneMask{high} << 16;
#elif defined(__AVX2__)
  const __m256i from = _mm256_set1_epi32(static_cast<int>(start));
  LaneMask equal = 0;
  for (int l = 0; l < kLanes; l += 8) {
    const __m256i have = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + l));
    const __m256i want = _mm256_add_epi32(from, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(pattern + l)));
    const int eight = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(have, want)));
    equal |= static_cast<LaneMask>(eight) << l;
  }
  return ~equal;
#else
  LaneMask off = 0;
  for (int l = 0; l < kLanes; ++l) off |= static_cast<LaneMask>(row[l] != start + pattern[l]) << l;
  return off;
#endif
}

// How many parts of a warp are served one after the other: 8-byte accesses half a warp at a time, 16-byte ones a
// quarter. Parts without an active lane do not count.
template <int kSize>
inline uint32_t ActiveParts(LaneMask mask) {
  if constexpr (kSize <= 4) {
    return 1;
  } else {
    constexpr int kParts = kSize / 4, kLanesOfPart = kLanes / kParts;
    uint32_t active = 0;
    for (int p = 0; p < kParts; ++p) active += (mask >> (p * kLanesOfPart) & ((1u << kLanesOfPart) - 1u)) != 0 ? 1 : 0;
    return active;
  }
}

// mask == 0: the shape is not known, or some lane is not plainly inside the block's `bytes` of shared memory. REQUIRES:
// mask != 0.
template <int kSize>
inline SharedAccess KnowShape(const SharedShape& known, SharedLanes a, LaneMask mask, uint32_t bytes, Wavefronts* w) {
  const int first = __builtin_ctz(mask), last = 31 - __builtin_clz(mask);
  const uint32_t start = a.row[first], at = start + a.offset, apart = a.row[last] - start;
  LaneShape shape = LaneShape::kOther;
  int64_t low = at, end = at;
  if (apart == static_cast<uint32_t>(last - first) * kSize &&
      (LanesOff(a.row, start - static_cast<uint32_t>(first) * kSize, kSteps<kSize>.at) & mask) == 0) {
    shape = LaneShape::kRun;
    end += int64_t{last - first + 1} * kSize;
    w->actual = w->ideal = ActiveParts<kSize>(mask);
  } else if (apart == 0 && (LanesOff(a.row, start, kSteps<0>.at) & mask) == 0) {
    shape = LaneShape::kSame;
    end += kSize;
    w->actual = w->ideal = ActiveParts<kSize>(mask);
  } else if (known.mask == mask && known.size == kSize && (kSize >= 4 || known.in_word == (at & 3)) &&
             (LanesOff(a.row, start, known.from_first) & mask) == 0) {
    low += known.low;
    end += known.end;
    *w = {known.wavefronts, known.ideal_wavefronts};
  } else {
    return {};
  }
  if (low < 0 || end > int64_t{bytes} || at % kSize != 0) return {};
  return {mask, static_cast<uint32_t>(low), static_cast<uint32_t>(end), shape};
}

// `w` is what the general way counted for these lanes, all of which were legal.
inline void Remember(SharedShape& shape, SharedLanes a, LaneMask mask, const AddressSpan& span, int size,
                     const Wavefronts& w) {
  const uint32_t start = a.row[__builtin_ctz(mask)], at = start + a.offset;
  for (int l = 0; l < kLanes; ++l) shape.from_first[l] = a.row[l] - start;
  shape.mask = mask;
  shape.size = size;
  shape.in_word = at & 3;
  shape.low = static_cast<int32_t>(static_cast<int64_t>(span.low) - at);
  shape.end = static_cast<int32_t>(static_cast<int64_t>(span.end) - at);
  shape.wavefronts = w.actual;
  shape.ideal_wavefronts = w.ideal;
}

}  // namespace
}  // namespace warpgrade::emulator
