// Makes names and texts of unknown origin safe for a terminal, a table and a report.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::submission {

// `name` with \xNN for control characters, invisible characters, characters that change the direction of writing, and
// bytes that are not UTF-8. A long name is cut to about 200 bytes, with "..." in the middle.
std::string Escaped(std::string_view name);

// An identifier made from a file name: like Escaped, but with "_" for each such byte, without spaces at the ends, at
// most 100 bytes, and never empty.
std::string IdFrom(std::string_view name);

}  // namespace warpgrade::submission
