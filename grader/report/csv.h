// CSV for a spreadsheet: one row for each submission.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// Columns: submission, then for each lab its rungs ("lab1.v1_...") and their sum ("lab1"), then points, max_points,
// measurable_points and notes. The field of a rung that a submission does not have is empty, and so are the points of a
// submission that is not finished. Format: RFC 4180, so lines
// end in CR LF.
std::string CsvText(const score::GradingReport& report);

// One field, in quotes if it needs them. A spreadsheet would run a field that starts with =, +, - or @ as a formula, so
// it gets a leading apostrophe, also if it has spaces or apostrophes before that sign. A reader gets the text back by
// removing one apostrophe from each field that starts with an apostrophe, then any spaces and apostrophes, then a sign.
// A negative number stays one.
std::string CsvField(std::string_view text);
// One line: the fields, each made by CsvField, and CR LF.
std::string CsvLine(const std::vector<std::string>& fields);

}  // namespace warpgrade::report
