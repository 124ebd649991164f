// What counts: of all attempts, gradings and overrides of a gradebook, the report of the marks as they are now.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::gradebook {

struct MarksOptions {
  std::string student, lab;  // "": all
  // False: only what tables of marks and leaderboards need. See Gradebook::Rungs.
  bool details = true;
  // What the attempts of a lab are worth, and the names of the rungs of an attempt that is not graded yet. May be null.
  const config::Course* course = nullptr;
};

// One submission for each student who is enrolled or has an attempt, by id. Its labs are those of which an attempt
// counts: the latest that was handed in, with its latest grading. An attempt that counts and is not graded yet is
// unfinished. Overrides are applied: of a rung, to the points of the rung; of a lab, as one more rung "override" with
// the points that are missing or too many. Errors: those of Gradebook.
Result<score::GradingReport> CurrentMarks(Gradebook* book, const MarksOptions& options);

// The attempt that counts of those of one student for one lab. REQUIRES: there is one.
const Attempt& Counting(const std::vector<const Attempt*>& attempts);

// The name of the rung that stands for an override of a whole lab.
inline constexpr char kOverrideRung[] = "override";

}  // namespace warpgrade::gradebook
