// What lab1 tells a student whose answer is wrong or whose metric misses its limit.
#pragma once

#include <string_view>

namespace warpgrade::lab1 {

// A sentence that says where to look and never the answer; "" when there is nothing to add. `what` is "correctness" or
// a name from metrics.def.
std::string_view HintFor(std::string_view rung, std::string_view what);

}  // namespace warpgrade::lab1
