// Four elements are made from one keyed mixing of their index, 16 random bits each.
// Tested by tests/course/lab7/lab7_judge_test.cc.
#include "labs/lab7/values.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "labs/support/noise.h"
#include "labs/support/parallel.h"

namespace lab7 {
namespace {

constexpr size_t kPerNoise = 4;

using lab::Noise;

// What a value is made of besides its 16 random bits.
struct Source {
  Source(const Problem& problem, uint64_t seed) : p(problem) {
    range = p.variant == kInt ? p.bins : std::min(p.bins, 256);
    const uint64_t noise = Noise(seed, ~uint64_t{0});
    favourite = static_cast<int>(noise % static_cast<uint64_t>(range));
    other =
        range == 1 ? 0 : (favourite + 1 + static_cast<int>((noise >> 32) % static_cast<uint64_t>(range - 1))) % range;
  }

  int Uniform(uint32_t bits) const { return static_cast<int>(bits * static_cast<uint32_t>(range) >> 16); }

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

  int Value(size_t i, uint32_t bits) const {
    switch (p.pattern) {
      case kEqual:
        return favourite;
      case kSorted:
        return static_cast<int>(static_cast<double>(i) / static_cast<double>(p.n) * range);
      case kTwo:
        return (bits & 1) != 0 ? favourite : other;
      case kSkewed:
        return (favourite + std::countr_zero(bits | 0x8000)) % range;
      case kOutside:
        return Outside(bits);
      default:
        return Uniform(bits);
    }
  }

  Problem p;
  int range;  // in-range values are 0 .. range - 1
  int favourite, other;
};

template <typename T>
void DrawAs(const Problem& p, uint64_t seed, T* to) {
  const Source source(p, seed);
  const size_t groups = DivideUp(p.n, kPerNoise);
  lab::ParallelFor(groups, p.n, [&](size_t begin, size_t end) {
    for (size_t group = begin; group < end; ++group) {
      const uint64_t noise = Noise(seed, group);
      const size_t last = std::min(p.n, (group + 1) * kPerNoise);
      for (size_t i = group * kPerNoise; i < last; ++i) {
        const auto bits = static_cast<uint32_t>(noise >> (16 * (i % kPerNoise)) & 0xffff);
        to[i] = static_cast<T>(source.Value(i, bits));
      }
    }
  });
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
