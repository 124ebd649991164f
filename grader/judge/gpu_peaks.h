// What a GPU can do at most, by the figures that its driver gives.
#pragma once

#include "grader/score/measurement.h"

namespace warpgrade::judge {

struct GpuFigures {
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int clock_khz = 0;  // the highest
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
};

// Memory: two transfers a clock on every line of the bus. Float: a multiply-add per lane and clock. Empty where a
// figure is missing, or capabilities.def has no row for this GPU; tensor cores always: no figure of the driver's tells
// them.
score::Peaks PeaksOf(const GpuFigures& figures);

}  // namespace warpgrade::judge
