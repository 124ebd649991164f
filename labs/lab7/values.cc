// Four elements are made from one keyed mixing of their index, 16 random bits each.
// Tested by tests/course/lab7/lab7_judge_test.cc.
#include "labs/lab7/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "grader/lab/parallel.h"
#include "labs/lab7/elements.h"
#include "labs/support/noise.h"

namespace lab7 {
namespace {

constexpr size_t kPerBlock = 2048;

using lab::Noise;

// What a value is made of besides its 16 random bits.
struct Source {
  Source(const Problem& problem, uint64_t seed) : p(problem) {
    range = RangeOf(p.variant, p.bins);
    const uint64_t noise = Noise(seed, ~uint64_t{0});
    favourite = FavouriteOf(seed, range);
    other =
        range == 1 ? 0 : (favourite + 1 + static_cast<int>((noise >> 32) % static_cast<uint64_t>(range - 1))) % range;
  }

  int Uniform(uint32_t bits) const { return UniformElement(bits, range); }

  int Outside(uint32_t bits) const {
    if (p.variant == kByte) return static_cast<int>(bits & 255);
    const int values[] = {-1,
                          std::numeric_limits<int>::min(),
                          -p.bins,
                          -static_cast<int>(bits),
                          p.bins,
                          std::numeric_limits<int>::max(),
                          p.bins + static_cast<int>(bits)};
    const uint32_t which = bits % 16;
    return which < std::size(values) ? values[which] : Uniform(bits);
  }

  int Sorted(size_t i) const { return static_cast<int>(static_cast<double>(i) / static_cast<double>(p.n) * range); }

  int Skewed(uint32_t bits) const { return (favourite + std::countr_zero(bits | 0x8000)) % range; }

  Problem p;
  int range;  // in-range values are 0 .. range - 1
  int favourite, other;
};

// `value` of an index and 16 random bits is an element. Each thread has a copy of it: the bytes that are written could
// be part of the caller's, for all the compiler knows.
template <typename T, typename Value>
void Fill(size_t n, uint64_t seed, T* to, const Value& shared_value) {
  warpgrade::ParallelFor(DivideUp(n, kPerBlock), n, [&](size_t begin, size_t end) {
    const Value value = shared_value;
    std::array<uint64_t, kPerBlock / kPerNoise> noise;
    for (size_t block = begin; block < end; ++block) {
      lab::FillNoise(seed, block * noise.size(), noise);
      const auto bits = std::bit_cast<std::array<uint16_t, kPerBlock>>(noise);
      const size_t first = block * kPerBlock, count = std::min(kPerBlock, n - first);
      T* const __restrict part = to + first;
      for (size_t k = 0; k < count; ++k) part[k] = static_cast<T>(value(first + k, bits[k]));
    }
  });
}

template <typename T>
void DrawAs(const Problem& p, uint64_t seed, T* to) {
  const Source source(p, seed);
  switch (p.pattern) {
    case kEqual:
      return Fill(p.n, seed, to, [source](size_t, uint32_t) { return source.favourite; });
    case kSorted:
      return Fill(p.n, seed, to, [source](size_t i, uint32_t) { return source.Sorted(i); });
    case kTwo:
      return Fill(p.n, seed, to,
                  [source](size_t, uint32_t bits) { return (bits & 1) != 0 ? source.favourite : source.other; });
    case kSkewed:
      return Fill(p.n, seed, to, [source](size_t, uint32_t bits) { return source.Skewed(bits); });
    case kOutside:
      return Fill(p.n, seed, to, [source](size_t, uint32_t bits) { return source.Outside(bits); });
    default:
      return Fill(p.n, seed, to, [source](size_t, uint32_t bits) { return source.Uniform(bits); });
  }
}

}  // namespace

const char* Name(Pattern pattern) {
  switch (pattern) {
    case kEqual:
      return "equal";
    case kSorted:
      return "sorted";
    case kTwo:
      return "two";
    case kSkewed:
      return "skewed";
    case kOutside:
      return "outside";
    default:
      return "uniform";
  }
}

std::string Size(const Problem& p) {
  return std::to_string(p.n) + " " + lab7::Name(p.variant) + (p.n == 1 ? ", " : "s, ") + std::to_string(p.bins) +
         (p.bins == 1 ? " bin" : " bins");
}

void Draw(const Problem& p, uint64_t seed, void* to) {
  if (p.variant == kInt) return DrawAs(p, seed, static_cast<int*>(to));
  DrawAs(p, seed, static_cast<uint8_t*>(to));
}

}  // namespace lab7
