// The peak figures of a GPU, computed from what its driver reports.
#pragma once

#include "grader/score/measurement.h"

namespace warpgrade::judge {

struct GpuFigures {
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int clock_khz = 0;  // the highest of the multiprocessors
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
};

// The peaks of a GPU. Memory: two transfers per clock on every line of the bus. Float: one multiply-add per lane and
// clock. A peak is empty where a figure is missing or capabilities.def has no row for the GPU. The peak of the tensor
// cores is always empty, because the driver does not report it.
score::Peaks PeaksOf(const GpuFigures& figures);

}  // namespace warpgrade::judge
