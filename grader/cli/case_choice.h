// Finds the case that `check --case` names.
#pragma once

#include <string>

#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct ChosenCase {
  int number = 0;     // from 1
  std::string title;  // "case 33 of 50: n = 4099, float, sum"
};

// The public case of the one rung in `lab` that `typed` names, by its number or its name, as reports print both.
// Errors (kUsage): there is no such case.
Result<ChosenCase> ChooseCase(const config::Lab& lab, const std::string& typed);

// Whether each case that `case_visibility` names is a public case of a rung that it is about. `course_yaml` is the path
// that the course was read from. Errors (kUsage): "FILE:LINE:COLUMN: there is no public case '...'".
Status CheckNamedCases(const std::string& course_yaml, const config::Course& course);

}  // namespace warpgrade::cli
