// What the course's labs ask students to hand in.
#pragma once

#include <vector>

#include "grader/config/course.h"
#include "grader/submission/submission.h"

namespace warpgrade::cli {

// Of each lab its rungs and, where it has a quiz, answers.yaml.
std::vector<submission::LabFiles> FilesOf(const std::vector<config::Lab>& labs);

}  // namespace warpgrade::cli
