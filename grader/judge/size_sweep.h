// The throughput case of a rung from size to size, for `warpgrade plot`. It gives no points: nothing is compared with
// the GPU without the student's program (TimingSession::CompareWithItGone), and a size that cannot be timed is left
// out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "grader/judge/correctness.h"
#include "grader/judge/empty_calls.h"
#include "grader/judge/timing_rule.h"

namespace warpgrade::judge {

// Decides whether there is time for one more size.
class SweepClock {
 public:
  // `budget_ns` from now on; 0: as long as it takes.
  SweepClock(int64_t budget_ns, std::function<int64_t()> now_ns);

  // True if `elements` fit into the time that is left. A size takes at most as long as the next larger one took.
  bool HasTimeFor(uint64_t elements) const;
  // Measures how long one size takes.
  void Begin(uint64_t elements);
  void End();

 private:
  std::function<int64_t()> now_ns_;
  int64_t budget_ns_, start_ns_;
  uint64_t elements_ = 0;
  int64_t begin_ns_ = 0;
  std::map<uint64_t, int64_t> took_ns_;  // by elements
};

// The order in which sizes are timed: every second one from the largest down, then the others. When time runs out, the
// sizes that are done still span the whole range.
std::vector<uint64_t> SweepOrder(std::vector<uint64_t> sizes);

// `rule` for one size of a plot: fewer samples than a mark needs, and not more calls at once than are drawn quickly.
TimingRule RuleOfSize(TimingRule rule, const Case& c);

// Times one worker on each size by the judge's clock, as MeasureThroughput times the throughput case, and adds the
// result of each to measurement->sizes, in ascending order. A size for which no time was left, or which does not fit
// into memory, is there as not measured, with the reason. A wrong answer fails the rung and ends the sweep. REQUIRES:
// the lab has these sizes (Lab::OfSize); nobody else uses the GPU. Errors: as RunCases.
Status TimeSizes(const RungContext& context, const Calibrator& calibrator, const std::vector<uint64_t>& sizes,
                 const TimingRule& rule, SweepClock* clock, score::RungMeasurement* measurement);

// Runs each size once on the emulator, and adds its metrics to measurement->sizes. REQUIRES and errors: as above.
Status CountSizes(const RungContext& context, const std::vector<uint64_t>& sizes, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
