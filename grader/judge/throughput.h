// How fast a rung is on a GPU, by the judge's own clock. Every timed call has fresh inputs, and its outputs are
// checked.
#pragma once

#include <functional>

#include "grader/judge/correctness.h"
#include "grader/judge/empty_calls.h"
#include "grader/judge/timed_samples.h"
#include "grader/judge/timing_rule.h"

namespace warpgrade::judge {

// Times one worker of the student's on the lab's throughput case, as often as `rule` says. Adds to `samples`, and fills
// measurement->throughput from all samples in it. The ceiling is the bandwidth of device copies between the samples, or
// the speed of the solution. `calibrator` is on the same device. What the GPU's driver reported meanwhile is kept with
// the times, but decides nothing.
//
// The case counts as one more case of the rung, unless there were samples before; a wrong output fails it. On a device
// whose times mean nothing (the emulator), throughput is "not measured", with the reason.
//
// REQUIRES: nobody else uses the GPU meanwhile. Errors: as RunCases, and a calibrator that ends.
Status MeasureThroughput(const RungContext& context, const Calibrator& calibrator, const TimingRule& rule,
                         TimedSamples* samples, score::RungMeasurement* measurement);

// Times one worker after the other, each by `time_one`, which adds to `samples` and fills `measurement`: rule.workers
// of them, and more while another worker's samples could change the points. Up to two that were disturbed have another
// one in their place, if this does not take long. A third ends the timing; what was measured before counts if as many
// workers were timed as the rule wants. A rung that fails or cannot be timed for other reasons gets no further worker.
// Finally calls FlagSlowedSolution. Errors: those of `time_one`.
Status TimeWorkers(const TimingRule& rule, const std::function<Status()>& time_one, const TimedSamples& samples,
                   score::RungMeasurement* measurement);

// True when another worker's samples could change the points: the rung was timed, and lies near an edge.
bool IsUndecided(const score::RungMeasurement& measurement, const TimingRule& rule);

// Flags a measurement if the solution was slow while the student's program existed. REQUIRES: the samples of all
// workers are in; a single worker of the solution may take a third longer by chance.
void FlagSlowedSolution(const TimedSamples& samples, score::ThroughputMeasurement* measured);

}  // namespace warpgrade::judge
