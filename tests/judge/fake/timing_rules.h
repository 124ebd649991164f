// How the fake device is timed in tests.
#pragma once

#include "grader/judge/throughput.h"

namespace warpgrade::judge::fake {

// Few samples, empty calls however long, and only the fake device's own 50 ms held up: these tests are about what is
// measured, on a machine however busy.
inline TimingRule FewSamples() {
  TimingRule rule;
  rule.max_overhead_ns = rule.max_overhead_spread_ns = 1e12;
  rule.disturbance_ns = 30e6;
  rule.min_samples = 3;
  rule.max_samples = 3;
  rule.max_calls = 1;
  return rule;
}

// The same, with several short calls for each sample: the toy's take microseconds, so as many as may be.
inline TimingRule ThreeCallsASample() {
  TimingRule rule = FewSamples();
  rule.max_calls = 3;
  rule.sample_ns = 1e12;
  return rule;
}

// A busy machine's empty calls may take any time.
inline Calibrator Unbounded(Session& session) { return {session, 1e12, 1e12, 0}; }

}  // namespace warpgrade::judge::fake
