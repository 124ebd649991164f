// An empty call, in the calibrator:
//
//   a call that does not count | copies inside the device | flush | clock, empty kernel .. Done, clock | collect, clock
//
// The first call wakes the calibrator up. A process that sleeps takes 10 to 200 us to run again, and the time differs
// on each wake-up; afterwards the calibrator spins for some milliseconds (grader/worker/main.cc). The copies stand for
// the delivery of inputs before a student's call: after the host has waited for the GPU for a millisecond or two, the
// same few lines of host code take twice as long as they would without the wait. The bandwidth of the copies is the
// ceiling with which a throughput is compared.
//
// Tests: tests/judge/empty_calls_test.cc, throughput_test.cc.
#include "grader/judge/empty_calls.h"

#include <algorithm>

#include "grader/judge/clock_arithmetic.h"
#include "grader/judge/raw_clock.h"
#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

// The number of empty calls in a first set. Chosen: their faster half is then 8 calls, and a set takes about 0.1 s.
constexpr int kEmptyCalls = 15;
// How many first sets are tried before the session gives up. An H200's host was once restless for more than six of
// them.
constexpr int kFirstSets = 60;
// How long the kernel runs when the calibrator is calibrated alone. An empty call of 150 us ends before its host sleeps
// or its caches cool down. After one of 1 ms the host is as slow as after a student's call (H200).
constexpr uint32_t kBusyAloneUs = 1000;
// The longest empty kernel: as long as a sample of short calls (TimingRule::sample_ns). Beside a longer call, the error
// of the overhead is under 1% anyway.
constexpr double kMostBusyNs = 2e6;
// The longest time for the copies before an empty call. The calibrator spins for 50 ms after its first call and then
// sleeps, so after longer copies it would be asleep.
constexpr double kLongestCopyNs = 6e6;

struct EmptyCall {
  uint32_t busy_us = 0;  // its kernel keeps the GPU busy for so long
  bool paused = false;   // the calibrator is stopped until the clock runs
};

// The overhead of one empty call (OverheadOf). `copy` runs between the call that wakes the calibrator and the timed
// one, `right_after` as soon as the timed one is over.
template <typename Copy, typename RightAfter>
Result<double> TimeEmptyCall(Session& calibrator, ThroughputDevice& gpu, EmptyCall call, Copy copy,
                             RightAfter right_after) {
  std::optional<Session::Answer> answer = calibrator.Nop(protocol::kMeasureEvents);
  if (call.paused && !calibrator.Pause()) {
    return Error{ErrorKind::kMachine,
                 "the calibrator, the grader's own worker, could not be stopped for a moment. "
                 "Grade this rung again; if it happens again, is the machine overloaded?"};
  }
  if (Status s = copy(); !s.ok()) return s.error();
  if (Status s = gpu.FlushCaches(); !s.ok()) return s.error();
  if (answer) answer = calibrator.Nop(protocol::kMeasureEvents, call.busy_us);
  if (!answer) return CalibratorEnded(calibrator.end()).error();
  if (Status s = right_after(); !s.ok()) return s.error();
  const std::optional<int64_t> event_ns = calibrator.EventTime();
  if (!event_ns) return CalibratorEnded(calibrator.end()).error();
  return OverheadOf(static_cast<double>(answer->wall_ns), static_cast<double>(*event_ns), call.busy_us * 1e3);
}

}  // namespace

Status CalibratorEnded(const WorkerEnd& end) {
  std::string message = "the calibrator, the grader's own worker, ended";
  for (const std::string& reason : end.messages) message += ": " + reason;
  message +=
      ". Grade this rung again; if it happens again, look for errors of the GPU in the system's log (dmesg) and "
      "build or install the kit anew";
  return Error{ErrorKind::kMachine, std::move(message)};
}

Result<Calibrator> Calibrate(Session& session, ThroughputDevice& gpu, bool has_host_arrays) {
  std::vector<double> overheads_ns[2], copies_gb_s;
  for (int i = 0; i < kEmptyCalls; ++i) {
    for (const bool paused : {false, true}) {
      if (paused && !has_host_arrays) continue;
      const Result<double> overhead_ns = TimeEmptyCall(
          session, gpu, {kBusyAloneUs, paused},
          [&gpu, &copies_gb_s] {
            const Result<double> copy_gb_s = gpu.MeasureCopyBandwidth();
            if (copy_gb_s) copies_gb_s.push_back(*copy_gb_s);
            return copy_gb_s ? Status() : copy_gb_s.error();
          },
          [] { return Status(); });
      if (!overhead_ns) return overhead_ns.error();
      overheads_ns[paused ? 1 : 0].push_back(*overhead_ns);
    }
  }
  return Calibrator{session, FasterHalf(overheads_ns[0]), has_host_arrays ? FasterHalf(overheads_ns[1]) : 0,
                    Median(copies_gb_s), false};
}

TimingStatus EmptyCalls::TakeFirst(const Kind& kind, const TimingRule& rule) {
  for (int set = 0; set < kFirstSets; ++set) {
    overhead_ns_.clear();
    collecting_ns_.clear();
    for (int i = 0; i < kEmptyCalls; ++i) {
      if (Status s = Take(kind, Counts::kYes); !s.ok()) return s;
    }
    if (CallOverhead(overhead_ns_, rule)) return TimingStatus();
  }
  return TimingEnd(NotTimed{"an empty call takes too long or varies too much here; is the GPU busy?"});
}

Status EmptyCalls::Take(const Kind& kind, Counts counts) {
  const auto busy_us = static_cast<uint32_t>(std::min(kind.busy_ns, kMostBusyNs) / 1e3);
  double collecting_ns = 0;
  const Result<double> overhead_ns = TimeEmptyCall(
      calibrator_.session, gpu_, {busy_us, kind.paused}, [this, &kind] { return Copy(kind.copy_ns); },
      [this, &collecting_ns]() -> Status {
        const Result<double> took_ns = delivery_.Collect();
        if (!took_ns) return took_ns.error();
        collecting_ns = *took_ns;
        return Status();
      });
  if (!overhead_ns) return overhead_ns.error();
  if (counts == Counts::kNo) return Status();
  collecting_ns_.push_back(collecting_ns);
  overhead_ns_.push_back(*overhead_ns);
  return Status();
}

Status EmptyCalls::Copy(double long_ns) {
  const int64_t begin_ns = RawNanoseconds();
  do {
    const Result<double> copy_gb_s = gpu_.MeasureCopyBandwidth();
    if (!copy_gb_s) return copy_gb_s.error();
    copy_gb_s_ = *copy_gb_s;
  } while (static_cast<double>(RawNanoseconds() - begin_ns) < std::min(long_ns, kLongestCopyNs));
  return Status();
}

double EmptyCalls::OverheadNs(bool paused) const {
  WARPGRADE_CHECK(!paused || calibrator_.overhead_alone_paused_ns > 0);
  return BoundedOverhead(FasterHalf(overhead_ns_),
                         paused ? calibrator_.overhead_alone_paused_ns : calibrator_.overhead_alone_ns);
}

// A program that makes copies slow for a while must not gain from it, so the shorter of two times counts.
double EmptyCalls::CollectingNs() const {
  const auto since = collecting_ns_.begin() + std::min<ptrdiff_t>(kEmptyCalls, std::ssize(collecting_ns_));
  const double first_ns = Median({collecting_ns_.begin(), since});
  return since == collecting_ns_.end() ? first_ns : std::min(first_ns, Median({since, collecting_ns_.end()}));
}

double EmptyCalls::CopyGbS() const { return BoundedCeiling(copy_gb_s_, calibrator_.copy_alone_gb_s); }

}  // namespace warpgrade::judge
