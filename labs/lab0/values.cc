// Elements are made from a keyed mixing of their index. Tested by tests/course/lab0/lab0_judge_test.cc.
#include "labs/lab0/values.h"

#include <algorithm>
#include <limits>

#include "labs/lab0/elements.h"
#include "labs/support/noise.h"

namespace lab0 {
namespace {

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

}  // namespace

size_t Problem::Outputs() const {
  if (pattern == kNoRoom) return 0;
  return task == kClasses ? second : Inputs();
}

size_t Problem::Inputs() const {
  if (pattern == kNoRoom) return 0;
  return task == kImage ? first * second : first;
}

int Problem::FailingAllocation() const { return pattern == kSecondFails ? 2 : pattern == kThirdFails ? 3 : 0; }

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

void Draw(const Problem& p, int input, uint64_t seed, void* to) {
  const auto fill = [seed](size_t count, auto* array, const auto& element) {
    lab::FillFromNoise(count, seed, array, element);
  };
  const auto bytes = static_cast<uint8_t*>(to);
  switch (p.task) {
    case kVectorAdd:
    case kStreams:
      if (p.pattern == kSpoiled) {
        fill(p.Inputs(), static_cast<float*>(to), [](size_t, uint64_t noise) { return SpoiledFloat(noise); });
      } else {
        fill(p.Inputs(), static_cast<float*>(to), [](size_t, uint64_t noise) { return OrdinaryFloat(noise); });
      }
      return;
    case kImage:
      return fill(3 * p.Inputs(), bytes, [](size_t, uint64_t noise) { return ColourByte(noise); });
    case kLinks:
      if (input == 0) {
        fill(p.Inputs(), bytes, [](size_t, uint64_t noise) { return noise & 1; });
      } else if (input == 1) {
        fill(p.Inputs(), static_cast<uint16_t*>(to),
             [&p](size_t i, uint64_t noise) { return noise % SegmentLength(p.first, p.second, i); });
      } else {
        fill(p.Inputs(), static_cast<double*>(to), [](size_t, uint64_t noise) { return OrdinaryDouble(noise); });
      }
      return;
    case kClasses:
      return fill(p.Inputs(), bytes, [&p](size_t, uint64_t noise) { return noise % p.second; });
  }
}

}  // namespace lab0
