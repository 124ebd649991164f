// What to tell a student who is stuck: where to look, never the answer.
#pragma once

#include <string>
#include <string_view>

namespace lab5 {

// `what` is "correctness" or a name from metrics.def. "" when there is nothing to add.
std::string Hint(std::string_view rung, std::string_view what);

// The rung whose name stands in a program's file name: ".../lab5_v3_padded_tests" is "v3_padded". "" when none does.
std::string RungOfProgram(std::string_view program);

}  // namespace lab5
