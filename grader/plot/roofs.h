// The two roofs over what a GPU can do: its memory and its arithmetic. Source: Williams, Waterman, Patterson:
// "Roofline", CACM 52 (2009).
#pragma once

#include <string>

#include "grader/plot/plot.h"

namespace warpgrade::plot {

// REQUIRES: both are positive.
struct Roofs {
  double gb_s = 0, gflop_s = 0;
  // The operations per byte at which the two roofs meet. Left of it memory bounds the speed, and right of it
  // arithmetic.
  double Ridge() const { return gflop_s / gb_s; }
  // The most GFLOP/s at so many operations per byte.
  double At(double flops_per_byte) const;
};

// An empty chart with the axes of a roofline: GFLOP/s against operations per byte.
Chart RooflineChart(const std::string& title);

// The roofs, from left of the smallest intensity `low` and of the ridge to right of `high` and of the ridge.
Series RoofSeries(const Roofs& roofs, double low, double high);

// "v1 does 0.25 operations per byte, so memory bounds it at 1200 GFLOP/s", without a full stop.
std::string RoofWords(const std::string& name, double flops_per_byte, const Roofs& roofs);

}  // namespace warpgrade::plot
