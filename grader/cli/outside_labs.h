// Makes labs that course.yaml brings from outside of the kit (`from`) usable: FindLab knows them, and config::Kit knows
// where their files are.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Reads the descriptions of the course's labs. A lab that cannot be used gets OutsideLab::why_not; the others can be
// asked for their cases, but cannot judge yet.
void OpenOutsideLabs(const config::Course& course, config::Kit* kit);

// Compiles what the open labs among `labs` need (grader/described/prepare.h). `as_another_user`: programs of students
// will see the files of this machine as another user, so a lab whose hidden cases everybody can read is not graded.
void PrepareOutsideLabs(const std::vector<config::Lab>& labs, const config::Course& course, config::Kit* kit,
                        bool use_cache, const std::atomic<bool>* cancel, bool as_another_user = false);

// The folder with the starter files of a lab, which a student checks if no other is named: the kit's, or the one of a
// lab outside of it. `course_yaml`: "" for the kit's.
std::string StarterFolder(const config::Kit& kit, const std::string& course_yaml, const std::string& lab);

}  // namespace warpgrade::cli
