// CSV for a spreadsheet: a row per submission.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// Columns: submission, then for each lab its rungs ("lab1.v1_...") and its sum ("lab1"), then points, max_points,
// measurable_points and notes. A rung that a submission has not is empty. RFC 4180: lines end in CR LF.
std::string CsvText(const score::GradingReport& report);

// One field: quoted where needed; one that a spreadsheet would run as a formula (=, +, -, @ first) gets a leading
// apostrophe.
std::string CsvField(std::string_view text);
// Fields, made so, and the end of the line.
std::string CsvLine(const std::vector<std::string>& fields);

}  // namespace warpgrade::report
