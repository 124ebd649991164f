// Names and texts from strangers, made fit for a terminal, a table and a report.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::submission {

// `name` with control characters, invisible and direction-changing ones and bytes that are no UTF-8 as \xNN; cut to
// about 200 bytes with "..." in the middle.
std::string Escaped(std::string_view name);

// An identifier out of a file name: like Escaped with "_" for each such byte, no spaces at the ends, at most 100 bytes,
// never empty.
std::string IdFrom(std::string_view name);

}  // namespace warpgrade::submission
