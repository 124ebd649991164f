// What to tell a student who is stuck: where to look, never the answer.
#pragma once

#include <string>
#include <string_view>

namespace lab7 {

// `what` is "correctness" or a name from metrics.def. "" when there is nothing to add.
std::string Hint(std::string_view rung, std::string_view what);

// The rung whose name stands in a program's file name: ".../lab7_v3_warp_tests" is "v3_warp". "" when none does.
std::string RungOfProgram(std::string_view program);

}  // namespace lab7
