// Who is ahead of whom, and from where on, in words. Everything is computed from the points of a chart.
#pragma once

#include <string>
#include <vector>

#include "grader/plot/plot.h"

namespace warpgrade::plot {

enum class Better { kHigher, kLower };

struct CrossoverWords {
  Better better = Better::kHigher;
  Scale scale = Scale::kLinear;  // of x
  std::string unit;              // of x: "elements"
};

// A sentence for each series and the one before it: "v4 overtakes v3 from 2^16 elements on.". One is ahead of the other
// where their uncertainties do not overlap. Only places where both have a point count; bounds do not. Then one sentence
// on who is best where: "v6 is best up to 2^15 elements, v9 from 2^16 on.".
std::vector<std::string> Crossovers(const std::vector<Series>& series, const CrossoverWords& words);

}  // namespace warpgrade::plot
