// Names that strangers may give to a submission, and how a program that reads an export sees them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade::report {

// Formulas, quotes, line breaks, marks that change the direction of writing, bytes that are not UTF-8, long names, and
// words that mean something to one of the receivers.
const std::vector<std::string>& OddNames();

// Whether all of `text` is UTF-8.
bool IsUtf8(std::string_view text);

// The rows of a CSV file by RFC 4180, where lines end in `line_end`. The second member says what is wrong; "": nothing.
std::pair<std::vector<std::vector<std::string>>, std::string> ReadCsv(std::string_view text, std::string_view line_end);

// The bytes behind base64, up to the first line end.
std::string FromBase64(const std::string& text);

// Whether a spreadsheet would execute this cell.
bool IsFormula(std::string_view cell);
// The text that the grader wrote into the cell: without the apostrophe that disarms a formula.
std::string Recovered(const std::string& cell);

}  // namespace warpgrade::report
