// Runs each case with RunCase and turns its outcome, the emulator's findings and its counters into status, failures and
// messages. A case also fails when the emulator counted too little work for its answer. Tests:
// tests/judge/correctness_test.cc, findings_test.cc, emulated_rung_test.cc.
#include "grader/judge/correctness.h"

#include <algorithm>

#include "grader/judge/findings.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;
using score::RungStatus;

// Moves what the emulator saw during `case_name` into the measurement. Returns the first finding's sentence, or "".
std::string CollectFindings(const RungContext& context, const std::string& case_name, RungMeasurement* measurement) {
  std::string first;
  for (score::Finding& finding : context.device.Findings()) {
    finding.file = ShortFile(finding.file, context.rung);
    finding.message += " [" + case_name + "]";
    if (first.empty()) first = Sentence(finding);
    MergeFinding(std::move(finding), &measurement->findings);
  }
  return first;
}

void Fail(RungStatus status, RungMeasurement* measurement) {
  if (measurement->status == RungStatus::kPassed || measurement->status == RungStatus::kFailed) {
    measurement->status = status;
  }
}

// A case that passed although the emulator saw a fault in it, told once: the findings themselves say the rest.
void RecordFaultyPass(const std::string& case_name, const std::string& sentence, RungMeasurement* measurement) {
  Fail(RungStatus::kFailed, measurement);
  if (!measurement->failures.empty()) return;
  score::CaseFailure failure;
  failure.case_name = case_name;
  failure.message = "the values came out right this time, but the program is faulty: " + sentence;
  AddFailure(std::move(failure), false, measurement);
}

using Metrics = std::map<std::string, double>;

// "kernels stored 4 bytes, and the answer has 400", where `did` is "stored", `of` "bytes" and `whole` "the answer has";
// "" when they did enough, or nobody counted.
std::string TooLittle(const Metrics& metrics, const char* metric, uint64_t fewest, const char* did, const char* of,
                      const char* whole) {
  const auto counted = metrics.find(metric);
  if (counted == metrics.end() || counted->second >= static_cast<double>(fewest)) return "";
  const uint64_t count = static_cast<uint64_t>(counted->second);
  return std::string("kernels ") + did + " " + std::to_string(count) + " " + of + ", and " + whole + " " +
         std::to_string(fewest);
}

// Kernels did less than the answer takes. "" when they did not.
std::string DidTooLittle(const Metrics& metrics, const Case& c) {
  std::string what = TooLittle(metrics, "global_store_bytes", c.stored_bytes, "stored", "bytes", "the answer has");
  if (what.empty()) {
    what = TooLittle(metrics, "global_load_bytes", c.loaded_bytes, "loaded", "bytes", "the input has");
  }
  if (what.empty()) {
    what = TooLittle(metrics, "flops", c.fewest_flops, "did", "floating-point operations", "the answer takes");
  }
  if (what.empty()) return "";
  const auto launches = metrics.find("kernel_launches");
  if (launches != metrics.end() && launches->second == 0) what = "no kernel was launched";
  return what +
         ": the values are right, but they were not computed on the device; let your kernels read the input from d_in "
         "and write the answer";
}

bool HasHostArrays(const Lab& lab, const Case& c) {
  const std::vector<BufferSpec> buffers = lab.Buffers(c);
  return std::any_of(buffers.begin(), buffers.end(),
                     [](const BufferSpec& buffer) { return buffer.place != BufferSpec::Place::kDevice; });
}

// More came to where host code can read it than a look at what goes on takes: whoever has the input there can compute
// anything, and let a kernel carry it back. "" when it did not.
std::string BroughtToTheHost(const Metrics& metrics, const RungContext& context, const Case& c) {
  const auto brought = metrics.find("host_visible_bytes");
  if (brought == metrics.end() || brought->second <= static_cast<double>(context.most_host_visible_bytes)) return "";
  if (HasHostArrays(context.lab, c)) return "";
  return "the values are right, but the call brought " + std::to_string(static_cast<uint64_t>(brought->second)) +
         " bytes from device memory to where host code can read them, and " +
         std::to_string(context.most_host_visible_bytes) +
         " are allowed: the work is the kernels'. Take out copies to the host, and what kernels write to managed or "
         "mapped memory";
}

// What the emulator counted of a case that passed shows that its answer did not, or need not, come from kernels.
std::optional<score::CaseFailure> ComputedElsewhere(const RungContext& context, const Case& c) {
  const Metrics metrics = context.device.Metrics(c.elements);
  std::string what = DidTooLittle(metrics, c);
  if (what.empty()) what = BroughtToTheHost(metrics, context, c);
  if (what.empty()) return std::nullopt;
  score::CaseFailure failure;
  failure.case_name = c.name;
  failure.message = c.name + ": " + what;
  return failure;
}

bool NothingWritten(const RungMeasurement& measurement) {
  return measurement.cases_passed == 0 && measurement.failures.empty() && measurement.status == RungStatus::kPassed;
}

// Errors: cancelled, or its sandbox failed. `*go_on`: whether the next case may be run.
Status Record(const RungContext& context, const Case& c, CaseOutcome outcome, RungMeasurement* measurement,
              bool* go_on) {
  const std::string fault = CollectFindings(context, c.name, measurement);
  switch (outcome.kind) {
    case CaseOutcome::Kind::kPassed:
      if (!fault.empty()) {
        RecordFaultyPass(c.name, fault, measurement);
      } else if (std::optional<score::CaseFailure> elsewhere = ComputedElsewhere(context, c)) {
        Fail(RungStatus::kFailed, measurement);
        AddFailure(std::move(*elsewhere), false, measurement);
      } else {
        ++measurement->cases_passed;
      }
      return Status();
    case CaseOutcome::Kind::kNotWritten:
      if (NothingWritten(*measurement)) {
        measurement->status = RungStatus::kNotWritten;
        *go_on = false;
        return Status();
      }
      Fail(RungStatus::kFailed, measurement);
      AddFailure(std::move(outcome.failure), false, measurement);
      return Status();
    case CaseOutcome::Kind::kFailed:
      Fail(RungStatus::kFailed, measurement);
      AddFailure(std::move(outcome.failure), false, measurement);
      return Status();
    case CaseOutcome::Kind::kFatal:
      Fail(outcome.fatal_status, measurement);
      // What the emulator saw says more than the error's name.
      if (!fault.empty()) outcome.failure.message = fault + " (" + outcome.error_name + ")";
      AddFailure(std::move(outcome.failure), true, measurement);
      *go_on = false;
      return Status();
    case CaseOutcome::Kind::kEnded:
      break;
  }
  *go_on = false;
  score::CaseFailure failure;
  failure.case_name = c.name;
  failure.message = "the program ended during this case";
  AddFailure(std::move(failure), true, measurement);
  return RecordEnd(context.session.end(), measurement);
}

}  // namespace

void AddFailure(score::CaseFailure failure, bool worst, RungMeasurement* measurement) {
  std::vector<score::CaseFailure>& failures = measurement->failures;
  if (worst) {
    failures.insert(failures.begin(), std::move(failure));
    if (failures.size() > kMaxFailures) failures.pop_back();
  } else if (failures.size() < kMaxFailures) {
    failures.push_back(std::move(failure));
  }
}

Status RecordEnd(const WorkerEnd& end, RungMeasurement* measurement) {
  if (end.blameless) return Error{ErrorKind::kMachine, end.messages.front()};
  Fail(end.status, measurement);
  measurement->messages.insert(measurement->messages.end(), end.messages.begin(), end.messages.end());
  return Status();
}

Status RunCases(const RungContext& context, const std::vector<Case>& cases, RungMeasurement* measurement) {
  measurement->cases += static_cast<int>(cases.size());
  bool go_on = true;
  for (size_t i = 0; i < cases.size() && go_on; ++i) {
    context.device.ResetObservations();
    Result<CaseOutcome> outcome =
        RunCase(context.lab, cases[i], context.device, context.session, context.random.Next());
    if (!outcome && outcome.error().kind == ErrorKind::kLimit) {
      // The buffers of a case are small beside the device: what is missing is what the student's code holds.
      Fail(RungStatus::kLimit, measurement);
      measurement->messages.push_back(outcome.error().message + "; does the program allocate and never free?");
      return Status();
    }
    if (!outcome) return outcome.error();
    if (Status s = Record(context, cases[i], std::move(*outcome), measurement, &go_on); !s.ok()) return s;
  }
  return Status();
}

}  // namespace warpgrade::judge
