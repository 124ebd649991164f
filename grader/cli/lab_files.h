// The files that the labs of a course ask students to hand in.
#pragma once

#include <vector>

#include "grader/config/course.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// For each lab the files of its rungs and, if it has a quiz, answers.yaml.
std::vector<submission::LabFiles> FilesOf(const std::vector<config::Lab>& labs);

}  // namespace warpgrade::cli
