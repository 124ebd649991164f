// The arithmetic of timing: pure functions, apart from the loop that takes the samples (throughput.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

// Linear interpolation between the order statistics: Quantile(v, 0.5) is the median. REQUIRES: values is not empty,
// 0 <= q <= 1.
double Quantile(std::vector<double> values, double q);
double Median(const std::vector<double>& values);

// The mean of the smaller half of them, the middle one included. What disturbs a call makes it longer, never shorter:
// of ten gradings in a row this differs less than their medians do. REQUIRES: values is not empty.
double FasterHalf(std::vector<double> values);

// The mean of the middle half of them. Of ratios of two times that were taken one right after the other: what disturbs
// either is as likely, and what makes both slower for seconds is in neither. REQUIRES: values is not empty.
double MiddleHalf(std::vector<double> values);

// Half the inter-quartile range; and as a percentage of the median, the spread that reports print. 0 for one value.
double HalfInterquartileRange(const std::vector<double>& values);
double SpreadPercent(const std::vector<double>& values);

// The standard error of the mean as a percentage of the mean. Infinite for fewer than two values.
double StandardErrorPercent(const std::vector<double>& values);

// A throughput at which points change.
struct ThroughputEdge {
  double at = 0;
  bool share = false;  // of the ceiling; otherwise in the measurement's unit
};

// Where a speed a little higher or lower is worth other points.
std::vector<ThroughputEdge> EdgesOf(const config::ThroughputScale& scale);

// When to stop taking samples, and which empty calls are fit to be subtracted.
struct TimingRule {
  // A sample is as many calls, carried out and timed as one, as take this long: what the judge's clock adds varies by
  // some microseconds between samples, on an H200's host, and by up to 15 between workers.
  double sample_ns = 2'000'000;
  int max_calls = protocol::kMaxCalls;
  int min_samples = 10;
  int max_samples = 100;
  double standard_error_percent = 0.5;
  int64_t budget_ns = 10'000'000'000;  // of wall time; min_samples are taken all the same
  // An H200's empty calls take 150 us, give or take 2.
  double max_overhead_ns = 1'000'000;
  double max_overhead_spread_ns = 50'000;  // half the inter-quartile range
  // A delivery that takes so much longer, and a hundredth of itself, was held up: two contexts that take turns cost 300
  // us. Of 583 of honest rungs on an H200, of 1.2 to 4.3 ms, the longest took 71 us more than its session's shortest.
  double disturbance_ns = 100'000;
  // Samples are taken again when the two clocks disagree: a restless machine may set them apart, a lie does so again.
  int attempts = 2;
  // So near to one of these, or within the spread, the rung is timed again in fresh workers, up to `max_workers` times
  // `workers` of them altogether; then all samples count.
  std::vector<ThroughputEdge> edges;
  double edge_share = 0.01;
  int workers = 1;  // whose samples are taken in any case, each as many as this rule wants
  int max_workers = 3;
};
// The rule for shares of the solution's speed: each sample is a pair, the solution's time and the student's. Calls
// whose time is the host's differ by several percent from one to the next, so it takes hundreds of pairs; and on some
// hosts by half a percent or more between two processes of the same program, so it takes many workers (of either), each
// for a part of the time.
TimingRule InPairs(TimingRule rule);
bool EnoughSamples(const std::vector<double>& times_ns, int64_t elapsed_ns, const TimingRule& rule);

// How many calls one sample is, when a call takes `call_ns`.
int CallsOfASample(double call_ns, const TimingRule& rule);

// True when `value`, `spread_percent` of it give or take, cannot be told from a throughput at which points change.
bool IsNearAnEdge(double value, double spread_percent, std::optional<double> ceiling, const TimingRule& rule);

// True when the last three of at least four times agree within 2%: the clocks have settled.
bool IsSteady(const std::vector<double>& times_ns);

// What an empty call cost beyond its kernel, which was to take `busy_ns`, in nanoseconds. The kernel's time is the
// worker's word, so it counts as no less than that, and as no more than such a kernel can take beyond it.
double OverheadOf(double empty_wall_ns, double empty_event_ns, double busy_ns);

// What one call costs the judge's clock beyond the student's work: the faster half of empty calls. nullopt when they
// are too long or too far apart to be subtracted from anything.
std::optional<double> CallOverhead(const std::vector<double>& empty_call_ns, const TimingRule& rule);

// True when the last of these times (how long the judge's own work on the GPU took, the same each time) stands out from
// the shortest: someone else was at work there. The first never does. In each the judge took `turns` turns beside work
// on the host, which all differ by some microseconds.
bool IsDisturbed(const std::vector<double>& times_ns, int turns, const TimingRule& rule);

// True when these times are longer throughout than the same work took when nobody could be at work beside it.
bool IsHeldUp(const std::vector<double>& times_ns, const std::vector<double>& undisturbed_ns, int turns);

// `overhead_ns`, but no more than what was measured before the student's program ran at all allows: a program that
// keeps the machine busy between its calls would be given what that costs the empty ones.
double BoundedOverhead(double overhead_ns, double overhead_alone_ns);

// The device copy's bandwidth, but not much less than `alone`, what it was while no student's worker was there: one
// that keeps the GPU busy would seem to reach a larger share of it.
double BoundedCeiling(double ceiling_gb_s, double alone_gb_s);

// True when the solution took longer while the student's worker was there (standing still) than it did without: then
// something of the student's was at work.
bool IsSlowedDown(const std::vector<double>& times_ns, const std::vector<double>& alone_ns);

// A call's time with what the worker may have left running when it said Done: `wall_ns`, and what collecting the
// outputs then took longer than after an empty call. An honest call's collecting takes a few microseconds longer, too
// (the caches and the clocks are others): those are not counted, and are what a lie gains at most.
double WithCollecting(double wall_ns, double collecting_ns, double collecting_after_empty_ns);

// The student's time: wall minus overhead, but at least a nanosecond.
double WithoutOverhead(double wall_ns, double overhead_ns);

// "12.3 us".
std::string Microseconds(double ns);

// "" when the judge's time and the worker's own event time, both of one call out of `calls` that were timed as one,
// agree within 5% + 10 us of all of them; otherwise a sentence with both. `event_ns` < 0: the worker gave none, which
// is a disagreement too.
std::string Disagreement(double judge_ns, double event_ns, int calls);

}  // namespace warpgrade::judge
