// From measurements to the subjects of proposals: for one GPU, or for GPUs that nobody has measured.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/calibrate/measurements.h"
#include "grader/calibrate/propose.h"
#include "grader/config/course.h"

namespace warpgrade::calibrate {

// How the rungs of the labs follow each other.
struct Ladder {
  std::map<std::pair<std::string, std::string>, std::string> before;  // by lab and rung; no entry: there is none
  // Programs that need no gradings of their own: the gradings of the other program count for them.
  std::map<Program, Program> same_as;
};

// One subject for each rung of `labs` that has points for throughput and was measured. Its target is `target`, or "any"
// where course.yaml compares the rung with the solution on every GPU.
std::vector<Subject> SubjectsOf(const std::vector<config::Lab>& labs, const Measurements& measurements,
                                const std::string& target, const Ladder& ladder);

// The same for the target "any", in shares, from the measurements of all GPUs. Speeds are shares of the copy where the
// solution reaches about the same share, and a large one, on every GPU: there the memory bounds the work. Elsewhere
// they are shares of the solution's speed. A rung that is timed in pairs with the solution takes about 25 s of a GPU.
// `keeps_units`: where course.yaml has a scale for "any", the subject has its unit.
std::vector<Subject> ModelSubjects(const std::vector<config::Lab>& labs, const std::vector<Measurements>& gpus,
                                   const Ladder& ladder, bool keeps_units = false);

// For ModelSubjects: another GPU is farther away than another host. `gpus`: so many were measured.
Margins ModelMargins(size_t gpus);

}  // namespace warpgrade::calibrate
