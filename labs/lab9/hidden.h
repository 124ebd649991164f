// The hidden cases of lab9. Not for students: see hidden.cc.
#pragma once

#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "labs/lab9/cases.h"

namespace lab9 {

// Drawn afresh for each grading of a rung.
std::vector<Problem> HiddenCases(std::string_view rung, warpgrade::Random& random);

}  // namespace lab9
