// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <string>
#include <vector>

#include "labs/lab6/values.h"

namespace lab6 {

// In the order of cases.yaml, each with weights of its own. All rungs have the same but for v1, which has one with more
// blocks of rows than gridDim.y can count. "" stands for a rung that has all of them.
std::vector<Problem> PublicCases(std::string_view rung);

// "33 x 65, 9 points, 2 steps", "70 x 50, 5 points, 1 step, spoiled".
std::string Name(const Problem& p);

}  // namespace lab6
