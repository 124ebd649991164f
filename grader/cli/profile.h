// What each kernel of a program did, from WARPGRADE_COUNTERS_FILE: its metrics, its most expensive source lines and its
// place under the roofline of a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/device_model/device_model.h"
#include "grader/emulator/counters/counters.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The place of a kernel under two roofs: memory bandwidth and FP32 rate. Source: Williams, Waterman, Patterson:
// "Roofline", CACM 52 (2009).
struct Roofline {
  double flop = 0, bytes = 0;    // bytes: moved in sectors between the SMs and memory, as if there were no cache
  double intensity = 0;          // flop per byte; 0 for a kernel that moves no bytes
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
  std::vector<std::string> why;  // the reasons: "each load of a warp touches 32 sectors ..."
  emulator::Counters counters;
};

struct KernelProfile {
  std::string kernel;  // demangled
  uint64_t launches = 0;
  emulator::Dim3 grid, block;  // of its first launch
  int wave_lanes = 32;         // of a warp; 64 in a HIP program
  bool one_shape = true;       // all launches had this grid and block
  uint64_t model_ns = 0;       // of all launches; computed by the runtime's time model, not measured
  emulator::Counters counters;
  std::map<std::string, double> metrics;  // of metrics.def, without those per element
  Roofline roofline;
  std::vector<LineCost> lines;  // the worst lines, the worst first; at most kWorstLines
};
inline constexpr size_t kWorstLines = 5;

struct Profile {
  const DeviceModel* gpu = nullptr;    // of the table in grader/device_model/devices.def
  std::vector<KernelProfile> kernels;  // the one with the most model time first
};

// An upper bound on the active lanes if the kernel ran in wavefronts of 64 lanes (grader/emulator/counters/wave64.h).
// REQUIRES: counters.wave64_instructions > 0.
double ActiveLanesPerWave64(const emulator::Counters& counters);

Profile MakeProfile(const std::vector<emulator::LaunchRecord>& launches, const DeviceModel& gpu);

// The profile of the counters file at `path`. Errors: those of ReadCounters.
Result<Profile> ReadProfile(const std::string& path, const DeviceModel& gpu);

}  // namespace warpgrade::cli
