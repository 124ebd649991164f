// The page of `warpgrade book thresholds`: where a class loses points, and each threshold with the values that it was
// compared with. In the page a reader may try other thresholds; its script counts the points by the rules of
// grader/score. In one file, without the network, like the pages of html.h.
#pragma once

#include <string>
#include <vector>

#include "grader/score/measurement.h"
#include "grader/score/thresholds.h"

namespace warpgrade::report {

// `spread` is that of `report`. `notes`: what a reader should know of these numbers. A class of 200 takes less than
// 1 MB.
std::string ThresholdsPage(const score::ClassSpread& spread, const score::GradingReport& report,
                           const std::vector<std::string>& notes);

// The data for the scripts; see html.h.
std::string ThresholdsData(const score::ClassSpread& spread, const score::GradingReport& report,
                           const std::vector<std::string>& notes);

}  // namespace warpgrade::report
