// A lab's contest, for the class to see.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// A row for each submission, by rank.
std::string LeaderboardTable(const score::Leaderboard& leaderboard, const TableOptions& options);

// Columns: lab, rank, name (as shown), score_seconds, time_seconds, wrong_answers, rung, note. What is not known is
// empty. RFC 4180: lines end in CR LF.
std::string LeaderboardCsvText(const score::GradingReport& report);

}  // namespace warpgrade::report
