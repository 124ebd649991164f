// The result that a step of a GitHub Classroom workflow hands to Classroom's reporter.
#pragma once

#include <string>
#include <string_view>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

inline constexpr const char* kClassroomFlag = "--github-classroom";
// The reporter gets the result in an environment variable, which Linux bounds with its name to 128 KiB.
inline constexpr size_t kClassroomBytes = (128 << 10) - 256;

// One line: base64 of {"version","status","max_score","tests":[{"name","status","message","line_no","execution_time",
// "score"}]}.
//
// The reporter computes the mark in two ways: as the sum of the scores, and as the share of tests that pass, times
// max_score. Both give the same mark here, because all tests are worth the same: a rung of 10 points of which a student
// has 7 becomes 10 tests of one point, and 7 of them pass. If this needs more than kMostClassroomTests tests, because
// points have decimals, each rung is one test; then only the sum is the mark. The same holds for a lab with a bonus,
// because the share of tests cannot exceed the whole.
//
// The status is "pass" if the submission has all points that this device can give. A submission that is not finished
// has the status "error" and max_score 0, which reports no mark. Errors (kUsage): the report does not have exactly one
// submission, or it has too many rungs.
Result<std::string> ClassroomText(const score::GradingReport& report);

inline constexpr int64_t kMostClassroomTests = 300;

std::string Base64(std::string_view bytes);

}  // namespace warpgrade::report
