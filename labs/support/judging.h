// What the judge's parts of the labs have in common.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "grader/lab/lab.h"
#include "labs/support/explanation.h"

namespace lab {

static_assert(std::byte{kPoisonByte} == warpgrade::kPoison);

// In [low, high], each as probable as any other.
inline size_t Uniform(warpgrade::Random& random, size_t low, size_t high) {
  return std::uniform_int_distribution<size_t>(low, high)(random);
}

// whole - step * k, for a random k in [1, most]. A small step also draws sizes that leave a part of a block over.
inline size_t SlightlySmaller(warpgrade::Random& random, size_t whole, size_t step, size_t most) {
  return whole - step * Uniform(random, 1, most);
}

// What a lab's cases are made of.
template <typename Problem>
struct ProblemSets {
  std::function<std::vector<Problem>()> published;
  std::function<std::vector<Problem>()> hidden;  // called for no other set, since it uses up random numbers
  Problem technique, throughput;
  std::function<Problem()> other_size;  // of kTechnique; each rung must get about the same metrics for it
};

template <typename Problem>
std::vector<Problem> ProblemsOf(warpgrade::CaseSet set, const ProblemSets<Problem>& sets) {
  switch (set) {
    case warpgrade::CaseSet::kPublic:
      return sets.published();
    case warpgrade::CaseSet::kHidden:
      return sets.hidden();
    case warpgrade::CaseSet::kTechnique:
      return {sets.technique};
    case warpgrade::CaseSet::kOtherSize:
      return {sets.other_size()};
    case warpgrade::CaseSet::kThroughput:
      return {sets.throughput};
  }
  return {};
}

// A wrong answer as the judge reports it; nullopt stays nullopt.
inline std::optional<warpgrade::Mismatch> MismatchOf(const std::optional<Explanation>& wrong) {
  if (!wrong) return std::nullopt;
  return warpgrade::Mismatch{
      .index = wrong->index, .count = wrong->count, .got = wrong->got, .want = wrong->want, .message = wrong->message};
}

}  // namespace lab
