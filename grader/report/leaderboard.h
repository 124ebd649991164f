// The contest of a lab, as a table and as CSV to show to the class.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// One row for each submission, ordered by rank.
std::string LeaderboardTable(const score::Leaderboard& leaderboard, const TableOptions& options);

// Columns: lab, rank, name (the pseudonym if names are hidden), score_seconds, time_seconds, wrong_answers, rung, note.
// A field without a value is empty. Format: RFC 4180, so lines end in CR LF.
std::string LeaderboardCsvText(const score::GradingReport& report);

}  // namespace warpgrade::report
