// The public cases, for the judge and for the tests: the rows of cases.yaml, and the case that asks for the fault.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "labs/lab8/values.h"

namespace lab8 {

// In the order of cases.yaml: those of the rung's task, and last the name of its fault.
std::vector<Problem> PublicCases(std::string_view rung);

// The task of a rung by its name, "v8_transpose"; kBlockSums when there is no such rung.
Task TaskOf(std::string_view rung);

// The number of a rung by its name: 8 for "v8_transpose".
int NumberOf(std::string_view rung);

// "n = 1000, 64 threads", "n = 1000", "33 x 65", "1000 neurons", "the name of the fault".
std::string Name(const Problem& p);

}  // namespace lab8
