// Draws the steps of a warp at a branch in characters, at most 80 columns wide: the lanes that are active, those that
// wait for them, and those that have ended.
#pragma once

#include <string>
#include <vector>

#include "grader/report/memory_text.h"
#include "grader/score/pictures.h"

namespace warpgrade::report {

// Steps in a row in which the same lanes do the same.
struct StepRange {
  size_t first = 0, last = 0;  // from 1
  score::BranchStep step;
  bool IsDivergent() const { return step.inside != 0 && step.inside != step.at; }
};
std::vector<StepRange> RangesOf(const std::vector<score::BranchStep>& steps);

// "lanes of one warp go both ways at 5 of 8 steps": of the warp that is shown.
std::string BranchWords(const score::LineBranches& line);
// "line 20 has 4096 branches of warps; at 2560 of them lanes go both ways".
std::string BranchCountWords(const score::LineBranches& line);
// What the marks mean.
std::string BranchLegend(const PictureStyle& style);

// The drawing, with these sentences. "" without steps.
std::string BranchText(const score::LineBranches& line, const PictureStyle& style);

}  // namespace warpgrade::report
