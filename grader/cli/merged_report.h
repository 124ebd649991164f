// The report of a lab whose rungs were graded at different times.
#pragma once

#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::cli {

// `newer` in the place of what `report` has of the same rungs, in the order of `rungs`; sums anew. Both are of one
// submission and one lab, or have none. All but the rungs is `newer`'s.
score::GradingReport Merged(const score::GradingReport& report, const score::GradingReport& newer,
                            const std::vector<std::string>& rungs);

// The rung that a file belongs to: "v3_sequential" of "lab1/v3_sequential.cu", "quiz" of "answers.yaml", "" of others.
std::string RungOfFile(const std::string& name);

}  // namespace warpgrade::cli
