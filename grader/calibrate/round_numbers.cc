// Tests: tests/calibrate/round_numbers_test.cc.
#include "grader/calibrate/round_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace warpgrade::calibrate {
namespace {

constexpr double kFarthest = 20;  // a number is at most so many times `wanted`, and at least so small a part of it

// How deep `value` lies in an interval, as a share of it; 0: in none. A program at the upper end reaches the threshold
// and one below does not, so that end belongs to the interval.
double DepthOf(double value, const std::vector<Interval>& taken) {
  constexpr double kLeast = 1e-12;
  double depth = 0;
  for (const Interval& interval : taken) {
    if (value > interval.low && value <= interval.high) {
      depth = std::max({depth, kLeast, std::min(value - interval.low, interval.high - value) / value});
    }
  }
  return depth;
}

// The multiples of `grain` in the range, as whole numbers of it.
std::array<int64_t, 2> MultiplesIn(Interval range, double wanted, double grain) {
  const double tolerance = 1e-9;
  const double first = std::ceil(std::max(range.low, wanted / kFarthest) / grain - tolerance);
  const double last = std::floor(std::min(range.high, wanted * kFarthest) / grain + tolerance);
  return {static_cast<int64_t>(first), static_cast<int64_t>(last)};
}

}  // namespace

std::optional<RoundNumber> FindRoundNumber(Interval range, double wanted, const std::vector<Interval>& taken,
                                           double near) {
  if (!(range.high >= range.low) || !std::isfinite(range.high)) return std::nullopt;
  wanted = std::clamp(wanted, range.low, range.high);
  if (!(wanted > 0)) return std::nullopt;
  const int exponent = static_cast<int>(std::floor(std::log10(wanted))) - 1;
  const auto distance = [wanted](double value) { return std::abs(std::log(value / wanted)); };
  std::optional<RoundNumber> best;
  double least_depth = INFINITY;
  for (const int parts : {1, 2, 10}) {  // of a unit of the second digit
    // A decimal fraction is divided, because 5 * 0.01 is not 0.05.
    const double grain = std::pow(10.0, exponent) / parts;
    const auto [first, last] = MultiplesIn(range, wanted, grain);
    std::optional<RoundNumber> nearest;
    for (int64_t i = std::max<int64_t>(first, 1); i <= last; ++i) {
      const double value = exponent >= 0 ? static_cast<double>(i) * std::pow(10.0, exponent) / parts
                                         : static_cast<double>(i) / (std::pow(10.0, -exponent) * parts);
      const double depth = DepthOf(value, taken);
      if (depth > 0) {
        if (depth < least_depth && !(best && best->is_clear)) {
          least_depth = depth;
          best = RoundNumber{value, false};
        }
        continue;
      }
      if (!nearest || distance(value) < distance(nearest->value)) nearest = RoundNumber{value, true};
    }
    if (!nearest) continue;
    const bool is_nearer = !best || !best->is_clear || distance(nearest->value) < distance(best->value) - near;
    if (is_nearer) best = nearest;
    if (distance(best->value) <= near) break;
  }
  return best;
}

}  // namespace warpgrade::calibrate
