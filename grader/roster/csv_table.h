// Reads CSV as spreadsheets write it, with the place of every field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/problems.h"

namespace warpgrade::roster {

struct CsvCell {
  std::string text;     // UTF-8, without its quotes
  config::Place place;  // where it begins; columns count characters
};
using CsvRow = std::vector<CsvCell>;

// The rows of `text`; empty lines are left out. RFC 4180, and what spreadsheets make of it: a byte order mark, lines
// that end in LF, and semicolons or tabs for commas, as the first line shows. Mistakes go to `problems`; nullopt if the
// rest cannot be read.
std::optional<std::vector<CsvRow>> ParseCsv(const std::string& text, config::Problems* problems);

}  // namespace warpgrade::roster
