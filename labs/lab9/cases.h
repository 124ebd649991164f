// The public cases, for the judge and for the tests: the rows of cases.yaml.
#pragma once

#include <string>
#include <vector>

#include "labs/lab9/values.h"

namespace lab9 {

// In the order of cases.yaml. The same for all rungs, since they are the same function.
std::vector<Problem> PublicCases();

// "1000 x 990, 8000 nonzeros", "1000 x 990, 8000 nonzeros, skewed, fractions".
std::string Name(const Problem& p);

}  // namespace lab9
