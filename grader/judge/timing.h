// The arithmetic of timing: pure functions, apart from the loop that takes the samples (throughput.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade::judge {

// Linear interpolation between the order statistics: Quantile(v, 0.5) is the median. REQUIRES: values is not empty,
// 0 <= q <= 1.
double Quantile(std::vector<double> values, double q);
double Median(const std::vector<double>& values);

// Half the inter-quartile range as a percentage of the median: the spread that reports print. 0 for one value.
double SpreadPercent(const std::vector<double>& values);

// The standard error of the mean as a percentage of the mean. Infinite for fewer than two values.
double StandardErrorPercent(const std::vector<double>& values);

// When to stop taking samples.
struct StoppingRule {
  int min_samples = 10;
  int max_samples = 100;
  double standard_error_percent = 0.5;
  int64_t budget_ns = 15'000'000'000;  // of wall time; min_samples are taken all the same
};
bool EnoughSamples(const std::vector<double>& times_ns, int64_t elapsed_ns, const StoppingRule& rule);

// True when the last three of at least four times agree within 2%: the clocks have settled.
bool IsSteady(const std::vector<double>& times_ns);

// What one call costs the judge's clock beyond the student's work: the median of empty calls. nullopt when they are
// too long or too far apart to be subtracted from anything (kMaxCallOverheadNs, kMaxOverheadSpreadPercent).
inline constexpr double kMaxCallOverheadNs = 1'000'000;
inline constexpr double kMaxOverheadSpreadPercent = 25;
std::optional<double> CallOverhead(const std::vector<double>& empty_call_ns);

// The student's time: wall minus overhead, but at least a nanosecond.
double WithoutOverhead(double wall_ns, double overhead_ns);

// "" when the judge's time and the worker's own event time agree within 5% + 10 us; otherwise a sentence with both.
// `event_ns` < 0: the worker gave none, which is a disagreement too.
std::string Disagreement(double judge_ns, double event_ns);

}  // namespace warpgrade::judge
