// The hidden cases of lab6. Not for students: see hidden.cc.
#pragma once

#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "labs/lab6/cases.h"

namespace lab6 {

// Drawn afresh for each grading of a rung.
std::vector<Problem> HiddenCases(std::string_view rung, warpgrade::Random& random);

}  // namespace lab6
