// What every rung may include and call: all that is needed to write a kernel. Libraries that would solve the exercise
// (CUB, Thrust, cuBLAS) and functions that reach out of the program (files, processes, the dynamic linker) are not
// allowed. `allow` in course.yaml adds to the lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/object_symbols.h"
#include "grader/config/course.h"

namespace warpgrade::build {

// The headers as they are included: those of every rung, then those of `allow` that are not patterns.
std::vector<std::string> AllowedHeaders(const config::Allowance& allow);

// The first of the `opened` files that is not allowed. Allowed are files in the folder `own`, the files `brought` that
// the allowed headers include, and files that match a pattern of `allow`. All paths are canonical.
std::optional<std::string> FindForbiddenHeader(const std::vector<std::string>& opened, const std::string& own,
                                               const std::vector<std::string>& brought, const config::Allowance& allow);

// The first symbol that a rung may not use or define, by the word to search for in its text.
struct ForbiddenSymbol {
  std::string name;  // "system", or a part of a C++ name: "ifstream"
  bool is_defined = false;
};
std::optional<ForbiddenSymbol> FindForbiddenSymbol(const ObjectSymbols& symbols, const config::Allowance& allow);

// Whether `name` matches `pattern`, in which "*" stands for any text.
bool Matches(std::string_view name, std::string_view pattern);

// The first line (from 1) that has `word` as a whole word, also in comments; 0 if there is none.
int LineWithWord(std::string_view text, std::string_view word);

}  // namespace warpgrade::build
