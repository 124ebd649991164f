// Silences the compiler about what a starter declares for its student and does not use yet.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::starter {

// `text` with "[[maybe_unused]]" in front of each `constexpr` constant and each `__shared__` array that begins its line
// and whose name occurs nowhere else in the code. nvcc would warn of each of them until the student has written the
// code that needs it.
std::string MarkUnusedNames(std::string_view text);

}  // namespace warpgrade::starter
