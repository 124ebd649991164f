// How the judge turns clock readings into the time of one call: the cost of an empty call is subtracted, and each
// measured correction is bounded so that a student's program cannot profit from it. Pure functions; the loop that reads
// the clock is in timing_session.cc, the empty calls are in empty_calls.cc. All times are in nanoseconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/timing_rule.h"

namespace warpgrade::judge {

// The cost of an empty call beyond its kernel, which was asked to run for `busy_ns`. `empty_event_ns` is the kernel's
// time by the worker's events. The worker is not trusted, so the event time counts as at least `busy_ns` and at most a
// little more than that. Negative `empty_event_ns`: the worker gave none.
double OverheadOf(double empty_wall_ns, double empty_event_ns, double busy_ns);

// The overhead of a call: the mean of the faster half of `empty_call_ns` (overheads by OverheadOf). nullopt when that
// is too long or varies too much to be subtracted from anything.
std::optional<double> CallOverhead(const std::vector<double>& empty_call_ns, const TimingRule& rule);

// `overhead_ns`, but not much more than `overhead_alone_ns`, the overhead before the student's program ran. Without the
// bound, a program could keep the machine busy between its calls. Then empty calls would take longer, and too much
// would be subtracted from the program's time.
double BoundedOverhead(double overhead_ns, double overhead_alone_ns);

// The bandwidth of a device copy, but not much less than `alone_gb_s`, the bandwidth before the student's worker was
// there. Without the bound, a program that keeps the GPU busy would seem to reach a larger share of the bandwidth.
double BoundedCeiling(double ceiling_gb_s, double alone_gb_s);

// The time of a call together with any work that the worker left running when it said Done. Such work makes collecting
// the outputs take longer than after an empty call, and the difference is added to `wall_ns`. After an honest call,
// collecting also takes a few microseconds longer, because caches and clocks differ. These microseconds are not
// counted, so they are the most that a worker can gain by answering early.
double WithCollecting(double wall_ns, double collecting_ns, double collecting_after_empty_ns);

// How much longer the delivery of a call's inputs took than one that nobody delayed. This is added to the call's time:
// whoever fetches inputs from host memory during the delivery delays it by about the time that this saves.
double DelayOf(double delivery_ns, double undelayed_ns);

// The student's time: `wall_ns` minus `overhead_ns`, but at least 1 ns.
double WithoutOverhead(double wall_ns, double overhead_ns);

// "12.3 us".
std::string Microseconds(double ns);

}  // namespace warpgrade::judge
