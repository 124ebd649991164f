// Checks that a measured time can be trusted. Each compares a time with the same work done under other conditions: an
// earlier delivery, a delivery without the student's worker, the worker's own events. Pure functions; times are in
// nanoseconds. A check that fails gives a sentence for the report; an empty sentence means that it passed.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/timing_rule.h"

namespace warpgrade::judge {

// True when the last of `times_ns` is clearly longer than the shortest. All are times of the same work of the judge on
// the GPU, so something else used the GPU during the last one. False for the first time, because nothing was measured
// before it. `slack_ns`: by how much such a time varies by chance because of host arrays (delivery.h).
bool IsDisturbed(const std::vector<double>& times_ns, double slack_ns, const TimingRule& rule);

// True when the median of `times_ns` is clearly longer than the median of `undisturbed_ns`: the same work, done when no
// student's program existed. `slack_ns` as for IsDisturbed.
bool IsHeldUp(const std::vector<double>& times_ns, const std::vector<double>& undisturbed_ns, double slack_ns);

// IsHeldUp of the deliveries of inputs, as a sentence with both medians.
std::string HeldUpDeliveries(const std::vector<double>& deliveries_ns, const std::vector<double>& alone_ns,
                             double slack_ns);

// True when the solution took longer while the student's worker existed, although it was stopped, than after this
// worker had ended. Then the student's program had left work on the GPU. False when either list is empty.
bool IsSlowedDown(const std::vector<double>& times_ns, const std::vector<double>& alone_ns);

// IsSlowedDown as a sentence with both times.
std::string SlowedSolution(const std::vector<double>& times_ns, const std::vector<double>& alone_ns);

// A sentence with both times when the judge's time and the worker's event time differ by more than 5% + 10 us. Both are
// times of one call out of `calls` that were timed as one; the 10 us are for all of them. `event_ns` < 0 means that the
// worker gave none, which counts as a disagreement.
std::string Disagreement(double judge_ns, double event_ns, int calls);

}  // namespace warpgrade::judge
