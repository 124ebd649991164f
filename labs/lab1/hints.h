// What to tell a student who is stuck: where to look, never the answer.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lab1 {

// `what` is "correctness" or a name from metrics.def. "" when there is nothing to add.
std::string Hint(std::string_view rung, std::string_view what);
// As Lab::Note.
std::string Note(std::string_view rung, const std::map<std::string, double>& metrics);

}  // namespace lab1
