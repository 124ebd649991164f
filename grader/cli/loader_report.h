// Why the dynamic loader ended a program: it ends one with status 127 when a library or a function is missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/cli/program_file.h"

namespace warpgrade::cli {

inline constexpr int kNotFoundExitCode = 127;  // of the loader and of shells

struct LoaderReport {
  bool started = false;  // false: main() was never reached. true: the program ended at a call of the function
  std::string why;       // a sentence with what is missing, and what to do
};

// Asks the loader that `program` names what it does not find for it. The program itself is not run. nullopt: the loader
// finds everything, or cannot be asked. Searches the libraries as for the program, so call it with its environment.
std::optional<LoaderReport> AskLoader(const ProgramFile& program);

// What the loader printed when it was asked to list the libraries and to look for every symbol: the first thing that is
// missing, as in LoaderReport::why. "" when nothing is missing.
std::string MissingIn(std::string_view printed);

}  // namespace warpgrade::cli
