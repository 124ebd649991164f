// Tests: tests/judge/statistics_test.cc.
#include "grader/judge/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grader/result/result.h"

namespace warpgrade::judge {

double Quantile(std::vector<double> values, double q) {
  WARPGRADE_CHECK(!values.empty() && q >= 0 && q <= 1);
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

double Median(const std::vector<double>& values) { return Quantile(values, 0.5); }

double FasterHalf(std::vector<double> values) {
  WARPGRADE_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t half = (values.size() + 1) / 2;
  return std::accumulate(values.begin(), values.begin() + static_cast<ptrdiff_t>(half), 0.0) /
         static_cast<double>(half);
}

double MiddleHalf(std::vector<double> values) {
  WARPGRADE_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t cut = values.size() / 4;
  return std::accumulate(values.begin() + static_cast<ptrdiff_t>(cut), values.end() - static_cast<ptrdiff_t>(cut),
                         0.0) /
         static_cast<double>(values.size() - 2 * cut);
}

double HalfInterquartileRange(const std::vector<double>& values) {
  return 0.5 * (Quantile(values, 0.75) - Quantile(values, 0.25));
}

double SpreadPercent(const std::vector<double>& values) {
  const double median = Median(values);
  return median == 0 ? 0 : 100 * HalfInterquartileRange(values) / median;
}

double StandardErrorPercent(const std::vector<double>& values) {
  if (values.size() < 2) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return 100 * std::sqrt(squares / (n - 1) / n) / mean;
}

}  // namespace warpgrade::judge
