// For formats that can hold the results of one submission only.
#pragma once

#include <string>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// What to tell a person who asked for the format `flag` and has `count` submissions. REQUIRES: count != 1.
Error NotOneSubmission(const std::string& flag, size_t count);

// The only submission of `report`. Errors (kUsage): there is none, or there are several.
Result<const score::SubmissionScore*> OnlySubmission(const score::GradingReport& report, const std::string& flag);

}  // namespace warpgrade::report
