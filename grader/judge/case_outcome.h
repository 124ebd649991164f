// What became of one call: what the worker's answer says, in the words of the report.
#pragma once

#include <string>

#include "grader/judge/device.h"
#include "grader/judge/session.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// The outcome of one call.
struct CaseOutcome {
  enum class Kind {
    kPassed,
    kFailed,      // `failure`; the worker can go on
    kNotWritten,  // the student's function is still the starter's
    kFatal,       // `failure`; the worker's device context is lost: no later call can succeed
    kEnded,       // the worker is gone: Session::end()
  } kind = Kind::kPassed;
  score::CaseFailure failure;
  score::RungStatus fatal_status = score::RungStatus::kCrashed;  // of kFatal: kCrashed or kTimeout
  std::string error_name;                                        // of a CUDA error: "cudaErrorIllegalAddress"
  bool threw = false;                                            // the host function threw, whatever else happened
};

// What the worker's answer says about a call; kPassed when it says kOk. Pure.
CaseOutcome Interpret(const protocol::Done& done, const std::string& case_name);

// Says in which line the call stands whose error ended the case.
void NameFailedCall(const protocol::Done& done, const JudgeDevice& device, Session& session,
                    score::CaseFailure* failure);

}  // namespace warpgrade::judge
