// What a program's kernels did, from WARPGRADE_COUNTERS_FILE: per kernel, with the source lines that cost most and its
// place in the roofline of a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/device_model/device_model.h"
#include "grader/emulator/counters/counters.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The two roofs are the memory's bandwidth and the FP32 rate. Williams, Waterman, Patterson: "Roofline", CACM 52
// (2009).
struct Roofline {
  double flop = 0, bytes = 0;    // bytes moved in sectors between the SMs and memory; there is no cache here
  double intensity = 0;          // flop per byte; 0 for a kernel that moves none
  double ridge = 0;              // flop per byte at which the GPU's two roofs meet
  bool memory_bound = true;      // left of the ridge
  double attainable_gflops = 0;  // under the roof at this intensity
  double attainable_share = 0;   // of the GPU's FP32 rate
};
Roofline PlaceUnderRoof(const emulator::Counters& counters, const DeviceModel& gpu);

struct LineCost {
  std::string file;
  int line = 0;
  double instruction_share = 0;  // of the kernel's warp instructions
  std::vector<std::string> why;  // what stands out: "each load of a warp touches 32 sectors ..."
  emulator::Counters counters;
};

struct KernelProfile {
  std::string kernel;  // demangled
  uint64_t launches = 0;
  emulator::Dim3 grid, block;  // of its first launch
  bool one_shape = true;       // all launches had that one
  uint64_t model_ns = 0;       // of all launches, by the runtime's time model: not a measurement
  emulator::Counters counters;
  std::map<std::string, double> metrics;  // of metrics.def; those per element are left out
  Roofline roofline;
  std::vector<LineCost> lines;  // the worst, worst first; at most kWorstLines
};
inline constexpr size_t kWorstLines = 5;

struct Profile {
  const DeviceModel* gpu = nullptr;    // of the table in grader/device_model/devices.def
  std::vector<KernelProfile> kernels;  // the one with the most model time first
};

// What the same kernel would reach with wavefronts of 64 lanes: an upper bound (grader/emulator/counters/wave64.h).
// REQUIRES: counters.wave64_instructions > 0.
double ActiveLanesPerWave64(const emulator::Counters& counters);

Profile MakeProfile(const std::vector<emulator::LaunchRecord>& launches, const DeviceModel& gpu);

// Of the counters file at `path`. Errors (kMachine): ReadCounters'.
Result<Profile> ReadProfile(const std::string& path, const DeviceModel& gpu);

}  // namespace warpgrade::cli
