// The CSV file that `nbgrader export` writes, for the tools that read it.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// One row for each lab and submission, all rows of a lab together; each line ends in LF. As in nbgrader, raw_score is
// before the deduction for lateness, late_submission_penalty is this deduction, and times are UTC without a zone. The
// due date, names and the e-mail come from GradingReport::students and ::assignments, the time of the submission from
// LabScore::hand_in; they are empty where these do not say them. The scores of a lab that is not finished are empty.
std::string NbgraderText(const score::GradingReport& report);

}  // namespace warpgrade::report
