// Looks up source lines of host code in the debug information of a program. The program may be hostile, so addr2line
// reads it, in the sandbox and within limits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/sandbox/confinement.h"

namespace warpgrade::host_lines {

struct SourceLine {
  std::string file;  // as the compiler named it; "": not known
  int line = 0;
};

// What addr2line prints about addresses in the file `program`, as it was linked: "FILE:LINE" for each address, and for
// each function around it into which the code was inlined. "" if there is no addr2line, or if it does not end soon.
// Takes milliseconds, a few seconds at most.
std::string AskAddr2line(const std::string& program, std::span<const uint64_t> addresses,
                         const std::optional<sandbox::Confinement>& confinement);

// The lines in its output, in its order: of the innermost function first. Leaves out those that are not known.
std::vector<SourceLine> LinesIn(const std::string& printed);

}  // namespace warpgrade::host_lines
