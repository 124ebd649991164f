// The hidden cases of lab10. Not for students: see hidden.cc.
#pragma once

#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "labs/lab10/cases.h"

namespace lab10 {

// Drawn afresh for each grading of a rung.
std::vector<Problem> HiddenCases(std::string_view rung, warpgrade::Random& random);

}  // namespace lab10
