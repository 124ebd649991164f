// One submission in detail: a table for each lab with a row for each rung.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// `report`: the one that has the submission.
std::string SubmissionTable(const score::SubmissionScore& submission, const score::GradingReport& report,
                            const TableOptions& options);

}  // namespace warpgrade::report
