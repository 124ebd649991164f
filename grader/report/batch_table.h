// The table of several submissions: one row for each, then the totals.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

std::string BatchTable(const score::GradingReport& report, const TableOptions& options);

// The labs of all submissions, each once, in the order of their first occurrence. Then those that are listed in
// GradingReport::assignments and nobody has points for.
std::vector<std::string> LabNames(const score::GradingReport& report);

// Whether the points of the lab are a mark: every rung that was to be graded has a result, and none is left out because
// the reader may not see it now.
bool IsMark(const score::SubmissionScore& submission, const score::LabScore& lab);
// The same for the points of all labs together.
bool IsMark(const score::SubmissionScore& submission);

// What lateness and overrides changed: "lab2 2 days late: 4 points lost". Without the lab if `with_lab` is false.
std::vector<std::string> ChangesOf(const score::SubmissionScore& submission, bool with_lab);

// Why a submission does not have all points, in one line: "2 days late: 4 points lost; wrong: v3_sequential; 9 not
// written yet". The lab is left out if there is only one. "" if there is no reason.
std::string SummaryWords(const score::SubmissionScore& submission);

}  // namespace warpgrade::report
