// Empty calls: what a call costs the judge's clock beyond the student's work. An empty call launches a kernel that does
// nothing for as long as a sample takes. Its cost beyond this kernel is the overhead of any call. Most of it is the
// time in which the GPU changes from one context to the other. The overhead is subtracted from every sample.
//
// Empty calls are timed in the calibrator, a worker of the grader's own. A student's worker could slow its empty calls
// down, and gain the difference. It could also keep the machine busy while the calibrator is timed. So the overhead
// that was measured before the student's worker existed limits the overhead that is subtracted (BoundedOverhead).
#pragma once

#include <cstdint>
#include <vector>

#include "grader/judge/delivery.h"
#include "grader/judge/session.h"
#include "grader/judge/timing_end.h"
#include "grader/judge/timing_rule.h"

namespace warpgrade::judge {

// The grader's own worker. If the course's solution is linked into it, the solution and the student's program are timed
// alternately.
struct Calibrator {
  Session& session;
  // The overhead of an empty call while no student's worker exists: for a calibrator that runs, and for one that is
  // stopped until the call (0: not measured). Nanoseconds.
  double overhead_alone_ns = 0, overhead_alone_paused_ns = 0;
  double copy_alone_gb_s = 0;  // the bandwidth of a device copy during that time
  bool is_solution = false;
};

// Measures the overheads and the bandwidth of a fresh calibrator. Only a rung with host arrays needs the overhead of
// one that is stopped. REQUIRES: no student's worker is there, and nobody else uses the GPU. Errors: CalibratorEnded,
// or the GPU's.
Result<Calibrator> Calibrate(Session& session, ThroughputDevice& gpu, bool has_host_arrays);

// The error for a calibrator that ended. kMachine.
Status CalibratorEnded(const WorkerEnd& end);

// The empty calls of one timing session.
class EmptyCalls {
 public:
  struct Kind {
    double busy_ns = 0;   // the time of a sample, for which the empty kernel keeps the GPU busy (at most 2 ms)
    double copy_ns = 0;   // the time of a delivery, for which the GPU copies before the call (at most 6 ms)
    bool paused = false;  // the calibrator is stopped until the call, as a worker with host arrays is
  };
  enum class Counts { kNo, kYes };

  // All outlive this.
  EmptyCalls(const Calibrator& calibrator, ThroughputDevice& gpu, Delivery& delivery)
      : calibrator_(calibrator), gpu_(gpu), delivery_(delivery) {}

  // Takes a first set of empty calls, and repeats it while they vary too much: the times of a GPU that has just woken
  // up are not steady. Ends the session (NotTimed) if they do not become steady.
  TimingStatus TakeFirst(const Kind& kind, const TimingRule& rule);

  // One more empty call, after one that wakes the calibrator up. Counts::kNo: it only wakes the machine up. Errors:
  // CalibratorEnded, or the GPU's.
  Status Take(const Kind& kind, Counts counts);

  // The overhead of a call of this kind, from all empty calls that counted. REQUIRES: there was one.
  double OverheadNs(bool paused) const;
  // How long collecting the outputs takes after an empty call: the median of the first set, or that of the later calls
  // if it is less. REQUIRES: as above.
  double CollectingNs() const;
  // The bandwidth of the last device copy, bounded by the calibrator's (BoundedCeiling).
  double CopyGbS() const;

 private:
  Status Copy(double long_ns);

  const Calibrator calibrator_;
  ThroughputDevice& gpu_;
  Delivery& delivery_;
  std::vector<double> overhead_ns_, collecting_ns_;
  double copy_gb_s_ = 0;  // the last
};

}  // namespace warpgrade::judge
