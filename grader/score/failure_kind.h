// Which failed cases are alike: most likely one fault made them fail.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::score {

// What the failure says, without what differs from case to case: the case's name in front, numbers, and the types in
// angle brackets. "" for a failure without a message, which is like no other.
std::string KindOf(const CaseFailure& failure);

}  // namespace warpgrade::score
