// Runs each case with RunCase and turns its outcome, the emulator's findings and its counters into status, failures and
// messages. A case also fails when the emulator counted too little work for its answer. After a kernel's fault the next
// case gets a new worker, as the device context of the old one is lost. Tests:
// tests/judge/correctness_test.cc, findings_test.cc, emulated_rung_test.cc, call_contract_test.cc.
#include "grader/judge/correctness.h"

#include <algorithm>

#include "grader/judge/findings.h"
#include "grader/score/failure_kind.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;
using score::RungStatus;

// Moves what the emulator saw during the case into the measurement. Returns whether it saw a fault.
bool CollectFindings(const RungContext& context, const Case& c, RungMeasurement* measurement) {
  std::vector<score::Finding> seen =
      context.device.Findings([&context](uint64_t address) { return context.session.LineOf(address); });
  const bool any = !seen.empty();
  for (score::Finding& finding : seen) {
    finding.file = ShortFile(finding.file, context.rung);
    finding.other_file = ShortFile(finding.other_file, context.rung);
  }
  AddFindings(std::move(seen), c, &measurement->findings);
  if (any && context.pictures) KeepRaces(context.device.Pictures(context.rung).races, measurement);
  return any;
}

void Fail(RungStatus status, RungMeasurement* measurement) {
  if (measurement->status == RungStatus::kPassed || measurement->status == RungStatus::kFailed) {
    measurement->status = status;
  }
}

using Metrics = std::map<std::string, double>;

// Returns a sentence such as "kernels stored 4 bytes, but the answer has 400" (`did` is "stored", `of` is "bytes",
// `whole` is "the answer has"). Returns "" if the kernels did enough, or if nobody counted.
std::string TooLittle(const Metrics& metrics, const char* metric, uint64_t fewest, const char* did, const char* of,
                      const char* whole) {
  const auto counted = metrics.find(metric);
  if (counted == metrics.end() || counted->second >= static_cast<double>(fewest)) return "";
  const uint64_t count = static_cast<uint64_t>(counted->second);
  return std::string("kernels ") + did + " " + std::to_string(count) + " " + of + ", but " + whole + " " +
         std::to_string(fewest);
}

// Says that the kernels did less work than the answer needs; "" if they did enough.
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
         ": the values are right, but they were not computed on the device; let your kernels read the whole input from "
         "device memory and write the answer";
}

// Says that the call brought more data to where host code can read it than a check of progress needs; "" if it did not.
// Host code that has the input can compute the answer itself and let a kernel carry it back.
std::string BroughtToTheHost(const Metrics& metrics, const RungContext& context, const Case& c) {
  const auto brought = metrics.find("host_visible_bytes");
  if (brought == metrics.end() || brought->second <= static_cast<double>(context.most_host_visible_bytes)) return "";
  if (HasHostArrays(context.lab, c)) return "";
  return "the values are right, but the call brought " + std::to_string(static_cast<uint64_t>(brought->second)) +
         " bytes from device memory to where host code can read them; the limit is " +
         std::to_string(context.most_host_visible_bytes) +
         ", because kernels must do the work. Do not copy data to the host, and let kernels write to device memory, "
         "not to managed or mapped memory";
}

// The failure of a case that passed, although the emulator's counts show that its answer need not come from kernels.
std::optional<score::CaseFailure> ComputedElsewhere(const RungContext& context, const Case& c) {
  const Metrics metrics = context.device.KernelMetrics(c.elements);
  std::string what = DidTooLittle(metrics, c);
  if (what.empty()) what = BroughtToTheHost(metrics, context, c);
  if (what.empty()) return std::nullopt;
  score::CaseFailure failure;
  failure.case_name = c.name;
  failure.case_number = c.number;
  failure.case_elements = c.elements;
  failure.message = c.name + ": " + what;
  return failure;
}

bool NothingWritten(const RungMeasurement& measurement) {
  return measurement.cases_passed == 0 && measurement.failures.empty() && measurement.status == RungStatus::kPassed;
}

// What may be done after a case.
enum class Next { kCase, kNewWorker, kNothing };

// A kernel's fault: the case failed as any other, unless no end of the kernel was in sight.
Next RecordFault(CaseOutcome outcome, RungMeasurement* measurement) {
  const bool ends = outcome.fatal_status == RungStatus::kTimeout;
  Fail(ends ? outcome.fatal_status : RungStatus::kFailed, measurement);
  AddFailure(std::move(outcome.failure), ends, measurement);
  return ends ? Next::kNothing : Next::kNewWorker;
}

// Errors: cancelled, or its sandbox failed.
Status Record(const RungContext& context, const Case& c, CaseOutcome outcome, RungMeasurement* measurement,
              Next* next) {
  const bool faulty = CollectFindings(context, c, measurement);
  outcome.failure.explained = faulty;
  outcome.failure.case_number = c.number;
  outcome.failure.case_elements = c.elements;
  ++measurement->cases_run;
  switch (outcome.kind) {
    case CaseOutcome::Kind::kPassed:
      if (faulty) {
        // The values came out right this time. The findings say the rest.
        Fail(RungStatus::kFailed, measurement);
        ++measurement->cases_faulty;
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
        *next = Next::kNothing;
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
      *next = RecordFault(std::move(outcome), measurement);
      return Status();
    case CaseOutcome::Kind::kEnded:
      break;
  }
  *next = Next::kNothing;
  score::CaseFailure failure;
  failure.case_name = c.name;
  failure.case_number = c.number;
  failure.message = "the program ended during this case";
  failure.explained = faulty;
  AddFailure(std::move(failure), true, measurement);
  return RecordEnd(context.session.end(), measurement);
}

// Makes the next of the cases possible after a fault, if there is one. `*faults` counts. Errors: as Session::Restart.
Status ReplaceWorker(const RungContext& context, size_t cases_left, RungMeasurement* measurement, int* faults,
                     Next* next) {
  ++*faults;
  if (cases_left == 0) return Status();
  if (context.device.throughput() != nullptr && *faults == kMostFaultsOnGpu) {
    measurement->messages.push_back("stopped after " + std::to_string(*faults) + " cases in which a kernel faulted; " +
                                    std::to_string(cases_left) + " cases were not run");
    *next = Next::kNothing;
    return Status();
  }
  if (Status s = context.session.Restart(); !s.ok()) return s;
  if (context.session.alive()) return Status();
  *next = Next::kNothing;
  return RecordEnd(context.session.end(), measurement);
}

bool AreAlike(const score::CaseFailure& a, const score::CaseFailure& b) {
  return a.explained == b.explained && score::KindOf(a) == score::KindOf(b);
}

// A failure of a known kind is only counted; but that of a larger case takes the place of that of an empty one, which
// shows little, unless only the empty one is public. The first failure of a new kind takes the place of one whose kind
// another one shows.
void AddToFullList(score::CaseFailure failure, std::vector<score::CaseFailure>* failures) {
  for (size_t i = failures->size(); i-- > 0;) {
    score::CaseFailure& kept = (*failures)[i];
    if (!AreAlike(kept, failure)) continue;
    failure.alike = kept.alike + 1;
    const bool becomes_hidden = kept.case_number > 0 && failure.case_number == 0;
    if (kept.case_elements == 0 && failure.case_elements > 0 && !becomes_hidden) {
      kept = std::move(failure);
    } else {
      kept.alike = failure.alike;
    }
    return;
  }
  for (size_t i = failures->size(); i-- > 1;) {
    for (size_t first = 0; first < i; ++first) {
      if (!AreAlike((*failures)[first], (*failures)[i])) continue;
      (*failures)[first].alike += (*failures)[i].alike + 1;
      failures->erase(failures->begin() + static_cast<std::ptrdiff_t>(i));
      failures->push_back(std::move(failure));
      return;
    }
  }
}

constexpr uint64_t kOrderOfNumbers = 0;

// As JudgeDevice::BeginCase.
struct How {
  uint64_t number = 0, order = 0;
};

// Runs the case in this way and records what came of it. Errors: as RunCases.
Status Try(const RungContext& context, const Case& c, const How& how, const Random& random,
           RungMeasurement* measurement, Next* next) {
  *next = Next::kCase;
  context.device.BeginCase(how.number, how.order);
  context.device.ResetObservations();
  Result<CaseOutcome> outcome = RunCase(context.lab, c, context.device, context.session, random, context.leftovers);
  if (!outcome && outcome.error().kind == ErrorKind::kLimit) {
    // A case's buffers are small compared with the device, so the student's own allocations use up the memory.
    Fail(RungStatus::kLimit, measurement);
    measurement->messages.push_back(outcome.error().message + "; does the program allocate and never free?");
    *next = Next::kNothing;
    return Status();
  }
  if (!outcome) return outcome.error();
  if (outcome->kind == CaseOutcome::Kind::kPassed) context.device.CallEnded();
  // Public cases come before the hidden ones, so this tells nothing about those.
  if (c.number > 0) context.device.KeepLeaks();
  return Record(context, c, std::move(*outcome), measurement, next);
}

// Says once that a case is right in one order and wrong in another, and how to repeat that.
void SayThatTheOrderMatters(const RungContext& context, const Case& c, RungMeasurement* measurement) {
  constexpr const char* kWhat =
      ": the result depends on the order in which blocks and warps run. The case is right if they start in the order "
      "of their numbers. It is wrong in the order in which they ran here, and CUDA promises no order. Does a block use "
      "what another block has made, without waiting until it is there? The number of a block does not tell whether it "
      "is the last one: let the result of an atomic operation decide that";
  measurement->delay_seed = context.order_seed;
  for (const std::string& message : measurement->messages) {
    if (message.ends_with(kWhat)) return;
  }
  measurement->messages.push_back(c.name + kWhat);
}

// Whether a launch of the last try was stopped because no end of it was in sight.
bool WasStopped(const RungMeasurement& tried, Next next) {
  return next == Next::kNothing && tried.status == RungStatus::kTimeout;
}

// Makes another try of the same case possible. `*next` is what came after the last one; afterwards kNothing: there is
// no worker, and `measurement` says why. Errors: as Session::Restart.
Status PrepareAnotherTry(const RungContext& context, RungMeasurement* measurement, Next* next) {
  if (*next == Next::kCase) return Status();
  if (Status s = context.session.Restart(); !s.ok()) return s;
  *next = context.session.alive() ? Next::kCase : Next::kNothing;
  return context.session.alive() ? Status() : RecordEnd(context.session.end(), measurement);
}

// As Try, in another order. A kernel that never ends would use up its whole budget of instructions here, and again in
// the order of the numbers, where it often comes back to an earlier state and is stopped at once. So it gets a small
// budget first. If that is not enough and the order of the numbers shows an endless kernel too, only the latter is
// recorded, and `*settled` is true. Otherwise the whole budget decides.
Status TryInAnotherOrder(const RungContext& context, const Case& c, const How& how, const Random& random,
                         RungMeasurement* measurement, Next* next, bool* settled) {
  RungMeasurement tried = *measurement;
  context.device.ShortenLaunches(true);
  Status run = Try(context, c, how, random, &tried, next);
  context.device.ShortenLaunches(false);
  if (!run.ok()) return run;
  if (!WasStopped(tried, *next) || !context.session.alive()) {
    *measurement = std::move(tried);
    return Status();
  }
  tried = *measurement;
  if (Status s = PrepareAnotherTry(context, &tried, next); !s.ok()) return s;
  if (*next == Next::kCase) {
    if (Status s = Try(context, c, {how.number, kOrderOfNumbers}, random, &tried, next); !s.ok()) return s;
  }
  *settled = WasStopped(tried, *next) || !context.session.alive();
  if (*settled) {
    *measurement = std::move(tried);
    return Status();
  }
  if (Status s = PrepareAnotherTry(context, measurement, next); !s.ok() || *next != Next::kCase) return s;
  return Try(context, c, how, random, measurement, next);
}

// RunCases describes it. Errors: as RunCases.
Status TryInBothOrders(const RungContext& context, const Case& c, const How& how, RungMeasurement* measurement,
                       Next* next) {
  const Random random = context.random.Next();
  RungMeasurement tried = *measurement;
  bool settled = false;
  if (Status s = TryInAnotherOrder(context, c, how, random, &tried, next, &settled); !s.ok()) return s;
  const bool passed = tried.cases_passed > measurement->cases_passed;
  const bool was_run = tried.status != RungStatus::kNotWritten && tried.status != RungStatus::kLimit;
  if (passed || settled || !was_run || !context.session.alive()) {
    *measurement = std::move(tried);
    return Status();
  }
  Next prepared = *next;
  if (Status s = PrepareAnotherTry(context, &tried, &prepared); !s.ok()) return s;
  if (prepared == Next::kNothing) {
    *measurement = std::move(tried);
    *next = Next::kNothing;
    return Status();
  }
  RungMeasurement again = *measurement;
  Next after = Next::kCase;
  if (Status s = Try(context, c, {how.number, kOrderOfNumbers}, random, &again, &after); !s.ok()) return s;
  if (again.cases_passed == measurement->cases_passed) {
    *measurement = std::move(again);
    *next = after;
    return Status();
  }
  SayThatTheOrderMatters(context, c, &tried);
  *measurement = std::move(tried);
  if (*next == Next::kNewWorker) *next = Next::kCase;  // it is there already
  return Status();
}

}  // namespace

uint64_t AnotherOrder(uint64_t order_seed, uint64_t number) { return SeedFor("order", order_seed, number); }

void AddFailure(score::CaseFailure failure, bool worst, RungMeasurement* measurement) {
  std::vector<score::CaseFailure>& failures = measurement->failures;
  if (worst) {
    failures.insert(failures.begin(), std::move(failure));
    if (failures.size() > kMaxFailures) failures.pop_back();
  } else if (failures.size() < kMaxFailures) {
    failures.push_back(std::move(failure));
  } else {
    AddToFullList(std::move(failure), &failures);
  }
}

Status RecordEnd(const WorkerEnd& end, RungMeasurement* measurement) {
  if (end.blameless) return Error{ErrorKind::kMachine, end.messages.front()};
  Fail(end.status, measurement);
  measurement->out_of_time |= end.out_of_time;
  measurement->messages.insert(measurement->messages.end(), end.messages.begin(), end.messages.end());
  return Status();
}

Status RunCases(const RungContext& context, std::vector<Case> cases, RungMeasurement* measurement) {
  // A GPU gives memory as long as it has some. Such a rung is judged on the emulator as well.
  if (!context.device.CanFailAllocations()) {
    std::erase_if(cases, [](const Case& c) { return c.failing_allocation > 0; });
  }
  measurement->cases += static_cast<int>(cases.size());
  Next next = Next::kCase;
  int faults = 0;
  for (size_t i = 0; i < cases.size() && next != Next::kNothing; ++i) {
    if (context.progress != nullptr) context.progress->Tell({static_cast<int>(i) + 1, static_cast<int>(cases.size())});
    const uint64_t number = cases[i].number > 0 ? static_cast<uint64_t>(cases[i].number) : i + 1;
    const bool reordered = context.order_seed != 0 && (context.order_seed + number) % 2 == 0;
    Status run =
        reordered
            ? TryInBothOrders(context, cases[i], {number, AnotherOrder(context.order_seed, number)}, measurement, &next)
            : Try(context, cases[i], {number, kOrderOfNumbers}, context.random.Next(), measurement, &next);
    if (!run.ok()) return run;
    if (next != Next::kNewWorker) continue;
    if (Status s = ReplaceWorker(context, cases.size() - 1 - i, measurement, &faults, &next); !s.ok()) return s;
  }
  if (context.progress != nullptr) context.progress->Tell({});
  DropConsequences(&measurement->findings);
  DropRacesWithoutFinding(context.rung, measurement);
  return Status();
}

Status RunOneMore(const RungContext& context, const Case& c, uint64_t order, RungMeasurement* measurement) {
  RungMeasurement tried = *measurement;
  --tried.cases_run;
  --tried.cases_passed;
  Next next = Next::kCase;
  Status run = order == kOrderOfNumbers ? Try(context, c, {0, order}, context.random.Next(), &tried, &next)
                                        : TryInBothOrders(context, c, {0, order}, &tried, &next);
  if (!run.ok()) return run;
  if (tried.cases_passed == measurement->cases_passed) return Status();
  DropConsequences(&tried.findings);
  DropRacesWithoutFinding(context.rung, &tried);
  *measurement = std::move(tried);
  return Status();
}

}  // namespace warpgrade::judge
