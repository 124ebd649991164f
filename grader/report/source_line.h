// One line of a source, for texts that name it.
#pragma once

#include <string>

namespace warpgrade::report {

// Line `line` (from 1) of `source`, printable, without the blanks before it. "" if there is no such line.
std::string SourceLine(const std::string& source, int line);

}  // namespace warpgrade::report
