// Turns the recorded values of one block into what is drawn.
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/recorders/block_steps.h"
#include "grader/score/steps.h"

namespace warpgrade::judge {

// Values that a measurement holds at most: reads, writes and their sources. Chosen: a megabyte or two of text. The
// trees of the labs have some thousand.
inline constexpr size_t kMostStepValues = 40'000;

// None or one. The lines are those of the rung's own file. Steps beyond kMostStepValues keep their counts alone.
std::vector<score::BlockSteps> ToScore(const emulator::StepsOfLaunches& recorded, const std::string& rung);

}  // namespace warpgrade::judge
