// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "labs/lab4/values.h"

namespace lab4 {

// In the order of cases.yaml: those for `rung`, as the function that it implements. "" stands for v1_naive.
std::vector<Problem> PublicCases(std::string_view rung);

// Which of the functions a rung implements; kLine for names that there are not.
Variant VariantOf(std::string_view rung);

// "1000, mask 31"; "70 x 50, mask 3 x 5, spoiled values"; "3 planes of 480 x 512, mask 3 x 3".
std::string Name(const Problem& p);

}  // namespace lab4
