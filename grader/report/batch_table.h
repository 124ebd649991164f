// Several submissions at a glance: a row each, then totals.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

std::string BatchTable(const score::GradingReport& report, const TableOptions& options);

// The labs of all submissions, each once, in the order in which they first occur.
std::vector<std::string> LabNames(const score::GradingReport& report);

// What keeps a submission from full marks, in one line: "wrong: lab1.v3_sequential; 9 not written yet"; the
// lab is left out where there is only one. "" when nothing
// does.
std::string SummaryWords(const score::SubmissionScore& submission);

}  // namespace warpgrade::report
