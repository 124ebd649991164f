// What a student's file may include: its lab's header and what that brings, the host compiler's headers and CUDA's.
// Anything else, a solution lying about or another student's file, is refused.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

// labs/LAB/LAB.h and all it includes from labs/, as "labs/lab1/lab1.h" -> text, looked for in `include_dirs`. Errors
// (kMachine): the kit lacks one of them.
Result<std::map<std::string, std::string>> LabHeaders(const std::string& lab,
                                                      const std::vector<std::string>& include_dirs);

// The names in the #include lines of a text, without brackets; for an include by macro, the macro. Lines that are
// commented out may be among them.
struct Include {
  int line = 0;
  std::string name;
};
std::vector<Include> IncludesIn(std::string_view text);

// The files that a make rule, as compilers write it (-MD), depends on.
std::vector<std::string> DependenciesIn(std::string_view rule);

// Those of `dependencies` that lie below none of `allowed`, with every link resolved. Relative ones start at `base`.
std::vector<std::string> ForbiddenDependencies(const std::vector<std::string>& dependencies,
                                               const std::filesystem::path& base,
                                               const std::vector<std::filesystem::path>& allowed);

}  // namespace warpgrade::build
