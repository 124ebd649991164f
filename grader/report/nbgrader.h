// The CSV file that `nbgrader export` writes, for the tools that read it.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// One row for each lab and submission, all rows of a lab together; each line ends in LF. The due date, the time of the
// submission, names and the e-mail come from GradingReport::students and ::assignments, and are empty where these do
// not say them. The scores of a lab that is not finished are empty.
std::string NbgraderText(const score::GradingReport& report);

}  // namespace warpgrade::report
