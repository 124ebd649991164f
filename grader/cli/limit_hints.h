// What a student reads below the table about limits of technique that were missed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::cli {

// For each missed limit of the rung, first the line to look at, if one is known, then a hint. The hint is the lab's
// (`hint_of_lab` of a metric; "": none) if the limit's own value misses. If only a second condition of the limit
// misses, the lab's hint would be about a value that is good, so the hint is about the condition. No text comes twice.
std::vector<std::string> LimitHints(const score::RungScore& rung,
                                    const std::function<std::string(std::string_view)>& hint_of_lab);

}  // namespace warpgrade::cli
