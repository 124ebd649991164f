// The arithmetic behind an answer, in words for staff: `quiz --answers --explain`.
#pragma once

#include <string>
#include <string_view>

#include "grader/quiz/functions.h"

namespace warpgrade::quiz {

// For example "1000000 / 256 = 3906.25, rounded up = 3907". Ends with the answer, as ValueText writes it.
// REQUIRES: `values` fit the function, and IsExplained(function.name).
std::string Explain(const Function& function, const Values& values);

// Whether explain*.cc have a row for the function. Every function of the table has one; a test looks.
bool IsExplained(std::string_view function);

}  // namespace warpgrade::quiz
