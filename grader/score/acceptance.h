// A teaching assistant accepts a speed that the judge flagged.
#pragma once

#include <string>

#include "grader/config/course.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// Makes the flagged speed in `score` a measured one, and gives it the points of the rung's scale for `target_id`. The
// reason for the flag stays, beside the person who accepted it. Returns the points gained; the caller adds them to the
// sums of the lab and the submission. Errors (kUsage), after which `score` is unchanged: the speed is not flagged, the
// rung is not right, there is no speed, or `rung` is not the rung that was graded.
Result<config::Points> AcceptFlagged(const config::Rung& rung, const std::string& target_id, Acceptance acceptance,
                                     RungScore* score);

}  // namespace warpgrade::score
