// Finds out what a student's file includes. It may include the header of its lab and the files that this includes, and
// headers of the host compiler and of CUDA. Other files, such as a solution or the file of another student, are
// refused.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

// labs/LAB/LAB.h and all files in labs/ that it includes, as "labs/lab1/lab1.h" -> text. They are searched in
// `include_dirs`. Errors (kMachine): one of them is missing in the kit.
Result<std::map<std::string, std::string>> LabHeaders(const std::string& lab,
                                                      const std::vector<std::string>& include_dirs);

// The names in the #include lines of a text, without brackets. For `#include MACRO` it is the macro. Lines in comments
// may be among them.
struct Include {
  int line = 0;
  std::string name;
};
std::vector<Include> IncludesIn(std::string_view text);

// The first line that is a #line directive, also of the form "# 1 "; 0: there is none. It does not see through macros.
int LineDirectiveIn(std::string_view text);

// The dependencies in a make rule that a compiler wrote (-MD).
std::vector<std::string> DependenciesIn(std::string_view rule);

// The `dependencies` that are not below any of the folders `allowed`, with all links resolved. Relative paths start at
// `base`.
std::vector<std::string> ForbiddenDependencies(const std::vector<std::string>& dependencies,
                                               const std::filesystem::path& base,
                                               const std::vector<std::filesystem::path>& allowed);

}  // namespace warpgrade::build
