// What one case of one rung showed.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// For `check --case`: a verdict on the one case, and all that there is to say about it. There are no points, because
// one case earns none. `title`: "case 33 of 50: n = 4099, float, sum". REQUIRES: one submission with one lab and rung.
std::string CaseText(const score::GradingReport& report, const std::string& title, const TableOptions& options);

}  // namespace warpgrade::report
