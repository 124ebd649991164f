// The speeds of the course's solutions that the kit ships: those of labs/speeds/, without the other programs there.
// They are in the executable, so that every edition has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/plot/plot.h"

namespace warpgrade::cli {

// What CMake takes out of labs/speeds/: a JSON list with an object for each GPU, of which `gradings` has only the
// solutions, and a last element that is empty.
extern const std::string_view kShippedSpeeds;

// The ladder of a lab, with a bar for each rung and GPU: as a percentage of the speed of a copy in device memory, and
// in GFLOP/s where the speed is one of arithmetic. A bar is the median of the gradings, and its whisker is their range.
// `rungs`: in the course's order. Empty for a lab that was not timed, and for one outside of the kit.
std::vector<plot::Chart> ShippedLadder(const std::string& lab, const std::vector<std::string>& rungs);

}  // namespace warpgrade::cli
