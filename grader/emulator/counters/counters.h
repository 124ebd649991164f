// What the emulator counts, per launch and per source line, exactly and repeatably: sums of what each warp did, so the
// totals do not depend on the order in which blocks ran or on how many host threads ran them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/state/dim3.h"

namespace warpgrade::emulator {

struct Counters {
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;  // sum over warp instructions of the active lanes whose guard is true
  uint64_t active_lane_sum = 0;      // sum over warp instructions of the active lanes, guard ignored
  uint64_t branches = 0;
  uint64_t divergent_branches = 0;
  uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_bytes = 0;  // bytes: wanted by lanes
  uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_bytes = 0;
  uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_ideal_wavefronts = 0;
  uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_ideal_wavefronts = 0;
  uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0;
  uint64_t local_requests = 0, local_bytes = 0;
  uint64_t global_atomic_requests = 0, global_atomic_sectors = 0, global_atomic_bytes = 0, global_atomic_lanes = 0;
  uint64_t shuffles = 0, votes = 0;
  uint64_t barriers = 0;  // block-wide barriers completed, counted once per block
  uint64_t fadd = 0, fmul = 0, ffma = 0, dadd = 0, dmul = 0, dfma = 0, hadd = 0, hmul = 0, hfma = 0;  // per lane

  uint64_t wave64_instructions = 0;  // what wavefronts of 64 lanes would issue (wave64.h); 0: it was not asked for

  void Add(const Counters& other);
};

struct CounterInfo {
  const char* name;  // of the field
  uint64_t Counters::*field;
};
// All fields of Counters, in order: for what writes and reads them by name.
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
  Counters counters;
  uint64_t host_visible_bytes = 0;   // stored by lanes, also atomically, where host code can read them
  uint64_t instruction_squares = 0;  // the sum over its warps of the square of what each issued; at most 2^64 - 1
  std::vector<LineCounters> lines;   // sorted by file, then line
};

// The metrics of metrics.def over all `launches` of one call. `elements` is the input size of the case, for the metrics
// per element (0: these are left out). A ratio with a zero denominator is left out of the map.
std::map<std::string, double> ComputeMetrics(const std::vector<LaunchRecord>& launches, uint64_t elements);

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
