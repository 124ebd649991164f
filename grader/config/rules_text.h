// What course.yaml says about the grading of one lab, for a hash of it.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::config {

// A text that changes when something changes in the file at `path` that the results of `lab` may depend on: the
// course's name and term, targets, limits, allowances and the lab itself, with the files that describe a lab outside of
// the kit. Other labs, comments, what only decides which attempt counts and what it is worth (kMarkKeys), and what only
// decides where submissions are graded (kPlaceKeys) are not in it. Errors (kUsage): those of LoadCourse.
Result<std::string> RulesText(const std::string& path, const std::string& lab);

}  // namespace warpgrade::config
