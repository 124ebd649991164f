// One worker does all sizes: a process on a GPU takes a second to start, and a small size takes milliseconds. Each size
// has buffers and a timing session of its own, so it is warmed up, its caches are emptied before each call, and every
// answer is checked. Tests: tests/judge/size_sweep_test.cc (with a fake GPU).
#include "grader/judge/size_sweep.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "grader/judge/call_batch.h"
#include "grader/judge/raw_clock.h"
#include "grader/judge/timed_samples.h"
#include "grader/judge/timing_session.h"

namespace warpgrade::judge {
namespace {

using score::SizeMeasurement;

// Chosen: a chart needs less precision than a mark. Nine rungs in 19 sizes take at most 40 s on an H200.
constexpr int kSamplesOfASize = 5, kMostSamplesOfASize = 20;
constexpr int64_t kNanosecondsOfASize = 100'000'000;
constexpr double kStandardErrorPercent = 1;
// The judge's clock and the worker's events may differ by so much without a doubt (cross_checks.h).
constexpr double kClockErrorNs = 10'000;
constexpr double kMostClockErrorPercent = 50;  // chosen: such a point shows no more than the order of magnitude
constexpr uint64_t kMostBytesOfASample = uint64_t{256} << 20;

Case CaseOf(const RungContext& context, uint64_t elements) {
  std::optional<Case> c = context.lab.OfSize(context.rung, elements);
  WARPGRADE_CHECK(c.has_value());
  return std::move(*c);
}

// Of the time of one call out of `calls` that were timed as one.
double ClockErrorPercent(double seconds, int calls) { return 100 * kClockErrorNs / (seconds * 1e9 * calls); }

TimingStatus TakeSamples(const TimingRule& rule, TimingSession* timing) {
  if (TimingStatus s = timing->Prepare(); !s.ok()) return s;
  timing->StartAgain();
  const int64_t begin_ns = RawNanoseconds();
  do {
    if (TimingStatus s = timing->TakeSample(); !s.ok()) return s;
  } while (!EnoughSamples(ComparedValues(timing->samples()), RawNanoseconds() - begin_ns, CalledNs(timing->samples()),
                          rule));
  return TimingStatus();
}

// Times one size. nullopt: the rung failed, or its worker ended.
Result<std::optional<SizeMeasurement>> TimeSize(const RungContext& context, const Calibrator& calibrator, const Case& c,
                                                const TimingRule& rule, score::RungMeasurement* measurement) {
  SizeMeasurement size;
  size.elements = c.elements;
  Result<std::unique_ptr<CallBatch>> batch = CallBatch::Make(context.lab, c, context.device, context.session);
  if (!batch && (batch.error().kind == ErrorKind::kLimit || batch.error().kind == ErrorKind::kUnsupported)) {
    size.throughput = NotMeasured(batch.error().message);
    return std::optional(std::move(size));
  }
  if (!batch) return batch.error();
  if (!context.session.alive()) {
    if (Status s = RecordEnd(context.session.end(), measurement); !s.ok()) return s.error();
    return std::optional<SizeMeasurement>();
  }
  TimingSession timing(context, calibrator, c, **batch, rule);
  if (const TimingStatus timed = TakeSamples(rule, &timing); !timed.ok()) {
    if (Status s = RecordTimingEnd(timed.end(), measurement); !s.ok()) return s.error();
    if (!StillPassing(*measurement)) return std::optional<SizeMeasurement>();
    size.throughput = std::exchange(measurement->throughput, score::ThroughputMeasurement());
    return std::optional(std::move(size));
  }
  size.throughput = Summarise(timing.samples(), c);
  size.clock_error_percent = ClockErrorPercent(*size.throughput.seconds, timing.samples().calls);
  if (size.clock_error_percent > kMostClockErrorPercent) {
    size.throughput = NotMeasured("a call is too short for the grader's clock");
  }
  return std::optional(std::move(size));
}

void Sort(std::vector<SizeMeasurement>* sizes) {
  std::sort(sizes->begin(), sizes->end(), [](const auto& a, const auto& b) { return a.elements < b.elements; });
}

}  // namespace

SweepClock::SweepClock(int64_t budget_ns, std::function<int64_t()> now_ns)
    : now_ns_(std::move(now_ns)), budget_ns_(budget_ns), start_ns_(now_ns_()) {}

bool SweepClock::HasTimeFor(uint64_t elements) const {
  if (budget_ns_ == 0) return true;
  const auto larger = took_ns_.lower_bound(elements);
  const int64_t expected_ns = larger == took_ns_.end() ? 0 : larger->second;
  return now_ns_() - start_ns_ + expected_ns < budget_ns_;
}

void SweepClock::Begin(uint64_t elements) {
  elements_ = elements;
  begin_ns_ = now_ns_();
}

void SweepClock::End() { took_ns_[elements_] = now_ns_() - begin_ns_; }

std::vector<uint64_t> SweepOrder(std::vector<uint64_t> sizes) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::vector<uint64_t> order;
  order.reserve(sizes.size());
  for (const size_t first : {size_t{0}, size_t{1}}) {
    for (size_t i = first; i < sizes.size(); i += 2) order.push_back(sizes[i]);
  }
  return order;
}

TimingRule RuleOfSize(TimingRule rule, const Case& c) {
  const uint64_t calls = kMostBytesOfASample / std::max<uint64_t>(1, c.bytes_moved);
  rule.max_calls = static_cast<int>(std::clamp<uint64_t>(calls, 1, static_cast<uint64_t>(rule.max_calls)));
  rule.min_samples = std::min(rule.min_samples, kSamplesOfASize);
  rule.max_samples = std::min(rule.max_samples, kMostSamplesOfASize);
  rule.budget_ns = std::min(rule.budget_ns, kNanosecondsOfASize);
  rule.standard_error_percent = std::max(rule.standard_error_percent, kStandardErrorPercent);
  return rule;
}

Status TimeSizes(const RungContext& context, const Calibrator& calibrator, const std::vector<uint64_t>& sizes,
                 const TimingRule& rule, SweepClock* clock, score::RungMeasurement* measurement) {
  for (const uint64_t elements : SweepOrder(sizes)) {
    const Case c = CaseOf(context, elements);
    if (!clock->HasTimeFor(elements)) {
      SizeMeasurement size;
      size.elements = c.elements;
      size.throughput = NotMeasured("no time was left");
      measurement->sizes.push_back(std::move(size));
      continue;
    }
    clock->Begin(elements);
    ++measurement->cases;
    Result<std::optional<SizeMeasurement>> size = TimeSize(context, calibrator, c, RuleOfSize(rule, c), measurement);
    if (!size) return size.error();
    if (!*size) break;
    ++measurement->cases_passed;
    measurement->sizes.push_back(std::move(**size));
    clock->End();
  }
  Sort(&measurement->sizes);
  return Status();
}

Status CountSizes(const RungContext& context, const std::vector<uint64_t>& sizes, score::RungMeasurement* measurement) {
  for (const uint64_t elements : sizes) {
    const Case c = CaseOf(context, elements);
    // RunCases resets what the device observed, so afterwards the device knows this size alone.
    if (Status s = RunCases(context, {c}, measurement); !s.ok()) return s;
    if (!StillPassing(*measurement)) break;
    SizeMeasurement size;
    size.elements = c.elements;
    size.metrics = context.device.Metrics(c.elements);
    measurement->sizes.push_back(std::move(size));
  }
  Sort(&measurement->sizes);
  return Status();
}

}  // namespace warpgrade::judge
