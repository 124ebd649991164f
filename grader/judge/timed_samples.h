// The samples of a timing, and the measurement that is made from them. Pure.
#pragma once

#include <vector>

#include "grader/judge/gpu_telemetry.h"
#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// Samples of one case, of one worker or of several one after the other. Times are in nanoseconds.
struct TimedSamples {
  std::vector<double> judge_ns;       // of one call, without its overhead
  std::vector<double> event_ns;       // of one call, by the worker's own events; -1 where it gave none
  std::vector<double> ceilings_gb_s;  // bandwidth of a device copy
  // Times of the course's solution, as judge_ns: one for each sample, and some after the student's program has ended.
  // Empty if the solution is not timed.
  std::vector<double> solution_ns, solution_alone_ns;
  std::vector<GpuReading> gpu;  // one for each sample, if the driver reports any
  int calls = 1;                // how many calls were timed as one
  int disturbed_workers = 0;    // which could not be timed because something else used the GPU; they have no samples
};

// Adds the samples of another worker. `calls` becomes the other's.
void Append(const TimedSamples& from, TimedSamples* to);

// The values that must agree from sample to sample: the student's times or, if the solution is timed too, the
// solution's times divided by the student's.
std::vector<double> ComparedValues(const TimedSamples& samples);

// How long the student's timed calls took together.
double CalledNs(const TimedSamples& samples);

// The throughput of all samples of case `c`: GFLOP/s of c.flops, or GB/s of c.bytes_moved where the case states no
// flops. Flagged when the judge's clock and the worker's events disagree. REQUIRES: times and ceilings are not empty.
score::ThroughputMeasurement Summarise(const TimedSamples& samples, const Case& c);

// Flags a measurement for this reason. An empty reason, and a measurement that is flagged already or was not measured,
// change nothing.
void Flag(const std::string& reason, score::ThroughputMeasurement* measured);

}  // namespace warpgrade::judge
