// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "labs/lab3/values.h"

namespace lab3 {

// In the order of cases.yaml: those for `rung`, with A and B of the type that it multiplies. "" stands for a rung that
// has all of them.
std::vector<Problem> PublicCases(std::string_view rung);

// kHalf for v7_tensor, kFloat for all others.
Variant VariantOf(std::string_view rung);

// "31 x 33 times 33 x 65", "70 x 50 times 50 x 90, half, spoiled values".
std::string Name(const Problem& p);

}  // namespace lab3
