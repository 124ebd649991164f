// What the judge's parts of the labs have in common.
#pragma once

#include <cstddef>
#include <optional>
#include <random>

#include "grader/judge/lab.h"
#include "labs/support/explanation.h"

namespace lab {

static_assert(std::byte{kPoisonByte} == warpgrade::judge::kPoison);

// In [low, high], each as probable as any other.
inline size_t Uniform(warpgrade::judge::Random& random, size_t low, size_t high) {
  return std::uniform_int_distribution<size_t>(low, high)(random);
}

// A wrong answer as the judge reports it; nullopt stays nullopt.
inline std::optional<warpgrade::judge::Mismatch> MismatchOf(const std::optional<Explanation>& wrong) {
  if (!wrong) return std::nullopt;
  return warpgrade::judge::Mismatch{
      .index = wrong->index, .count = wrong->count, .got = wrong->got, .want = wrong->want, .message = wrong->message};
}

}  // namespace lab
