// Which programs `warpgrade calibrate` times as which rung.
#pragma once

#include <string>
#include <vector>

#include "grader/calibrate/measurements.h"
#include "grader/calibrate/subjects.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct ProgramToTime {
  calibrate::Program program;
  std::string source;
};

struct ProgramsToTime {
  std::vector<ProgramToTime> programs;
  std::vector<std::string> remarks;
};

// For each timed rung of `labs`, which are rungs of `course`: the solution; the solution of the rung before, where both
// rungs have the same function to write; mutants that lose only technique, because wrong programs get no points for
// speed; alternatives. A rung whose speed is compared with that of the solution on every GPU takes long and needs no
// threshold for one GPU: of such a rung only the solution is timed, unless `thorough`. Errors: a file of the kit is not
// as it should be.
Result<ProgramsToTime> ProgramsOf(const config::Kit& kit, const config::Course& course,
                                  const std::vector<config::Lab>& labs, bool thorough);

// The rung before of each timed rung is the nearest one with the same function to write. The rung before is timed as it
// is handed in. A still earlier rung is the same program as that rung's solution; where both rungs are timed with the
// same case, it is not timed again.
calibrate::Ladder LadderOf(const config::Course& course);

}  // namespace warpgrade::cli
