// Finds round numbers for thresholds.
#pragma once

#include <optional>
#include <vector>

namespace warpgrade::calibrate {

struct Interval {
  double low = 0, high = 0;
};

struct RoundNumber {
  double value = 0;
  bool is_clear = false;  // it lies in none of the intervals
};

// A number from `range` near `wanted` and outside of `taken`, as round as it can be: with two significant digits, or
// with a third one that is 5, or with any third one. A rounder number may be farther by the share `near` from `wanted`.
// If all numbers lie in intervals, it is the one that is nearest to being outside. nullopt: the range has no such
// number.
std::optional<RoundNumber> FindRoundNumber(Interval range, double wanted, const std::vector<Interval>& taken,
                                           double near = 0.025);

}  // namespace warpgrade::calibrate
