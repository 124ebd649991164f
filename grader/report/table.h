// The report that a person reads on a terminal.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

struct TableOptions {
  int width = 100;      // columns of the terminal
  bool colour = false;  // escape codes for colours
  // For several submissions: every rung of each, before the summary. For any number: what the GPU did, below each rung
  // that was timed.
  bool details = false;
};

// One submission: a table per lab, a row per rung, what is wrong below its row. Several: a row per submission and
// totals, then the leaderboards. Ends with a newline. Nothing that a student wrote reaches the terminal unescaped.
std::string Table(const score::GradingReport& report, const TableOptions& options);

}  // namespace warpgrade::report
