// Turns the worker's answer into a sentence for the student. CUDA's errors come with what they usually mean, and with
// the line of the call that they came from, where it is known. Tests: tests/judge/correctness_test.cc,
// call_contract_test.cc (fake device).
#include "grader/judge/case_outcome.h"

#include <algorithm>
#include <optional>

#include "grader/judge/plain_text.h"

namespace warpgrade::judge {
namespace {

using score::CaseFailure;

constexpr size_t kExceptionBytes = 300;

// Errors after which CUDA refuses every further call of the process ("sticky").
struct FatalError {
  const char* name;
  score::RungStatus status;
  const char* plain;
};
constexpr FatalError kFatalErrors[] = {
    {"cudaErrorIllegalAddress", score::RungStatus::kCrashed, "a kernel accessed memory that is not its own"},
    {"cudaErrorMisalignedAddress", score::RungStatus::kCrashed, "a kernel accessed a misaligned address"},
    {"cudaErrorLaunchTimeout", score::RungStatus::kTimeout, "a kernel did not end; look for a loop that never ends"},
    {"cudaErrorAssert", score::RungStatus::kCrashed, "an assert in a kernel failed"},
    {"cudaErrorHardwareStackError", score::RungStatus::kCrashed, "a kernel's call stack overflowed"},
    {"cudaErrorIllegalInstruction", score::RungStatus::kCrashed, "a kernel executed an illegal instruction"},
    {"cudaErrorInvalidAddressSpace", score::RungStatus::kCrashed, "a kernel used an address of the wrong memory space"},
    {"cudaErrorInvalidPc", score::RungStatus::kCrashed, "a kernel jumped to an address without code"},
    {"cudaErrorLaunchFailure", score::RungStatus::kCrashed, "a kernel failed while it ran"},
};

const FatalError* FindFatal(const std::string& name) {
  const auto row = std::find_if(std::begin(kFatalErrors), std::end(kFatalErrors),
                                [&name](const FatalError& candidate) { return name == candidate.name; });
  return row == std::end(kFatalErrors) ? nullptr : row;
}

std::string Place(protocol::Where where) {
  switch (where) {
    case protocol::Where::kMapping:
      return "when the grader's buffers were opened";
    case protocol::Where::kLaunch:
      return "from one of your launches or calls";
    case protocol::Where::kSynchronize:
      return "from one of your kernels while it ran";
    case protocol::Where::kNowhere:
      break;
  }
  return "from CUDA";
}

CaseOutcome InterpretCudaError(const protocol::Done& done, CaseFailure failure) {
  const std::string name = PlainField(done.cuda_name);
  const std::string error = name + " (" + std::to_string(done.cuda_code) + ") " + Place(done.where);
  CaseOutcome outcome;
  outcome.error_name = name;
  if (const FatalError* const fatal = FindFatal(name)) {
    outcome.kind = CaseOutcome::Kind::kFatal;
    outcome.fatal_status = fatal->status;
    failure.message = std::string(fatal->plain) + ": " + error;
  } else {
    outcome.kind = CaseOutcome::Kind::kFailed;
    failure.message = error + ": " + PlainField(done.text);
    if (name == "cudaErrorInvalidConfiguration") {
      failure.message +=
          "; for this size, has the grid 0 blocks (was their number rounded down?), or has a block more than 1024 "
          "threads?";
    }
  }
  outcome.failure = std::move(failure);
  return outcome;
}

std::string Thrown(const std::string& text) {
  if (text.starts_with(kRefused) || text.starts_with(kStopped)) return text;
  const bool returned = text.starts_with(kReturned);
  return "your host function" + (returned ? text.substr(2) : " threw an exception: " + text);
}

}  // namespace

CaseOutcome Interpret(const protocol::Done& done, const std::string& case_name) {
  CaseFailure failure;
  failure.case_name = case_name;
  CaseOutcome outcome;
  switch (done.status) {
    case protocol::DoneStatus::kOk:
      return outcome;
    case protocol::DoneStatus::kNotWritten:
      outcome.kind = CaseOutcome::Kind::kNotWritten;
      failure.message = "not written yet for this case";
      break;
    case protocol::DoneStatus::kException:
      outcome.kind = CaseOutcome::Kind::kFailed;
      outcome.threw = true;
      failure.message = Thrown(PlainText(PlainField(done.text), kExceptionBytes));
      if (const FatalError* const fatal = FindFatal(PlainField(done.cuda_name))) {
        outcome.kind = CaseOutcome::Kind::kFatal;
        outcome.fatal_status = fatal->status;
        outcome.error_name = fatal->name;
      }
      break;
    case protocol::DoneStatus::kCudaError:
      return InterpretCudaError(done, std::move(failure));
    case protocol::DoneStatus::kBadRequest:
    default:
      outcome.kind = CaseOutcome::Kind::kFailed;
      failure.message = "the worker did not understand the grader: " + PlainField(done.text);
      break;
  }
  outcome.failure = std::move(failure);
  return outcome;
}

void NameFailedCall(const protocol::Done& done, const JudgeDevice& device, Session& session, CaseFailure* failure) {
  const bool threw = done.status == protocol::DoneStatus::kException;
  const bool refused = done.status == protocol::DoneStatus::kCudaError && done.where == protocol::Where::kLaunch;
  if (!threw && !refused) return;
  const host_lines::SourceLine line =
      session.LineOf(device.CallThatFailed(refused ? std::optional(done.cuda_code) : std::nullopt));
  const std::string place = line.file.empty() ? "" : line.file + ":" + std::to_string(line.line);
  if (threw && failure->message.starts_with(kRefused)) {
    const std::string why = PlainText(device.WhyCallFailed(), kExceptionBytes);
    if (!why.empty()) failure->message += "; " + (place.empty() ? why : place + ": " + why);
    if (!why.empty()) return;
  }
  if (place.empty()) return;
  failure->message =
      refused ? place + ": " + failure->message : failure->message + "; the last CUDA call that failed is in " + place;
}

}  // namespace warpgrade::judge
