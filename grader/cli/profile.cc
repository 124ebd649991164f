// Computes the profile of each kernel from the counters of its launches: metrics, model time, place under the roofline
// and worst lines. profile_text.cc prints it. Tests: tests/cli/profile_test.cc.
#include "grader/cli/profile.h"

#include <algorithm>
#include <utility>

#include "grader/cli/counters_file.h"
#include "grader/cudart/device/time_model.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/emulator/counters/culprit.h"

namespace warpgrade::cli {
namespace {

using emulator::Counters;
using emulator::LaunchRecord;

constexpr size_t kBusiestLines = 3;  // shown because they have the most instructions

// The metrics whose worst lines are shown. The lines of other metrics are the same ones.
constexpr const char* kTelling[] = {"shared_bank_conflicts", "global_load_efficiency", "global_store_efficiency",
                                    "divergent_branches_per_warp", "atomics"};

double AsDouble(uint64_t n) { return static_cast<double>(n); }

bool SameShape(const LaunchRecord& a, const LaunchRecord& b) {
  return a.grid.x == b.grid.x && a.grid.y == b.grid.y && a.grid.z == b.grid.z && a.block.x == b.block.x &&
         a.block.y == b.block.y && a.block.z == b.block.z;
}

LineCost* FindLine(std::vector<LineCost>* lines, const std::string& file, int line) {
  const auto found = std::find_if(lines->begin(), lines->end(),
                                  [&](const LineCost& cost) { return cost.line == line && cost.file == file; });
  return found == lines->end() ? nullptr : &*found;
}

// All lines of the launches, the busiest first.
std::vector<LineCost> LinesOf(const std::vector<LaunchRecord>& launches) {
  std::map<std::pair<std::string, int>, Counters> sums;
  uint64_t instructions = 0;
  for (const LaunchRecord& launch : launches) {
    instructions += launch.counters.warp_instructions;
    for (const emulator::LineCounters& line : launch.lines) sums[{line.file, line.line}].Add(line.counters);
  }
  std::vector<LineCost> lines;
  for (const auto& [place, counters] : sums) {
    if (place.first.empty() || place.second == 0) continue;
    const double share = instructions == 0 ? 0 : AsDouble(counters.warp_instructions) / AsDouble(instructions);
    lines.push_back({place.first, place.second, share, {}, counters});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const LineCost& a, const LineCost& b) {
    return a.counters.warp_instructions > b.counters.warp_instructions;
  });
  return lines;
}

// The worst lines of the metrics in kTelling, then the lines with the most instructions.
std::vector<LineCost> WorstLines(const std::vector<LaunchRecord>& launches) {
  std::vector<LineCost> all = LinesOf(launches);
  const std::map<std::string, emulator::Culprit> culprits = emulator::FindCulprits(launches);
  for (const char* metric : kTelling) {
    const auto culprit = culprits.find(metric);
    if (culprit == culprits.end()) continue;
    LineCost* line = FindLine(&all, culprit->second.file, culprit->second.line);
    if (line != nullptr) line->why.push_back(culprit->second.what);
  }
  std::vector<LineCost> worst;
  for (const LineCost& line : all) {
    if (!line.why.empty()) worst.push_back(line);
  }
  for (size_t i = 0; i < std::min(all.size(), kBusiestLines); ++i) {
    if (all[i].why.empty()) worst.push_back(all[i]);
  }
  if (worst.size() > kWorstLines) worst.resize(kWorstLines);
  return worst;
}

KernelProfile ProfileOf(const std::vector<LaunchRecord>& launches, const DeviceModel& gpu) {
  KernelProfile profile;
  profile.kernel = launches[0].kernel;
  profile.launches = launches.size();
  profile.grid = launches[0].grid;
  profile.block = launches[0].block;
  profile.wave_lanes = launches[0].wave_lanes;
  for (const LaunchRecord& launch : launches) {
    profile.one_shape = profile.one_shape && SameShape(launch, launches[0]);
    profile.counters.Add(launch.counters);
    profile.model_ns += cudart::LaunchNanoseconds(launch.counters, gpu, gpu.multiprocessors);
  }
  profile.metrics = emulator::ComputeMetrics(launches, 0);
  profile.roofline = PlaceUnderRoof(profile.counters, gpu);
  profile.lines = WorstLines(launches);
  return profile;
}

}  // namespace

Roofline PlaceUnderRoof(const Counters& c, const DeviceModel& gpu) {
  Roofline place;
  place.flop = AsDouble(c.fadd + c.fmul + c.dadd + c.dmul + c.hadd + c.hmul) + 2 * AsDouble(c.ffma + c.dfma + c.hfma);
  place.bytes =
      gpu_limits::kSectorBytes * AsDouble(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors);
  place.ridge = gpu.Fp32Gflops() / gpu.bandwidth_gbs;
  place.intensity = place.bytes > 0 ? place.flop / place.bytes : 0;
  place.memory_bound = place.bytes > 0 && place.intensity < place.ridge;
  place.attainable_gflops = place.memory_bound ? place.intensity * gpu.bandwidth_gbs : gpu.Fp32Gflops();
  place.attainable_share = place.attainable_gflops / gpu.Fp32Gflops();
  return place;
}

double ActiveLanesPerWave64(const Counters& c) { return AsDouble(c.active_lane_sum) / AsDouble(c.wave64_instructions); }

Profile MakeProfile(const std::vector<LaunchRecord>& launches, const DeviceModel& gpu) {
  std::map<std::string, std::vector<LaunchRecord>> by_kernel;
  for (const LaunchRecord& launch : launches) by_kernel[launch.kernel].push_back(launch);
  Profile profile{&gpu, {}};
  for (const auto& [kernel, own] : by_kernel) profile.kernels.push_back(ProfileOf(own, gpu));
  std::stable_sort(profile.kernels.begin(), profile.kernels.end(),
                   [](const KernelProfile& a, const KernelProfile& b) { return a.model_ns > b.model_ns; });
  return profile;
}

Result<Profile> ReadProfile(const std::string& path, const DeviceModel& gpu) {
  const auto launches = ReadCounters(path);
  if (!launches) return launches.error();
  return MakeProfile(*launches, gpu);
}

}  // namespace warpgrade::cli
