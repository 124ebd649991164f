// What the checks of the solutions' answers tell the author of a lab about its reference and its tolerances.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::cli {

// "0.02 s at most for a case; the solutions need 12% of the tolerance"; "" if nothing is known.
std::string ChecksWords(const score::AnswerChecks& checks);

// "what; what to do", if the reference is slow or an answer comes near to its tolerance. `rung`: the one whose answer
// came closest.
std::vector<std::string> ChecksNotes(const score::AnswerChecks& checks, const std::string& rung);

// What to say of a solution that is right in `right` of `of` gradings, which draw other values each; "" if they agree.
// `told`: what a student would be told in a wrong one.
std::string RightByLuck(const std::string& rung, size_t right, size_t of, const std::string& told);

}  // namespace warpgrade::cli
