// What to tell a student whose answer is wrong or who misses a limit: where to look, never the answer.
#pragma once

#include <string>
#include <string_view>

namespace lab0 {

// `what` is "correctness" or a metric's name. "" when there is nothing to add.
std::string Hint(std::string_view rung, std::string_view what);

}  // namespace lab0
