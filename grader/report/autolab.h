// The output of an Autolab autograder.
#pragma once

#include <string>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

inline constexpr const char* kAutolabFlag = "--autolab";

// The table of the submission, which Autolab shows to the student, and then the line that Autolab reads:
//
//   {"scores":{"lab2.v1_naive":10,...},"scoreboard":[29]}
//
// The course's problems in Autolab must have the names of the rungs. A rung that is not finished has no score, and then
// there is no scoreboard. Errors (kUsage): the report does not have exactly one submission.
Result<std::string> AutolabText(const score::GradingReport& report);

}  // namespace warpgrade::report
