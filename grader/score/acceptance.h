// A person accepts a flagged speed.
#pragma once

#include <string>

#include "grader/config/course.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// From now on `score`'s flagged speed counts as measured, with the points that the rung's scale for `target_id` gives
// for it; why it was flagged stays beside who accepted it. Returns what it gained, which the sums of its lab and
// submission still lack. Errors (kUsage): it is not flagged, it is not right, it has no speed, or `rung` is not what it
// was graded by. Then nothing is changed.
Result<config::Points> AcceptFlagged(const config::Rung& rung, const std::string& target_id, Acceptance acceptance,
                                     RungScore* score);

}  // namespace warpgrade::score
