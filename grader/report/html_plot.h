// The page of `warpgrade plot --html`: charts with their numbers as tables, in one file, without the network, like the
// pages of html.h.
#pragma once

#include <string>

#include "grader/plot/plot.h"

namespace warpgrade::report {

std::string PlotPage(const plot::Plot& plot, const std::string& kit_version);

}  // namespace warpgrade::report
