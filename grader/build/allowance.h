// What every rung may include and link with: what a kernel is written with, and nothing that writes it for the student
// (CUB, Thrust, cuBLAS) or reaches out of the program (files, processes, the dynamic linker). course.yaml's `allow`
// adds to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/object_symbols.h"
#include "grader/config/course.h"

namespace warpgrade::build {

// As they are included. Those of `allow` that are no patterns come after the ones that every rung may.
std::vector<std::string> AllowedHeaders(const config::Allowance& allow);

// Of the files that a rung has opened, the first that neither lies in `own`, nor is among `brought`, which the allowed
// headers bring with them, nor matches a pattern of `allow`. All are canonical paths.
std::optional<std::string> FindForbiddenHeader(const std::vector<std::string>& opened, const std::string& own,
                                               const std::vector<std::string>& brought, const config::Allowance& allow);

// The first symbol that a rung may not have, and the word by which its text may be searched for it.
struct ForbiddenSymbol {
  std::string name;  // "system", or a C++ name's part: "ifstream"
  bool is_defined = false;
};
std::optional<ForbiddenSymbol> FindForbiddenSymbol(const ObjectSymbols& symbols, const config::Allowance& allow);

// Whether `name` is as `pattern` says, in which "*" stands for anything.
bool Matches(std::string_view name, std::string_view pattern);

// The first line, from 1, that has `word` as a word, in code or not; 0 when there is none.
int LineWithWord(std::string_view text, std::string_view word);

}  // namespace warpgrade::build
