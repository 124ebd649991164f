// What to tell a student who is stuck: where to look, never the answer.
#pragma once

#include <string>
#include <string_view>

namespace lab10 {

// `what` is "correctness" or a name from metrics.def. "" when there is nothing to add.
std::string Hint(std::string_view rung, std::string_view what);

}  // namespace lab10
