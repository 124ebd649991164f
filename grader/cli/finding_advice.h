// Completes the findings of a rung for its report.
#pragma once

#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::cli {

// Adds advice where the judge gave none, and sorts the worst first. Races with the same earlier access and the same
// advice, or with one missing barrier, need one repair. They become one finding, whose message names the other lines.
void CompleteFindings(std::vector<score::Finding>* findings);

}  // namespace warpgrade::cli
