// Draws the steps of one block in characters, at most 80 columns wide.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/report/memory_text.h"
#include "grader/report/step_drawing.h"

namespace warpgrade::report {

// "kernel reduce_v2, launch 1 of 3, block (0,0,0) of 4096 blocks of 256 threads".
std::string BlockWords(const score::BlockSteps& block);
// "step 2 of 10: 128 of 256 threads read or write, lines 24 and 31".
std::string StepWords(const score::BlockSteps& block, size_t index, const StepDrawing& drawing);
// How the step ends: "a barrier", "a shuffle".
std::string StepEndWords(const score::BlockSteps& block, size_t index);
// What was not kept; "": everything was.
std::string LeftOutWords(const score::BlockSteps& block);
// "warps 1 to 7".
std::string WarpsWords(const StepLanes& lanes);

// The step with this number, from 1, or all steps. REQUIRES: IsDrawable; there is such a step. `source`: of the rung.
std::string StepsText(const score::BlockSteps& block, const std::string& source, std::optional<size_t> step,
                      const PictureStyle& style);

}  // namespace warpgrade::report
