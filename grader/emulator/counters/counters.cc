// The counters by name, their sums, and the metrics that are derived from them (metrics.def). Tested by
// tests/emulator/exec/counters_test.cc.
#include "grader/emulator/counters/counters.h"

#include <algorithm>

namespace warpgrade::emulator {

void Counters::Add(const Counters& other) {
#define WARPGRADE_COUNTER(name) name += other.name;
#include "grader/emulator/counters/counters.def"
#undef WARPGRADE_COUNTER
}

const std::vector<CounterInfo>& AllCounters() {
  static const std::vector<CounterInfo>* counters = new std::vector<CounterInfo>{
#define WARPGRADE_COUNTER(name) {#name, &Counters::name},
#include "grader/emulator/counters/counters.def"
#undef WARPGRADE_COUNTER
  };
  return *counters;
}

const std::vector<MetricInfo>& AllMetrics() {
  static const std::vector<MetricInfo>* metrics = new std::vector<MetricInfo>{
#define WARPGRADE_METRIC(name, unit, better, description) {#name, unit, Better::better, description},
#include "grader/emulator/counters/metrics.def"
#undef WARPGRADE_METRIC
  };
  return *metrics;
}

// Long because it has a line for each row of metrics.def.
std::map<std::string, double> ComputeMetrics(const std::vector<LaunchRecord>& launches, uint64_t elements,
                                             const Counters& copies) {
  Counters c = copies;
  double blocks = 0, threads = 0, warps = 0, largest_threads = 0, instruction_squares = 0, barriers_of_warps = 0;
  for (const LaunchRecord& launch : launches) {
    c.Add(launch.counters);
    instruction_squares += static_cast<double>(launch.instruction_squares);
    double launch_blocks = static_cast<double>(launch.grid.Count());
    double per_block = static_cast<double>(launch.block.Count());
    blocks += launch_blocks;
    threads += launch_blocks * per_block;
    const uint64_t lanes = static_cast<uint64_t>(launch.wave_lanes);
    const uint64_t block_warps = (launch.block.Count() + lanes - 1) / lanes;  // the last warp may not be full
    warps += launch_blocks * static_cast<double>(block_warps);
    barriers_of_warps += static_cast<double>(launch.counters.barriers) * static_cast<double>(block_warps);
    largest_threads = std::max(largest_threads, launch_blocks * per_block);
  }
  std::map<std::string, double> m;
  auto d = [](uint64_t v) { return static_cast<double>(v); };
  auto ratio = [&m](const char* name, double over, double under) {
    if (under > 0) m[name] = over / under;
  };
  m["kernel_launches"] = static_cast<double>(launches.size());
  m["blocks"] = blocks;
  m["threads"] = threads;
  if (elements > 0) ratio("elements_per_thread", d(elements), largest_threads);
  m["warp_instructions"] = d(c.warp_instructions);
  m["thread_instructions"] = d(c.thread_instructions);
  // If k of n warps issue i instructions each and the others issue nothing, this is (k i)^2 / (n k i^2) = k / n.
  ratio("warps_at_work", d(c.warp_instructions) * d(c.warp_instructions), warps * instruction_squares);
  ratio("average_active_lanes", d(c.active_lane_sum), d(c.warp_instructions));
  ratio("branches_per_warp", d(c.branches), warps);
  m["divergent_branches"] = d(c.divergent_branches);
  ratio("divergent_branches_per_warp", d(c.divergent_branches), warps);
  ratio("global_load_sectors_per_request", d(c.global_load_sectors), d(c.global_load_requests));
  ratio("global_store_sectors_per_request", d(c.global_store_sectors), d(c.global_store_requests));
  ratio("global_load_efficiency", d(c.global_load_bytes), 32 * d(c.global_load_sectors));
  ratio("global_store_efficiency", d(c.global_store_bytes), 32 * d(c.global_store_sectors));
  m["global_load_bytes"] = d(c.global_load_bytes);
  m["global_store_bytes"] = d(c.global_store_bytes + c.global_atomic_bytes);
  if (elements > 0) {
    m["global_bytes_per_element"] =
        32 * d(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors) / d(elements);
  }
  uint64_t requests = c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests;
  uint64_t wavefronts = c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
  uint64_t ideal = c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts;
  ratio("shared_requests_per_warp", d(requests), warps);
  m["shared_wavefronts"] = d(wavefronts);
  // 0 for a kernel without shared memory, because it has no conflicts.
  uint64_t plain = c.shared_load_requests + c.shared_store_requests;
  uint64_t turns = c.shared_load_wavefronts + c.shared_store_wavefronts;
  m["shared_bank_conflicts"] = plain == 0 ? 0 : d(turns - std::min(turns, ideal)) / d(plain);
  ratio("shuffles_per_warp", d(c.shuffles), warps);
  ratio("barriers_per_block", barriers_of_warps, warps);
  m["atomics"] = d(c.global_atomic_requests);
  m["shared_atomics"] = d(c.shared_atomic_requests);
  m["fadd"] = d(c.fadd);
  m["flops"] = d(c.fadd + c.fmul + c.dadd + c.dmul + c.hadd + c.hmul) + 2 * d(c.ffma + c.dfma + c.hfma);
  if (elements > 0) m["flops_per_element"] = m["flops"] / d(elements);
  return m;
}

}  // namespace warpgrade::emulator
