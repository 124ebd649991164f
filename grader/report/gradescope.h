// results.json of Gradescope, which an autograder leaves in results/.
#pragma once

#include <string>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

inline constexpr const char* kGradescopeFlag = "--gradescope";

// The sum of the points, one test for each rung, and the leaderboards that the submission is in. All texts are plain
// text. A test is "passed" if the rung has all points that this device can give. If a rung is not finished, the file
// has no points at all, which Gradescope shows as a failure of the autograder and not as a mark. Errors (kUsage): the
// report does not have exactly one submission.
Result<std::string> GradescopeText(const score::GradingReport& report);

}  // namespace warpgrade::report
