// Tests: tests/judge/gpu_peaks_test.cc.
#include "grader/judge/gpu_peaks.h"

#include "grader/device_model/device_model.h"

namespace warpgrade::judge {

score::Peaks PeaksOf(const GpuFigures& figures) {
  score::Peaks peaks;
  const double memory_gb_s = PeakMemoryGbs(figures.memory_clock_khz, figures.memory_bus_bits);
  if (memory_gb_s > 0) peaks.gb_s = memory_gb_s;
  const ComputeCapability* const capability = FindCapability(figures.major, figures.minor);
  if (capability == nullptr) return peaks;
  const double gflop_s = PeakGflops(capability->fp32_lanes, figures.multiprocessors, figures.clock_khz);
  if (gflop_s > 0) peaks.gflop_s = gflop_s;
  return peaks;
}

}  // namespace warpgrade::judge
