// Tests: tests/judge/cross_checks_test.cc.
#include "grader/judge/cross_checks.h"

#include <algorithm>
#include <cmath>

#include "grader/judge/clock_arithmetic.h"
#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

// How much longer than the shortest a delivery may take, in addition to TimingRule::disturbance_ns. Long deliveries
// vary in proportion to their length.
constexpr double kDisturbedShare = 0.01;
// How far the median delivery may be above the median without the student's worker. On an H200 the medians of honest
// rungs were from 31 us shorter to 3 us longer, and with host arrays up to 60 us longer.
constexpr double kHeldUpShare = 0.01;
constexpr double kHeldUpNs = 50'000;
// How much slower the solution may be beside a student's worker that stands still. On an H200, ten workers of honest
// lab0 v5 had -7% to 1%. The check looks at all workers of a grading together.
constexpr double kSlowedDownShare = 0.15;
constexpr double kSlowedDownQuantiles[] = {0.25, 0.5, 0.75};
// How much the judge's clock and the worker's events may differ. On an H200, honest rungs stayed within 0.7%, and the
// clock within 18 us of a sample of 2 ms.
constexpr double kAgreementShare = 0.05;
constexpr double kAgreementNs = 10'000;

}  // namespace

bool IsDisturbed(const std::vector<double>& times_ns, double slack_ns, const TimingRule& rule) {
  if (times_ns.empty()) return false;
  const double shortest = *std::min_element(times_ns.begin(), times_ns.end());
  return times_ns.back() > (1 + kDisturbedShare) * shortest + rule.disturbance_ns + slack_ns;
}

bool IsHeldUp(const std::vector<double>& times_ns, const std::vector<double>& undisturbed_ns, double slack_ns) {
  if (times_ns.empty() || undisturbed_ns.empty()) return false;
  return Median(times_ns) > (1 + kHeldUpShare) * Median(undisturbed_ns) + kHeldUpNs + slack_ns;
}

std::string HeldUpDeliveries(const std::vector<double>& deliveries_ns, const std::vector<double>& alone_ns,
                             double slack_ns) {
  if (!IsHeldUp(deliveries_ns, alone_ns, slack_ns)) return "";
  return "copying the inputs into place took " + Microseconds(Median(deliveries_ns)) +
         " while the program was waiting for its call and " + Microseconds(Median(alone_ns)) +
         " without the program: does it use the GPU before it is called?";
}

bool IsSlowedDown(const std::vector<double>& times_ns, const std::vector<double>& alone_ns) {
  if (times_ns.empty() || alone_ns.empty()) return false;
  // The score comes from the middle half of all pairs, so no part of it may be slowed down.
  return std::any_of(std::begin(kSlowedDownQuantiles), std::end(kSlowedDownQuantiles), [&](double q) {
    return Quantile(times_ns, q) > (1 + kSlowedDownShare) * Quantile(alone_ns, q) + kHeldUpNs;
  });
}

std::string SlowedSolution(const std::vector<double>& times_ns, const std::vector<double>& alone_ns) {
  if (!IsSlowedDown(times_ns, alone_ns)) return "";
  return "the course's solution took " + Microseconds(Median(times_ns)) + " while the program was stopped and " +
         Microseconds(Median(alone_ns)) + " without the program: does the program leave work on the GPU?";
}

std::string Disagreement(double judge_ns, double event_ns, int calls) {
  if (event_ns < 0) return "the worker gave no event time to compare the grader's " + Microseconds(judge_ns) + " with";
  if (std::abs(judge_ns - event_ns) <= kAgreementShare * std::max(judge_ns, event_ns) + kAgreementNs / calls) return "";
  return "for one call, the grader's clock measured " + Microseconds(judge_ns) + " but the worker's events measured " +
         Microseconds(event_ns);
}

}  // namespace warpgrade::judge
