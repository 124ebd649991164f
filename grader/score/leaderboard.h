// The contest of a lab: its right submissions, ranked by speed. It gives no points.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/config/course.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// Ranks the submissions by
//
//   time of one call of the fastest right rung + lab.leaderboard->wrong_answer_s for each wrong answer
//
// A wrong answer is a case that failed, in any rung of the contest that was handed in. A rung that gave no answer (it
// does not compile, it was refused) counts as one wrong answer. Times are the judge's; flagged times do not count. They
// are rounded to a microsecond, so that times which are printed alike are ranked alike. `timed` is false where there is
// no clock (the emulator): then submissions with a right rung are ranked by the fewest wrong answers. REQUIRES:
// lab.leaderboard.
Leaderboard MakeLeaderboard(const config::Lab& lab, const std::vector<SubmissionScore>& submissions, bool timed);

// Shows the submissions under pseudonyms drawn by `seed`, the same in all leaderboards. The order of the pseudonyms
// tells nothing about the submissions.
void HideNames(uint64_t seed, std::vector<Leaderboard>* leaderboards);

// Shows each submission that is in `before` under the name that it has there.
void KeepNames(const std::vector<Leaderboard>& before, std::vector<Leaderboard>* leaderboards);

}  // namespace warpgrade::score
