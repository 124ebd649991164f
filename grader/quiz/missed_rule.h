// The mistake behind a wrong answer, where it can be recognised.
#pragma once

#include <string>

#include "grader/quiz/functions.h"

namespace warpgrade::quiz {

// The answer of somebody who uses the textbook's formula for occupancy, without rounding registers up for a warp, and
// what to tell this person; "" for every other answer and function.
std::string MissedRule(const Function& function, const Values& values, const Value& given);

}  // namespace warpgrade::quiz
