// What to tell a student who is stuck: where to look, never the answer.
#pragma once

#include <string>
#include <string_view>

namespace lab6 {

// `what` is "correctness" or a name from metrics.def. "" when there is nothing to add.
std::string Hint(std::string_view rung, std::string_view what);

// The rung whose name stands in a program's file name: ".../lab6_v3_rolling_tests" is "v3_rolling". "" when none does.
std::string RungOfProgram(std::string_view program);

}  // namespace lab6
