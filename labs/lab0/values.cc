// Elements are made from a keyed mixing of their index. Tested by tests/course/lab0/lab0_judge_test.cc.
#include "labs/lab0/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "labs/support/noise.h"
#include "labs/support/parallel.h"

namespace lab0 {
namespace {

using lab::Noise;

// 24 bits, magnitudes from 2^-8 to 2^7: most sums are rounded.
float OrdinaryFloat(uint64_t noise) {
  const float fraction = 1 + static_cast<float>(noise % (1 << 23)) / (1 << 23);
  const float magnitude = std::ldexp(fraction, static_cast<int>(noise >> 23 & 15) - 8);
  return (noise >> 63) != 0 ? -magnitude : magnitude;
}

float SpoiledFloat(uint64_t noise) {
  switch (noise >> 32 & 31) {
    case 0:
      return std::numeric_limits<float>::quiet_NaN();
    case 1:
      return std::numeric_limits<float>::infinity();
    case 2:
      return -std::numeric_limits<float>::infinity();
    case 3:
      return -0.0f;
    case 4:
      return std::numeric_limits<float>::denorm_min() * static_cast<float>(noise % 1000);
    default:
      return OrdinaryFloat(noise);
  }
}

double OrdinaryDouble(uint64_t noise) {
  return std::ldexp(static_cast<double>(noise >> 12), -40) + 1;  // never 0: its sign is part of the answer
}

// A quarter of the bytes are at the ends, where sums of channels that are too short overflow.
uint8_t ColourByte(uint64_t noise) {
  if ((noise >> 8 & 3) == 0) return (noise & 1) != 0 ? 255 : 0;
  return static_cast<uint8_t>(noise);
}

template <typename T, typename Element>
void Fill(size_t count, void* to, Element element) {
  T* const array = static_cast<T*>(to);
  lab::ParallelFor(count, count, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) array[i] = element(i);
  });
}

}  // namespace

size_t Problem::Outputs() const {
  if (pattern == kNoRoom) return 0;
  return task == kClasses ? second : Inputs();
}

size_t Problem::Inputs() const {
  if (pattern == kNoRoom) return 0;
  return task == kImage ? first * second : first;
}

int InputCount(Task task) {
  switch (task) {
    case kVectorAdd:
    case kStreams:
      return 2;
    case kLinks:
      return 3;
    default:
      return 1;
  }
}

size_t InputBytes(const Problem& p, int input) {
  constexpr size_t kLinkBytes[] = {sizeof(uint8_t), sizeof(uint16_t), sizeof(double)};
  switch (p.task) {
    case kVectorAdd:
    case kStreams:
      return p.Inputs() * sizeof(float);
    case kImage:
      return p.Inputs() * 3;
    case kLinks:
      return p.Inputs() * kLinkBytes[input];
    case kClasses:
      return p.Inputs();
  }
  return 0;
}

size_t OutputBytes(const Problem& p) {
  switch (p.task) {
    case kVectorAdd:
    case kStreams:
      return p.Outputs() * sizeof(float);
    case kImage:
      return p.Outputs();
    default:
      return p.Outputs() * 8;  // doubles, and unsigned long longs
  }
}

size_t SegmentLength(const Problem& p, size_t i) { return std::min(p.second, p.first - i / p.second * p.second); }

void Draw(const Problem& p, int input, uint64_t seed, void* to) {
  const auto noise = [seed](size_t i) { return Noise(seed, i); };
  switch (p.task) {
    case kVectorAdd:
    case kStreams:
      Fill<float>(p.Inputs(), to,
                  [&](size_t i) { return p.pattern == kSpoiled ? SpoiledFloat(noise(i)) : OrdinaryFloat(noise(i)); });
      return;
    case kImage:
      Fill<uint8_t>(3 * p.Inputs(), to, [&](size_t i) { return ColourByte(noise(i)); });
      return;
    case kLinks:
      if (input == 0) {
        Fill<uint8_t>(p.Inputs(), to, [&](size_t i) { return static_cast<uint8_t>(noise(i) & 1); });
      } else if (input == 1) {
        Fill<uint16_t>(p.Inputs(), to, [&](size_t i) { return static_cast<uint16_t>(noise(i) % SegmentLength(p, i)); });
      } else {
        Fill<double>(p.Inputs(), to, [&](size_t i) { return OrdinaryDouble(noise(i)); });
      }
      return;
    case kClasses:
      Fill<uint8_t>(p.Inputs(), to, [&](size_t i) { return static_cast<uint8_t>(noise(i) % p.second); });
      return;
  }
}

}  // namespace lab0
