// The report for a terminal.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

struct TableOptions {
  int width = 100;      // columns of the terminal
  bool colour = false;  // escape codes for colours
  // With several submissions, print every rung of each before the summary. With any number, print what the GPU did
  // below each rung that was timed.
  bool details = false;
};

// For one submission: a table for each lab, with a row for each rung and its notes below the row. For several: a row
// for each submission, the totals and the leaderboards. Ends with a newline. All text from students is escaped.
std::string Table(const score::GradingReport& report, const TableOptions& options);

}  // namespace warpgrade::report
