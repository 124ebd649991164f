#include "grader/emulator/counters.h"

#include <algorithm>

namespace warpgrade::emulator {

void Counters::Add(const Counters& o) {
#define ADD(field) field += o.field
  ADD(warp_instructions);
  ADD(thread_instructions);
  ADD(active_lane_sum);
  ADD(branches);
  ADD(divergent_branches);
  ADD(global_load_requests);
  ADD(global_load_sectors);
  ADD(global_load_bytes);
  ADD(global_store_requests);
  ADD(global_store_sectors);
  ADD(global_store_bytes);
  ADD(shared_load_requests);
  ADD(shared_load_wavefronts);
  ADD(shared_load_ideal_wavefronts);
  ADD(shared_store_requests);
  ADD(shared_store_wavefronts);
  ADD(shared_store_ideal_wavefronts);
  ADD(shared_atomic_requests);
  ADD(shared_atomic_wavefronts);
  ADD(local_requests);
  ADD(local_bytes);
  ADD(global_atomic_requests);
  ADD(global_atomic_sectors);
  ADD(global_atomic_lanes);
  ADD(shuffles);
  ADD(votes);
  ADD(barriers);
  ADD(fadd);
  ADD(fmul);
  ADD(ffma);
  ADD(dadd);
  ADD(dmul);
  ADD(dfma);
  ADD(hadd);
  ADD(hmul);
  ADD(hfma);
#undef ADD
}

const std::vector<MetricInfo>& AllMetrics() {
  static const std::vector<MetricInfo>* metrics = new std::vector<MetricInfo>{
#define WARPGRADE_METRIC(name, unit, better, description) {#name, unit, Better::better, description},
#include "grader/emulator/metrics.def"
#undef WARPGRADE_METRIC
  };
  return *metrics;
}

std::map<std::string, double> ComputeMetrics(const std::vector<LaunchRecord>& launches, uint64_t elements) {
  Counters c;
  double blocks = 0, threads = 0, warps = 0, largest_threads = 0;
  for (const LaunchRecord& launch : launches) {
    c.Add(launch.counters);
    double launch_blocks = static_cast<double>(launch.grid.Count());
    double per_block = static_cast<double>(launch.block.Count());
    blocks += launch_blocks;
    threads += launch_blocks * per_block;
    warps += launch_blocks * static_cast<double>((launch.block.Count() + 31) / 32);
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
  ratio("average_active_lanes", d(c.active_lane_sum), d(c.warp_instructions));
  ratio("branches_per_warp", d(c.branches), warps);
  m["divergent_branches"] = d(c.divergent_branches);
  ratio("divergent_branches_per_warp", d(c.divergent_branches), warps);
  ratio("global_load_sectors_per_request", d(c.global_load_sectors), d(c.global_load_requests));
  ratio("global_store_sectors_per_request", d(c.global_store_sectors), d(c.global_store_requests));
  ratio("global_load_efficiency", d(c.global_load_bytes), 32 * d(c.global_load_sectors));
  ratio("global_store_efficiency", d(c.global_store_bytes), 32 * d(c.global_store_sectors));
  if (elements > 0) {
    m["global_bytes_per_element"] = 32 * d(c.global_load_sectors + c.global_store_sectors) / d(elements);
  }
  uint64_t requests = c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests;
  uint64_t wavefronts = c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
  uint64_t ideal = c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts;
  ratio("shared_requests_per_warp", d(requests), warps);
  m["shared_wavefronts"] = d(wavefronts);
  // 0 for a kernel without shared memory: it has no conflicts.
  uint64_t plain = c.shared_load_requests + c.shared_store_requests;
  uint64_t turns = c.shared_load_wavefronts + c.shared_store_wavefronts;
  m["shared_bank_conflicts"] = plain == 0 ? 0 : d(turns - std::min(turns, ideal)) / d(plain);
  ratio("shuffles_per_warp", d(c.shuffles), warps);
  ratio("barriers_per_block", d(c.barriers), blocks);
  m["atomics"] = d(c.global_atomic_requests);
  m["fadd"] = d(c.fadd);
  m["flops"] = d(c.fadd + c.fmul + c.dadd + c.dmul + c.hadd + c.hmul) + 2 * d(c.ffma + c.dfma + c.hfma);
  return m;
}

}  // namespace warpgrade::emulator
