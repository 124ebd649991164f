// Finds the rungs that a command line names: --lab lab1 --rung v3.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The labs of `course` named in `labs` (all when empty), each with the rungs named in `rungs` only (all when empty), in
// the course's order. A rung is named in full or by its number: "v3_sequential", "v3". Labs without a chosen rung are
// left out. Errors (kUsage): a name that the course does not have, with the nearest one that it has.
Result<std::vector<config::Lab>> SelectRungs(const config::Course& course, const std::vector<std::string>& labs,
                                             const std::vector<std::string>& rungs);

// Whether `typed` names this rung: both "v3" and "v3_sequential" name v3_sequential.
bool Means(const std::string& typed, const std::string& rung);

// "there is no rung 'v33' in lab1; did you mean 'v3'?"; lists the known names if none is near. kUsage.
Error Unknown(const char* what, const std::string& typed, const std::vector<std::string>& known,
              const std::string& where);

}  // namespace warpgrade::cli
