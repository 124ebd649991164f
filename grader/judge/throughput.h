// How fast a rung is on a GPU, by the judge's own clock. Every timed call has fresh content and is checked.
#pragma once

#include <functional>
#include <vector>

#include "grader/judge/correctness.h"
#include "grader/judge/gpu_telemetry.h"
#include "grader/judge/timing.h"

namespace warpgrade::judge {

// Samples of one case.
struct TimedSamples {
  std::vector<double> judge_ns;       // of one call, without its overhead
  std::vector<double> event_ns;       // of one call, the worker's own; -1 where it gave none
  std::vector<double> ceilings_gb_s;  // device copy
  // As judge_ns, of the course's solution: one for each sample, and some with the student's program gone. Empty where
  // it is not timed.
  std::vector<double> solution_ns, solution_alone_ns;
  std::vector<GpuReading> gpu;  // one for each sample, where the driver tells
  int calls = 1;                // that were timed as one
};

// The grader's own worker: its empty calls are timed, and where the course's solution is linked into it, that is timed
// in turns with the student's.
struct Calibrator {
  Session& session;
  // What an empty call costs while no student's worker is there, and what one costs to a worker that stands still.
  double overhead_alone_ns = 0, overhead_alone_paused_ns = 0;
  double copy_alone_gb_s = 0;  // and how fast the GPU copies then
  bool is_solution = false;
};

// Measures that. REQUIRES: no student's worker is there, and no one else uses the GPU. Errors: CalibratorEnded, or the
// GPU's.
Result<Calibrator> Calibrate(Session& session, ThroughputDevice& gpu);

// Runs the lab's throughput case as often as `rule` wants, adds to `samples` and fills measurement->throughput from all
// that are in them: their faster half, spread, samples, and as ceiling the copy bandwidth that was measured between the
// samples, or the speed of the solution. `calibrator` is on the same device. The case counts as one more case of the
// rung, unless there were samples before; a sample with a wrong output fails it. On a device without a clock worth
// reading: "not measured", with the reason. REQUIRES: no one else uses the GPU meanwhile. Errors: as RunCases, and a
// calibrator that ends. What the GPU did meanwhile is kept beside the time, where its driver tells; it decides nothing.
Status MeasureThroughput(const RungContext& context, const Calibrator& calibrator, const TimingRule& rule,
                         TimedSamples* samples, score::RungMeasurement* measurement);

// Flags a measurement beside a solution that was slow as long as the student's program was there. To be asked when all
// samples are in: from one worker to the next the solution, too, may take a third longer.
void FlagSlowedSolution(const TimedSamples& samples, score::ThroughputMeasurement* measured);

// Times one worker after the other, each by `time_one`, which adds to `samples` and fills in `measurement`: as many as
// the rule wants, and more as long as another's samples could change the points. A rung that fails or cannot be timed
// has no next one. Then FlagSlowedSolution. Errors: `time_one`'s.
Status TimeWorkers(const TimingRule& rule, const std::function<Status()>& time_one, const TimedSamples& samples,
                   score::RungMeasurement* measurement);

// True when another worker's samples could change the points: it was timed, and lies near an edge.
bool IsUndecided(const score::RungMeasurement& measurement, const TimingRule& rule);

// The error that says so. kMachine.
Status CalibratorEnded(const WorkerEnd& end);

// The throughput of samples of case `c` that are all in: GFLOP/s of c.flops, or where there are none GB/s of
// c.bytes_moved. Pure. REQUIRES: times and ceilings are not empty.
score::ThroughputMeasurement Summarise(const TimedSamples& samples, const Case& c);

// The measurement where time means nothing.
score::ThroughputMeasurement NotMeasured(const std::string& reason);

}  // namespace warpgrade::judge
