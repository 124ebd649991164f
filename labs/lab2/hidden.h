// The hidden cases of lab2. Not for students: see hidden.cc.
#pragma once

#include <string_view>
#include <vector>

#include "grader/lab/lab.h"
#include "labs/lab2/cases.h"

namespace lab2 {

// Drawn afresh for each grading of a rung.
std::vector<MatrixCase> HiddenCases(std::string_view rung, warpgrade::Random& random);

}  // namespace lab2
