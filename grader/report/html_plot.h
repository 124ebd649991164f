// The pages of `warpgrade plot --html` and `warpgrade calibrate --html`: charts with their numbers as tables, in one
// file, without the network, like the pages of html.h.
#pragma once

#include <string>

#include "grader/plot/plot.h"

namespace warpgrade::report {

// `command`: who made the plot.
std::string PlotPage(const plot::Plot& plot, const std::string& kit_version,
                     const std::string& command = "warpgrade plot");

}  // namespace warpgrade::report
