// Why an answer is wrong, as far as the numbers tell: a last warp left out, a fence read, a wrong neutral element.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "labs/lab1/layout.h"
#include "labs/lab1/reference.h"

namespace warpgrade::lab1 {

// A reduction gone wrong. `input` is d_in[0 .. n); `allowed` is how far from expected.value is still right.
template <typename T>
struct WrongAnswer {
  Operation operation = Operation::kSum;
  std::span<const T> input;
  T got{};
  Expected expected;
  double allowed = 0;
};

// The end of a sentence, such as "as if the last 232 elements were left out", or "" when nothing fits. It names what
// the answer looks like, which need not be what happened. REQUIRES: T is int32_t, float or double.
template <typename T>
std::string Diagnose(const WrongAnswer<T>& wrong);

// "499200", "-0.1171875", "nan": enough digits to tell any two values apart.
std::string Print(int32_t value);
std::string Print(float value);
std::string Print(double value);

}  // namespace warpgrade::lab1
