// Elements are made from a keyed mixing of their index.
// Tested by tests/course/lab1/values_test.cc.
#include "labs/lab1/values.h"

#include <algorithm>
#include <optional>

#include "labs/lab1/elements.h"
#include "labs/support/noise.h"

namespace lab1 {
namespace {

constexpr int32_t kPeak = 1 << 20;

template <typename T>
T ValueForSum(Values values, uint64_t bits, uint64_t i) {
  switch (values) {
    case Values::kFractions:
      return static_cast<T>(static_cast<double>((bits >> 40) + 1) * 0x1p-24);
    case Values::kEqual:
      return T(1);
    case Values::kStairs:
      return T(1 + static_cast<int32_t>(i / 32 % 13));
    case Values::kAlternating:
      return i % 2 == 0 ? T(1024) : T(-1024);
    case Values::kNegative:
      return T(-1 - static_cast<int32_t>(bits % 15));
    default:
      return T(SmallInteger(bits));
  }
}

template <typename T>
T ValueForMax(Values values, uint64_t bits, uint64_t i, uint64_t n) {
  switch (values) {
    case Values::kRandom:
      return static_cast<T>(static_cast<int32_t>(bits >> 32));
    case Values::kFractions:
      return static_cast<T>(static_cast<double>((bits >> 40) + 1) * 0x1p-24);
    case Values::kEqual:
      return T(-5);
    case Values::kStairs:
      return static_cast<T>(-static_cast<int64_t>(n - i));
    case Values::kAlternating:
      return i % 2 == 0 ? T(1024) : T(-1024);
    case Values::kNegative:
      return T(-1 - static_cast<int32_t>(bits % 1'000'000));
    default:
      return T(SmallInteger(bits));
  }
}

std::optional<uint64_t> PeakPosition(Values values, uint64_t seed, uint64_t n) {
  if (n == 0) return std::nullopt;
  switch (values) {
    case Values::kPeakFirst:
      return 0;
    case Values::kPeakLast:
      return n - 1;
    case Values::kPeakInside:
      return lab::Noise(seed, ~uint64_t{0}) % n;
    default:
      return std::nullopt;
  }
}

template <typename T>
void DrawAs(const Problem& p, uint64_t seed, T* all) {
  const Operation operation = p.variant.operation;
  const Values values = p.values;
  const size_t n = p.n;
  T* const out = all + p.front;
  std::fill(all, out, FenceValue<T>(operation));
  std::fill(out + n, out + n + p.back, FenceValue<T>(operation));
  if (operation == Operation::kSum && values == Values::kRandom) {  // by far the most, gigabytes, is this
    lab::FillFromNoise(n, seed, out, [](uint64_t, uint64_t bits) { return SmallInteger(bits); });
  } else if (operation == Operation::kSum) {
    lab::FillFromNoise(n, seed, out, [values](uint64_t i, uint64_t bits) { return ValueForSum<T>(values, bits, i); });
  } else {
    lab::FillFromNoise(n, seed, out,
                       [values, n](uint64_t i, uint64_t bits) { return ValueForMax<T>(values, bits, i, n); });
  }
  if (const auto peak = PeakPosition(values, seed, n)) out[*peak] = T(kPeak);
}

}  // namespace

// The rows stand in the order of the enumerators; values_test.cc compares them.
const ValuesInfo& Info(Values values) { return kAllValues[static_cast<size_t>(values)]; }

void DrawInput(const Problem& p, uint64_t seed, void* to) {
  switch (p.variant.element) {
    case Element::kInt:
      return DrawAs(p, seed, static_cast<int32_t*>(to));
    case Element::kFloat:
      return DrawAs(p, seed, static_cast<float*>(to));
    case Element::kDouble:
      return DrawAs(p, seed, static_cast<double*>(to));
  }
}

}  // namespace lab1
