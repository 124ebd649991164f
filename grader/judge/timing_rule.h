// When a timing session stops: how many calls make a sample, how many samples and workers are enough. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/config/course.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

// A throughput at which the points change.
struct ThroughputEdge {
  double at = 0;
  bool share = false;  // true: `at` is a share of the ceiling; false: it is in the measurement's unit
};

// The throughputs of a scale at which a little more or less speed gives different points.
std::vector<ThroughputEdge> EdgesOf(const config::ThroughputScale& scale);

// The numbers that control a timing session. "H200" names the machine on which a number was measured (BENCHMARKS.md).
struct TimingRule {
  // A sample has enough calls, carried out and timed as one, to take this long. The judge's clock adds an error that
  // varies by some microseconds between samples and by up to 15 between workers (H200): under 1% of 2 ms.
  double sample_ns = 2'000'000;
  // Chosen: calls of 0.25 ms, the shortest that the labs time, then make a sample of this length.
  int max_calls = 8;  // at most protocol::kMaxCalls
  // Chosen, not measured: with fewer than 10 samples, a quartile is one or two samples. 100 samples bound the time of a
  // rung that never becomes steady.
  int min_samples = 10;
  int max_samples = 100;
  // Chosen: most rungs reach it with 10 to 20 samples. With 0.5, and so 10 samples, 40 gradings of one program beside
  // others that used all cores (H200) differed by 1.8%.
  double standard_error_percent = 0.15;
  // Wall time of one session's samples; min_samples are taken even beyond it. Chosen: most rungs reach the
  // standard error in less, and a GPU grades one rung at a time.
  int64_t budget_ns = 1'000'000'000;
  // For long calls. A session stops when its timed calls took `long_calls_ns` together and are at least long_samples,
  // or when they took `most_calls_ns`. Its warm-up stops when two calls in a row that are about equal took
  // `warm_calls_ns`, or when all took `most_warm_ns`. Chosen: such a call is far slower than every threshold, and two
  // calls differ by less than 0.1% (H200), so more samples would only hold up the GPU. Without this rule, a call of 7 s
  // held it for 101 s, and one of 0.28 s (lab3 v1) for 4.7 s. A program whose first call alone is slow is warmed up on.
  double long_calls_ns = 0.75e9, most_calls_ns = 20e9, warm_calls_ns = 0.25e9, most_warm_ns = 5e9;
  int long_samples = 3;
  // An empty call whose overhead is above this cannot be subtracted from a call. An H200's overhead is 150 us, so 1 ms
  // leaves room for slower hosts.
  double max_overhead_ns = 1'000'000;
  // The same for half the inter-quartile range of empty calls. On an H200 it is 2 us.
  double max_overhead_spread_ns = 50'000;
  // A delivery of inputs was held up if it takes longer than the shortest delivery by more than this and 1%. Two
  // contexts that take turns on a GPU cost 300 us. Of 583 deliveries before honest calls on an H200 (1.2 to 4.3 ms),
  // the longest took 71 us more than the shortest one of its session.
  double disturbance_ns = 100'000;
  // How often all samples are taken, at most, while the judge's clock and the worker's events disagree. A disturbed
  // machine may cause a disagreement once; a worker that reports false times causes it again.
  int attempts = 2;
  // A rung whose throughput lies this near to an edge (or within its own spread) is timed again in fresh workers, and
  // all samples count. edge_share: ten gradings of one program differ by less than this (H200).
  std::vector<ThroughputEdge> edges;
  double edge_share = 0.01;
  int workers = 1;      // workers that are always timed; each takes as many samples as this rule wants
  int max_workers = 3;  // near an edge, up to max_workers * workers are timed
};

// The rule for pairs, where each sample is the solution's time and the student's (share_of_solution). Calls whose time
// is spent on the host vary by several percent, so hundreds of pairs are needed. On some hosts two processes of the
// same program differ by half a percent, so many workers of each program are timed, each for a part of the time.
TimingRule InPairs(TimingRule rule);

// The rule for a rung whose samples are `length` times as long (Lab::SampleLength). Half as many are enough, because
// each has less of the clock's error. REQUIRES: length > 0.
TimingRule InLongSamples(TimingRule rule, int length);

// True when no more samples are needed. `values` are those taken so far, in `elapsed_ns` of wall time; their timed
// calls took `called_ns` together.
bool EnoughSamples(const std::vector<double>& values, int64_t elapsed_ns, double called_ns, const TimingRule& rule);

// True when warm-up calls that took `times_ns` are enough: they are steady, or took seconds.
bool IsWarm(const std::vector<double>& times_ns, const TimingRule& rule);

// The number of calls in a sample when one call takes `call_ns`; from 1 to rule.max_calls.
int CallsOfASample(double call_ns, const TimingRule& rule);

// True when `value`, with an uncertainty of `spread_percent`, may lie on either side of an edge. An edge that is a
// share counts only when there is a ceiling.
bool IsNearAnEdge(double value, double spread_percent, std::optional<double> ceiling, const TimingRule& rule);

// True when the last three of at least four times agree within 2%: caches and clocks have settled.
bool IsSteady(const std::vector<double>& times_ns);

}  // namespace warpgrade::judge
