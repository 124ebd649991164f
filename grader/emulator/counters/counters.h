// The emulator's exact counts, per launch and per source line. They are sums over the warps, so they depend neither on
// the order in which blocks ran nor on the number of host threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/state/dim3.h"

namespace warpgrade::emulator {

struct Counters {
#define WARPGRADE_COUNTER(name) uint64_t name = 0;
#include "grader/emulator/counters/counters.def"
#undef WARPGRADE_COUNTER

  void Add(const Counters& other);
};

struct CounterInfo {
  const char* name;  // of the field
  uint64_t Counters::*field;
};
// All rows of counters.def, in order, for code that writes and reads counters by name.
const std::vector<CounterInfo>& AllCounters();

struct LineCounters {
  std::string file;
  int line = 0;
  Counters counters;
};

// One kernel launch, as it ran.
struct LaunchRecord {
  std::string kernel;  // demangled, e.g. "reduce_v1_kernel<float, Sum>(float const*, ...)"
  Dim3 grid, block;
  uint64_t shared_bytes = 0;  // static + dynamic per block
  bool cooperative = false;
  int wave_lanes = 32;  // 64: what is counted for each warp was counted for each wavefront of 64 lanes (machine/wave.h)
  Counters counters;
  uint64_t host_visible_bytes = 0;   // stored by lanes (atomics included) where host code can read
  bool strong_accesses = false;      // it executed an atomic, a volatile access or one with a memory order
  uint64_t instruction_squares = 0;  // the sum over its warps of the square of what each issued; at most 2^64 - 1
  // Sorted by file, then line. Of the launches of one kernel, one may hold what later ones counted
  // (DeviceOptions::max_line_counters), so only the sum over all launches of a kernel is exact.
  std::vector<LineCounters> lines;
};

// The metrics of metrics.def over all `launches` of one call. `elements` is the input size of the case, for the metrics
// per element (0: these are left out). `copies`: what the call's copies and sets on the device count (copy_traffic.h).
// A ratio with a zero denominator is left out of the map.
std::map<std::string, double> ComputeMetrics(const std::vector<LaunchRecord>& launches, uint64_t elements,
                                             const Counters& copies = {});

enum class Better { kLower, kHigher };
struct MetricInfo {
  const char* name;
  const char* unit;
  Better better;
  const char* description;
};
// All rows of metrics.def, in order.
const std::vector<MetricInfo>& AllMetrics();

}  // namespace warpgrade::emulator
