// One timing session: one student's worker, one case, one set of buffers. MeasureThroughput (throughput.cc) calls the
// steps in the order below and decides how many samples are taken.
//
//   Prepare -> (StartAgain -> TakeSample until there are enough) until the clocks agree -> CompareWithItGone
//
// Every step ends the session with the reason, or goes on (timing_end.h).
#pragma once

#include <string>
#include <vector>

#include "grader/judge/call_batch.h"
#include "grader/judge/correctness.h"
#include "grader/judge/delivery.h"
#include "grader/judge/empty_calls.h"
#include "grader/judge/timed_samples.h"
#include "grader/judge/timed_workers.h"
#include "grader/judge/timing_end.h"
#include "grader/judge/timing_rule.h"

namespace warpgrade::judge {

class TimingSession {
 public:
  // `batch` has the buffers of one call of `c`, in context.session's worker. All outlive this. REQUIRES: the device has
  // a throughput side, and `calibrator` is on it.
  TimingSession(const RungContext& context, const Calibrator& calibrator, const Case& c, CallBatch& batch,
                const TimingRule& rule);

  // Warms the student's worker up, decides how many calls are timed as one, takes a first set of empty calls, and warms
  // the solution up where there is one.
  TimingStatus Prepare();

  // Forgets the samples, not the empty calls.
  void StartAgain();

  // Adds a sample to samples(). Adds none when somebody else used the GPU meanwhile; after too many of those, the
  // session ends.
  TimingStatus TakeSample();

  // Ends the student's worker. Then delivers inputs and calls the solution a few times more, for the checks that
  // compare times with and without the worker (cross_checks.h). Returns why the deliveries were held up, or "". The
  // session cannot be used afterwards.
  TimingResult<std::string> CompareWithItGone();

  const TimedSamples& samples() const { return samples_; }

 private:
  // All calls of a sample, by one worker.
  struct Turn {
    double wall_ns = 0, event_ns = 0, delivery_ns = 0;
    std::optional<GpuReading> gpu;
    bool disturbed = false;
  };
  // Whether the outputs of a turn are checked.
  enum class Checks { kNo, kYes };

  TimingStatus WarmUp();
  TimingStatus SizeSamples();
  TimingStatus WarmUpSolution();
  Checks ChecksOfSolution();  // drawn
  TimingResult<Turn> TakeTurn(Session& worker, Checks checks);
  TimingStatus BringUpToSpeed(Session& worker);
  TimingResult<Session::Answer> DeliverAndCall(Session& worker, Checks checks);
  TimingStatus Verify(const Session& worker);
  EmptyCalls::Kind EmptyCallKind() const;
  // By how much the delivery of a turn was delayed.
  double DelayNs(const Turn& turn) const;
  // `most_delay_ns`: what a delay adds to the time at most.
  std::vector<double> TimesOfOneCall(const std::vector<Turn>& turns, double most_delay_ns) const;
  void SummariseTurns();

  const RungContext& context_;
  const TimingRule& rule_;
  const bool has_solution_;
  CallBatch& batch_;
  ThroughputDevice& gpu_;
  const TimedWorkers workers_;
  Delivery delivery_;
  EmptyCalls empty_calls_;
  double warm_call_ns_ = 0;                 // one call, by the judge's clock, once it was steady
  std::vector<double> deliveries_ns_;       // of all samples, those that did not count included
  std::vector<double> alone_ns_;            // of deliveries with the student's worker gone
  std::vector<Turn> students_, solutions_;  // one of each for each sample
  int disturbed_samples_ = 0;               // since StartAgain
  TimedSamples samples_;
};

}  // namespace warpgrade::judge
