// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "labs/lab10/values.h"

namespace lab10 {

// Whether all of an element is its key, as in the rungs whose sort is not stable: v1 and v2.
bool SortsWholeElements(std::string_view rung);

// In the order of cases.yaml. Rungs that sort whole elements leave out the rows with fewer bits.
std::vector<Problem> PublicCases(std::string_view rung);

// "n = 1000, 13 bits, few".
std::string Name(const Problem& p);

}  // namespace lab10
