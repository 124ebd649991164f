// What a student is told about a rung, for authors of labs.
#pragma once

#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::cli {

// All that a student reads about a rung, in no order.
std::vector<std::string> Told(const score::RungScore& rung);

// The first line of what matters most: the compiler's error, or the wrong answer, or the limit with its value.
std::string FirstTold(const score::RungScore& rung);

}  // namespace warpgrade::cli
