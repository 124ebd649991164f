// The contest of a lab: who is fastest, and right. It gives no points.
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
// A case that failed is a wrong answer, in any rung of the contest that was handed in; a rung that gave none (it does
// not compile, it was refused) counts as one. Times are the judge's, and flagged ones do not count. `timed` is false
// where there is no clock (the emulator): then the fewest wrong answers are first, among those with a right rung. Times
// are rounded to a microsecond, so that what is printed alike is ranked alike. REQUIRES: lab.leaderboard.
Leaderboard MakeLeaderboard(const config::Lab& lab, const std::vector<SubmissionScore>& submissions, bool timed);

// Shows the submissions under pseudonyms, the same in all leaderboards, drawn by `seed`; no order tells whose they are.
void HideNames(uint64_t seed, std::vector<Leaderboard>* leaderboards);

// Shows each submission as it is shown in `before`, where it is in there.
void KeepNames(const std::vector<Leaderboard>& before, std::vector<Leaderboard>* leaderboards);

}  // namespace warpgrade::score
