// Goes through the phases of one rung. On the emulator: all cases, then technique. With a GPU: public cases and
// technique on the emulator, then all cases on the GPU, then timing; each phase has its own worker and its own lock on
// the GPU. A phase that settles the verdict is the last one.
// Tests: tests/judge/emulated_rung_test.cc, child_test.cc; the GPU's phases are tested part by part.
#include "grader/judge/judge.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "grader/judge/background.h"
#include "grader/judge/correctness.h"
#include "grader/judge/cuda_device.h"
#include "grader/judge/emulator_device.h"
#include "grader/judge/gpu_lock.h"
#include "grader/judge/pictures.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/raw_clock.h"
#include "grader/judge/second_opinion.h"
#include "grader/judge/size_sweep.h"
#include "grader/judge/technique.h"
#include "grader/judge/throughput.h"
#include "grader/lab/checks_of_answers.h"
#include "grader/score/score.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;

// The worker runs in a working directory of its own, so paths must not depend on ours.
JudgeRequest WithAbsolutePaths(JudgeRequest request) {
  for (std::string* path : {&request.executable, &request.calibrator, &request.solution,
                            &request.emulator_runtime_folder, &request.gpu_runtime_folder}) {
    std::error_code ignored;  // an absolute path may be impossible; then the later error "not found" says more
    if (!path->empty()) *path = std::filesystem::absolute(*path, ignored).string();
  }
  return request;
}

constexpr int kPrintedLines = 8;
constexpr int kFirstPrintedLines = 20;
constexpr size_t kPrintedBytes = 1000;

// Every phase of one rung, in order. `random` and `measurement` go through all of them.
class RungJudge {
 public:
  // Without grading, the values need no surprise, and the same picture comes every time.
  explicit RungJudge(const JudgeRequest& request)
      : request_(WithAbsolutePaths(request)),
        random_(request.parts.only_pictures ? std::optional(request.seed.value_or(1)) : request.seed) {}

  Result<RungMeasurement> Judge() {
    const Status status = JudgeParts();
    if (!status.ok()) return status.error();
    AddHint();
    AddChecks();
    return std::move(measurement_);
  }

 private:
  Status JudgeParts() {
    const bool on_gpu = request_.device == DeviceChoice::kGpu;
    if (!request_.parts.sizes.empty()) return on_gpu ? SizesOnGpu() : SizesOnEmulator();
    return on_gpu ? JudgeOnGpu() : JudgeOnEmulator();
  }

  std::vector<Case> Cases(bool hidden) {
    Random drawing = random_.Next();
    std::vector<Case> cases = request_.lab->Cases(request_.rung, CaseSet::kPublic, drawing);
    for (size_t i = 0; i < cases.size(); ++i) cases[i].number = static_cast<int>(i) + 1;
    if (request_.only_case > 0) {
      std::erase_if(cases, [&](const Case& c) { return c.number != request_.only_case; });
      return cases;
    }
    if (!request_.parts.public_cases) cases.clear();
    if (hidden) {
      for (Case& c : request_.lab->Cases(request_.rung, CaseSet::kHidden, drawing)) cases.push_back(std::move(c));
    }
    const uint64_t most_elements = request_.parts.most_elements;
    if (most_elements > 0) std::erase_if(cases, [&](const Case& c) { return c.elements > most_elements; });
    return cases;
  }

  Session::Options SessionOptions() const {
    Session::Options options;
    options.executable = request_.executable;
    options.honest_executable = request_.calibrator;
    options.source = request_.rung + ".cu";
    options.limits = request_.limits;
    options.isolation = request_.isolation;
    options.cancel = request_.cancel;
    return options;
  }

  RungContext Context(JudgeDevice& device, Session& session) {
    const auto host_visible_bytes = static_cast<uint64_t>(request_.limits.host_visible_kb) << 10;
    RungContext context = {*request_.lab, request_.rung, device, session, random_, host_visible_bytes};
    context.progress = request_.progress.get();
    return context;
  }

  EmulatorDevice::Options EmulatorOptions() const {
    EmulatorDevice::Options options;
    options.host_threads = request_.emulator_threads;
    options.instruction_budget = request_.limits.instruction_budget;
    options.total_instruction_budget = request_.limits.total_instruction_budget;
    options.global_memory_bytes = static_cast<uint64_t>(request_.limits.memory_mb) << 20;
    options.delay_seed = request_.delay_seed;
    options.runtime_folder = request_.emulator_runtime_folder;
    options.max_printed_bytes = static_cast<uint64_t>(request_.limits.output_kb) << 10;
    return options;
  }

  // As MeasuredParts::only_pictures says.
  Status Explain() {
    std::vector<Case> cases = Cases(false);
    if (request_.only_case == 0) {
      Random drawing = random_.Next();
      const std::vector<Case> technique = request_.lab->Cases(request_.rung, CaseSet::kTechnique, drawing);
      if (!technique.empty()) cases = technique;
    }
    const auto largest = std::max_element(cases.begin(), cases.end(),
                                          [](const Case& a, const Case& b) { return a.elements < b.elements; });
    if (largest == cases.end()) return Status();
    EmulatorDevice device(EmulatorOptions());
    device.RecordSteps(request_.parts.steps);
    Result<std::unique_ptr<Session>> session = Session::Start(SessionOptions(), device, random_);
    if (!session) return session.error();
    if (!(*session)->alive()) return RecordEnd((*session)->end(), &measurement_);
    return RecordCase(Context(device, **session), *largest, &measurement_);
  }

  Status JudgeOnEmulator() {
    if (request_.parts.only_pictures) return Explain();
    if (request_.parts.throughput) {
      measurement_.throughput = NotMeasured("throughput is measured on the course's GPU, not here");
    }
    bool unsupported = false;
    return Emulate(Cases(request_.parts.hidden_cases), request_.parts.technique, &measurement_, &unsupported);
  }

  // Does all of the emulator's work: `cases`, then `technique` if that is asked for. *unsupported is true if it met
  // something that it cannot run.
  Status Emulate(const std::vector<Case>& cases, bool technique, RungMeasurement* measurement, bool* unsupported) {
    EmulatorDevice device(EmulatorOptions());
    Result<std::unique_ptr<Session>> session = Session::Start(SessionOptions(), device, random_);
    if (!session) return session.error();
    RungContext context = Context(device, **session);
    context.order_seed = request_.delay_seed;
    context.pictures = request_.parts.pictures;
    device.RecordSteps(request_.parts.steps);
    Status status = RunAll(context, cases, measurement);
    if (device.has_delayed()) measurement->delay_seed = request_.delay_seed;
    if (status.ok() && technique && StillPassing(*measurement)) {
      status = MeasureUndelayed(device, context, measurement);
    }
    *unsupported = !(*session)->alive() && (*session)->end().unsupported;
    for (const score::Finding& finding : measurement->findings) {
      if (finding.kind == emulator::Name(emulator::FindingKind::kUnsupported)) *unsupported = true;
    }
    QuoteKernels(device.printed(), measurement);
    return status;
  }

  // Work that is delayed overlaps differently, so no work is delayed while technique is measured. A worker whose work
  // was delayed is replaced. One whose cases have used no stream yet is not, but it may use streams in this case.
  Status MeasureUndelayed(EmulatorDevice& device, const RungContext& context, RungMeasurement* measurement) const {
    const bool is_replaced = device.has_delayed() || request_.hides_cases;
    device.StopDelays();
    if (is_replaced) {
      if (Status s = context.session.Restart(); !s.ok()) return s;
      if (!context.session.alive()) return RecordEnd(context.session.end(), measurement);
    }
    return MeasureTechnique(context, measurement);
  }

  Status RunAll(const RungContext& context, const std::vector<Case>& cases, RungMeasurement* measurement) {
    if (!context.session.alive()) {
      measurement->cases += static_cast<int>(cases.size());
      return RecordEnd(context.session.end(), measurement);
    }
    Status status = RunCases(context, cases, measurement);
    // RecordEnd has already quoted the output of a session that has ended.
    if (context.session.alive() && !StillPassing(*measurement)) {
      Quote("the program last printed", context.session.output(), measurement);
    }
    return status;
  }

  Status JudgeOnGpu() {
    Result<std::unique_ptr<CudaDevice>> device = CudaDevice::Open(request_.gpu_runtime_folder);
    if (!device) return device.error();
    if (IsOnlyTimed()) return TimeOnGpu(**device);
    // The emulator comes first. It says more about a fault than the GPU, which one program at a time can use, and it
    // finds an endless loop in seconds.
    RungMeasurement emulated;
    if (Status s = EmulateBeforeGpu(**device, &emulated); !s.ok()) return s;
    if (SettlesTheVerdict(emulated, is_unwatched_)) {
      measurement_ = std::move(emulated);
    } else if (!score::AreWithin(request_.wanted_counts, emulated)) {
      measurement_ = std::move(emulated);
      measurement_.throughput = NotMeasured("the rung is judged again, compiled by itself");
      return Status();
    } else {
      if (Status s = CheckOnGpu(**device); !s.ok()) return s;
      if (StillPassing(measurement_)) {
        AddSecondOpinion(std::move(emulated), is_unwatched_, &measurement_);
      } else if (Status s = EmulateAfterGpu(**device); !s.ok()) {
        return s;
      }
    }
    if (!request_.parts.throughput) return Status();
    if (!StillPassing(measurement_)) {
      measurement_.throughput = NotMeasured("only a correct rung is timed");
      return Status();
    }
    return TimeOnGpu(**device);
  }

  // Without marks, for programs that are known to be right. The outputs of timed calls are checked all the same.
  bool IsOnlyTimed() const {
    const MeasuredParts& parts = request_.parts;
    const bool is_checked = parts.public_cases || parts.hidden_cases || parts.technique || request_.only_case > 0;
    return parts.throughput && !is_checked;
  }

  Result<GpuLock> TakeLock(const CudaDevice& device, GpuLock::Use use) const {
    return GpuLock::Take(device.Describe().uuid, use, request_.cancel);
  }

  Status CheckOnGpu(CudaDevice& device) {
    const Result<GpuLock> lock = TakeLock(device, GpuLock::Use::kGpu);
    if (!lock) return lock.error();
    if (Status s = device.Begin(); !s.ok()) return s;
    Status status = CheckInSession(device);
    const bool needs_context_again = status.ok() && StillPassing(measurement_) && request_.parts.throughput;
    if (!needs_context_again) device.End();
    return status;
  }

  Status CheckInSession(CudaDevice& device) {
    Result<std::unique_ptr<Session>> session = Session::Start(SessionOptions(), device, random_);
    if (!session) return session.error();
    const RungContext context = Context(device, **session);
    return RunAll(context, Cases(request_.parts.hidden_cases), &measurement_);
  }

  Status TimeOnGpu(CudaDevice& device) {
    const bool in_pairs = !request_.solution.empty();
    // A share of the solution's speed is used where the host does much of the work.
    const GpuLock::Use use = in_pairs ? GpuLock::Use::kGpuAndHost : GpuLock::Use::kGpu;
    const Result<GpuLock> lock = TakeLock(device, use);
    if (!lock) return lock.error();
    const int64_t begin_ns = RawNanoseconds();
    Status timed = device.Begin();
    if (timed.ok()) timed = TimeInSessions(device, in_pairs);
    device.End();
    measurement_.throughput.exclusive_seconds = static_cast<double>(RawNanoseconds() - begin_ns) / 1e9;
    if (measurement_.throughput.gpu) measurement_.throughput.gpu->uuid = device.Describe().uuid;
    return timed;
  }

  Status TimeInSessions(CudaDevice& device, bool in_pairs) {
    const TimingRule rule =
        in_pairs ? InPairs(request_.timing) : InLongSamples(request_.timing, request_.lab->SampleLength(request_.rung));
    std::unique_ptr<Session> calibrator;
    std::optional<Calibrator> calibration;
    TimedSamples samples;
    const auto time_one = [&]() -> Status {
      if (!calibration || in_pairs) {
        if (Status s = StartCalibrator(device, &calibrator, &calibration); !s.ok()) return s;
      }
      Result<std::unique_ptr<Session>> session = Session::Start(SessionOptions(), device, random_);
      if (!session) return session.error();
      if (!(*session)->alive()) return RecordEnd((*session)->end(), &measurement_);
      return MeasureThroughput(Context(device, **session), *calibration, rule, &samples, &measurement_);
    };
    Status timed = TimeWorkers(rule, time_one, samples, &measurement_);
    if (is_unwatched_) FlagUnwatched(&measurement_.throughput);
    return timed;
  }

  Status SizesOnGpu() {
    Result<std::unique_ptr<CudaDevice>> device = CudaDevice::Open(request_.gpu_runtime_folder);
    if (!device) return device.error();
    const Result<GpuLock> lock = TakeLock(**device, GpuLock::Use::kGpu);
    if (!lock) return lock.error();
    SweepClock clock(request_.parts.sizes_ns, RawNanoseconds);  // from when the GPU is ours
    if (Status s = (*device)->Begin(); !s.ok()) return s;
    Status status = SizesInSession(**device, &clock);
    (*device)->End();
    return status;
  }

  Status SizesInSession(CudaDevice& device, SweepClock* clock) {
    std::unique_ptr<Session> calibrator;
    std::optional<Calibrator> calibration;
    if (Status s = StartCalibrator(device, &calibrator, &calibration); !s.ok()) return s;
    Result<std::unique_ptr<Session>> session = Session::Start(SessionOptions(), device, random_);
    if (!session) return session.error();
    if (!(*session)->alive()) return RecordEnd((*session)->end(), &measurement_);
    return TimeSizes(Context(device, **session), *calibration, request_.parts.sizes, request_.timing, clock,
                     &measurement_);
  }

  Status SizesOnEmulator() {
    EmulatorDevice device(EmulatorOptions());
    Result<std::unique_ptr<Session>> session = Session::Start(SessionOptions(), device, random_);
    if (!session) return session.error();
    if (!(*session)->alive()) return RecordEnd((*session)->end(), &measurement_);
    return CountSizes(Context(device, **session), request_.parts.sizes, &measurement_);
  }

  // Starts the grader's own worker, and replaces the previous one.
  Status StartCalibrator(CudaDevice& device, std::unique_ptr<Session>* calibrator,
                         std::optional<Calibrator>* calibration) {
    calibration->reset();
    calibrator->reset();
    Session::Options options = SessionOptions();
    options.executable = request_.solution.empty() ? request_.calibrator : request_.solution;
    // The calibrator alone uses one stream. A solution gets what the student's program gets.
    if (request_.solution.empty()) options.hardware_queues = kOwnHardwareQueues;
    Result<std::unique_ptr<Session>> started = Session::Start(options, device, random_);
    if (!started) return started.error();
    if (!(*started)->alive()) return CalibratorEnded((*started)->end());
    *calibrator = std::move(*started);
    Result<Calibrator> ready = Calibrate(**calibrator, *device.throughput(), TimedCaseHasHostArrays());
    if (!ready) return ready.error();
    ready->is_solution = !request_.solution.empty();
    calibration->emplace(*ready);
    return Status();
  }

  bool TimedCaseHasHostArrays() const {
    Random any;  // the places of the arrays do not depend on it
    const std::vector<Case> cases = request_.lab->Cases(request_.rung, CaseSet::kThroughput, any);
    return std::any_of(cases.begin(), cases.end(), [this](const Case& c) { return HasHostArrays(*request_.lab, c); });
  }

  // The emulator looks for faults in the public cases, and measures technique.
  Status EmulateBeforeGpu(const CudaDevice& device, RungMeasurement* emulated) {
    return EmulateBesideGpu(device, CasesBeforeGpu(Cases(false)), request_.parts.technique, emulated, &is_unwatched_);
  }

  // The rung failed on the GPU. If the emulator has not run the cases that failed there, it runs them now, and what it
  // sees is added.
  Status EmulateAfterGpu(const CudaDevice& device) {
    const std::vector<Case> cases = CasesAfterGpu(Cases(false), measurement_);
    if (cases.empty() || is_unwatched_ || request_.only_case > 0) return Status();
    RungMeasurement emulated;
    bool unsupported = false;
    if (Status s = EmulateBesideGpu(device, cases, false, &emulated, &unsupported); !s.ok()) return s;
    AddExplanation(std::move(emulated), &measurement_);
    return Status();
  }

  // Meanwhile others may be timed.
  Status EmulateBesideGpu(const CudaDevice& device, const std::vector<Case>& cases, bool technique,
                          RungMeasurement* emulated, bool* unsupported) {
    const Result<GpuLock> lock = TakeLock(device, GpuLock::Use::kEmulate);
    if (!lock) return lock.error();
    Status status;
    InBackground([&] { status = Emulate(cases, technique, emulated, unsupported); });
    return status;
  }

  // What the kernels printed is hostile text: it is quoted behind a bar, and nothing reads it. Who runs one case wants
  // to see it from its beginning. A rung that passes says only that there is something.
  void QuoteKernels(const std::string& printed, RungMeasurement* measurement) const {
    if (request_.only_case > 0) {
      std::string first = FirstLines(printed, kFirstPrintedLines, kPrintedBytes);
      if (first.empty()) return;
      for (size_t at = 0; at != std::string::npos; at = first.find('\n', at + 1))
        first.insert(at == 0 ? 0 : at + 1, "| ");
      measurement->messages.push_back("its kernels printed:\n" + first);
    } else if (!StillPassing(*measurement)) {
      Quote("its kernels last printed", printed, measurement);
    } else if (!printed.empty()) {
      measurement->messages.emplace_back(
          "its kernels print something: with `--case N`, `warpgrade check` shows the first lines of it");
    }
  }

  static void Quote(const char* what, const std::string& printed, RungMeasurement* measurement) {
    const std::string last = LastLines(printed, kPrintedLines, kPrintedBytes);
    if (!last.empty()) measurement->messages.push_back(std::string(what) + ":\n" + last);
  }

  void AddChecks() {
    const auto* const checks = dynamic_cast<const ChecksOfAnswers*>(request_.lab);
    if (checks == nullptr) return;
    const ChecksOfAnswers::Facts facts = checks->FactsOfChecks();
    measurement_.checks = {facts.tolerance_used, facts.closest, facts.reference_s, facts.slowest};
  }

  void AddHint() {
    // For values that are wrong, and for faults that the emulator saw; a crash of host code, an exception or a failed
    // launch has said what it is.
    const std::vector<score::CaseFailure>& failures = measurement_.failures;
    const std::vector<score::Finding>& findings = measurement_.findings;
    const auto wrong_value = [](const score::CaseFailure& failure) { return failure.index.has_value(); };
    const auto fault = [](const score::Finding& finding) {
      return finding.kind != emulator::Name(emulator::FindingKind::kUnsupported);
    };
    if (std::none_of(failures.begin(), failures.end(), wrong_value) &&
        std::none_of(findings.begin(), findings.end(), fault)) {
      return;
    }
    measurement_.hint = request_.lab->Hint(request_.rung, "correctness");
  }

  const JudgeRequest request_;
  RandomSource random_;
  RungMeasurement measurement_;
  bool is_unwatched_ = false;  // judged on a GPU, and the emulator could not run it
};

}  // namespace

Result<RungMeasurement> JudgeRungInProcess(const JudgeRequest& request) {
  WARPGRADE_CHECK(request.lab != nullptr);
  return RungJudge(request).Judge();
}

Result<score::DeviceDescription> DescribeDevice(DeviceChoice device) {
  if (device == DeviceChoice::kEmulator) return DescribeEmulator();
  const Result<std::unique_ptr<CudaDevice>> gpu = CudaDevice::Open("");
  if (!gpu) return gpu.error();
  return (*gpu)->Describe();
}

std::vector<std::string> GpusLikeTheFirst() {
  std::vector<std::string> gpus = CudaDevice::LikeTheFirst();
  const auto is_in_use = [](const std::string& uuid) {
    const auto reader = TelemetryReader::Open(uuid);
    return reader != nullptr && reader->IsInUse();
  };
  if (gpus.size() > 1) gpus.erase(std::remove_if(gpus.begin() + 1, gpus.end(), is_in_use), gpus.end());
  return gpus;
}

}  // namespace warpgrade::judge
