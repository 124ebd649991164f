// Plays a student for the tests of lab1's judge: draws a case's input, lets a function answer, and asks for the
// verdict.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/layout.h"
#include "labs/lab1/values.h"

namespace lab1 {

using warpgrade::Case;
using warpgrade::CaseSet;
using warpgrade::Lab1;
using warpgrade::Random;

inline Case MakeTestCase(Variant variant, Values values, uint64_t n, uint64_t front = 0, uint64_t back = 0) {
  Case c;
  c.name = "the case";
  c.variant = VariantNumber(variant);
  c.sizes = {n, front, back};
  c.pattern = static_cast<uint32_t>(values);
  c.elements = n;
  return c;
}

// The verdict on `answer`, which gets the whole input buffer (fences and all) as T. The input is drawn from `seed`.
// REQUIRES: T fits the case's variant.
template <typename T>
std::optional<warpgrade::Mismatch> VerdictOn(const Case& c, const std::function<T(std::span<const T>)>& answer,
                                             uint64_t seed = 7) {
  Random random(seed);
  const auto specs = Lab1().Buffers(c);
  std::vector<std::byte> in(specs[kInBuffer].bytes), out(specs[kOutBuffer].bytes, warpgrade::kPoison);
  Lab1().DrawInput(c, kInBuffer, random, in);
  const T got = answer({reinterpret_cast<const T*>(in.data()), in.size() / sizeof(T)});
  std::memcpy(out.data(), &got, sizeof got);
  const std::span<const std::byte> buffers[kBuffers] = {in, out, {}};
  return Lab1().Check(c, buffers);
}

inline std::string MessageOf(const std::optional<warpgrade::Mismatch>& mismatch) {
  return mismatch ? mismatch->message : "right";
}

}  // namespace lab1
