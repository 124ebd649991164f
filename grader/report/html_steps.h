// The page of `warpgrade explain --steps`: one step of a block at a time, with buttons and keys to go on and back.
#pragma once

#include <cstddef>
#include <string>

#include "grader/score/steps.h"

namespace warpgrade::report {

struct StepsPageFacts {
  std::string title;      // "lab1 v2_strided"
  std::string case_name;  // of the run that was recorded
  std::string source;     // of the rung
  std::string kit_version;
  size_t step = 1;  // the number of the step that the page shows first
};

// REQUIRES: IsDrawable(block); it has a step; facts.step > 0.
std::string StepsPage(const score::BlockSteps& block, const StepsPageFacts& facts);

}  // namespace warpgrade::report
