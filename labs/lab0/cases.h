// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "labs/lab0/values.h"

namespace lab0 {

// In the order of cases.yaml: those of `task`.
std::vector<Problem> PublicCases(Task task);

// The task of a rung by its name, "v2_image"; kVectorAdd when there is no such rung.
Task TaskOf(std::string_view rung);

// "n = 1000", "480 x 512 pixels", "n = 1000, 4 streams", "n = 1000 in segments of 7", "n = 1000, 64 classes".
std::string Name(const Problem& p);

}  // namespace lab0
