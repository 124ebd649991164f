// A number and the noun that it counts, for messages: "1 error", "3 errors". Tested by tests/result/counted_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

// The noun is given in the singular; its plural takes an "s". Zero takes the plural.
inline std::string Counted(uint64_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " ";
  text += noun;
  if (count != 1) text += "s";
  return text;
}

// The verb that goes with a count: "1 finding is", "2 findings are".
inline const char* IsOrAre(uint64_t count) { return count == 1 ? "is" : "are"; }

}  // namespace warpgrade
