// What counts of the points of a lab's rungs. A bonus rung gives points on top of those of the lab, and of the rungs of
// a group only the best count.
//
//   rungs            v4 20/20, v5 10/20, v6 15/20, v7 3/5     best: 2 of v4, v5, v6; v7 is a bonus
//   not_counted      -10/-25                                  v5, and the maximum of v7
//   sum of the lab   38/40
//
// So the points and the maxima of a lab are always the sums of those of its rungs and of what stands beside them.
#pragma once

#include "grader/config/counting_rule.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// Whether it is no part of the lab that was graded, but computed from the points of its rungs: "late", "not_counted"
// and the like.
bool IsBesideRungs(const RungScore& rung);

// The one place that says what counts: sets RungScore::counts of each rung, adds one more rung "not_counted" with what
// the rungs have and the lab does not count, and sums up. It stands after the rungs of the lab, before "late" and the
// like. May be called again, after points have changed: then it counts anew. Of rungs with equal points in a group the
// first ones count. A rung that is not in `lab` counts as nothing, so a lab of which only some rungs were graded has
// the best of these.
void CountPoints(const config::CountingRule& rule, LabScore* lab);

// `report` for formats in which each rung is a test with points of its own, which a platform adds up: a rung that does
// not count has no points, a bonus has no maximum, "not_counted" is left out, and a message says so at each of these
// rungs.
GradingReport OnlyCounted(GradingReport report);

}  // namespace warpgrade::score
