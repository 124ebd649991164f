// The profile of `warpgrade run --profile`: as text, with a table of all kernels and details of the first ones, and as
// JSON. profile.cc computes the numbers. Tests: tests/cli/profile_test.cc.
#include "grader/cli/profile_text.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestKernelName = 100;
constexpr size_t kKernelsInDetail = 8;

std::string Grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string Time(uint64_t ns) {
  const double n = static_cast<double>(ns);
  if (n < 1e6) return fmt::format("{:.1f} us", n / 1e3);
  return n < 1e9 ? fmt::format("{:.2f} ms", n / 1e6) : fmt::format("{:.2f} s", n / 1e9);
}

// "n/a" for a ratio whose denominator is 0.
std::string Metric(const KernelProfile& kernel, const char* name, const char* format) {
  const auto found = kernel.metrics.find(name);
  return found == kernel.metrics.end() ? "n/a" : fmt::format(fmt::runtime(format), found->second);
}
std::string Percent(const KernelProfile& kernel, const char* name) {
  const auto found = kernel.metrics.find(name);
  return found == kernel.metrics.end() ? "n/a" : fmt::format("{:.0f}%", 100 * found->second);
}

std::string Shape(const emulator::Dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); }

uint64_t Flop(const KernelProfile& kernel) { return static_cast<uint64_t>(kernel.roofline.flop); }

// One row for each kernel, which shows where a program with many kernels spends its time.
std::string Table(const Profile& profile) {
  uint64_t all_ns = 0;
  for (const KernelProfile& kernel : profile.kernels) all_ns += kernel.model_ns;
  std::string text =
      fmt::format("{:>12} {:>6} {:>9} {:>16} {:>6} {:>7} {:>7} {:>10} {:>16}  {}\n", "model time", "share", "launches",
                  "instructions", "lanes", "loads", "stores", "conflicts", "flop", "kernel");
  for (const KernelProfile& kernel : profile.kernels) {
    const double share = all_ns == 0 ? 0 : static_cast<double>(kernel.model_ns) / static_cast<double>(all_ns);
    text += fmt::format("{:>12} {:>5.0f}% {:>9} {:>16} {:>6} {:>7} {:>7} {:>10} {:>16}  {}\n", Time(kernel.model_ns),
                        100 * share, Grouped(kernel.launches), Grouped(kernel.counters.thread_instructions),
                        Metric(kernel, "average_active_lanes", "{:.1f}"), Percent(kernel, "global_load_efficiency"),
                        Percent(kernel, "global_store_efficiency"), Metric(kernel, "shared_bank_conflicts", "{:.2f}"),
                        Grouped(Flop(kernel)), Printable(kernel.kernel, kLongestKernelName));
  }
  return text;
}

using FactRows = std::vector<std::pair<std::string, std::string>>;

void AddGlobalRow(const char* name, uint64_t requests, uint64_t sectors, uint64_t bytes, FactRows* rows) {
  if (requests == 0) return;
  const double r = static_cast<double>(requests), s = static_cast<double>(sectors);
  rows->emplace_back(
      name, fmt::format("{} requests, {} sectors ({:.2f} sectors per request), {:.0f}% of the moved bytes used",
                        Grouped(requests), Grouped(sectors), s / r,
                        sectors == 0 ? 100.0 : 100 * static_cast<double>(bytes) / (32 * s)));
}

void AddMemoryRows(const KernelProfile& kernel, FactRows* rows) {
  const emulator::Counters& c = kernel.counters;
  AddGlobalRow("global loads", c.global_load_requests, c.global_load_sectors, c.global_load_bytes, rows);
  AddGlobalRow("global stores", c.global_store_requests, c.global_store_sectors, c.global_store_bytes, rows);
  if (c.global_atomic_requests > 0) {
    rows->emplace_back("atomics", fmt::format("{} requests, {} sectors, {} lanes", Grouped(c.global_atomic_requests),
                                              Grouped(c.global_atomic_sectors), Grouped(c.global_atomic_lanes)));
  }
  const uint64_t shared = c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests;
  if (shared > 0) {
    const auto wavefronts = c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
    rows->emplace_back("shared memory",
                       fmt::format("{} requests, {} wavefronts, {} conflicts per request", Grouped(shared),
                                   Grouped(wavefronts), Metric(kernel, "shared_bank_conflicts", "{:.2f}")));
  }
  if (c.local_requests > 0) {
    rows->emplace_back("local memory",
                       fmt::format("{} requests, {} bytes", Grouped(c.local_requests), Grouped(c.local_bytes)));
  }
}

std::string RooflineWords(const Roofline& place, const DeviceModel& gpu) {
  if (place.flop == 0) return fmt::format("{} bytes moved, no flop", Grouped(uint64_t(place.bytes)));
  if (place.bytes == 0) return fmt::format("{} flop, no bytes moved", Grouped(uint64_t(place.flop)));
  return fmt::format(
      "{:.3g} flop per byte, {} of the ridge at {:.3g}: bound by {}; at most {:.4g} of {:.4g} GFLOP/s "
      "({:.2g}%)",
      place.intensity, place.memory_bound ? "left" : "right", place.ridge, place.memory_bound ? "memory" : "arithmetic",
      place.attainable_gflops, gpu.Fp32Gflops(), 100 * place.attainable_share);
}

std::string LineRows(const KernelProfile& kernel, SourceLines& source) {
  std::string text;
  for (const LineCost& line : kernel.lines) {
    std::string cost = fmt::format("{:.0f}% of the instructions", 100 * line.instruction_share);
    for (const std::string& why : line.why) cost += "; " + why;
    text += fmt::format("  {}:{}  {}\n", Printable(ShownPath(line.file), 200), line.line, cost);
    if (const auto shown = source.Text(line.file, line.line)) text += fmt::format("{:>8} | {}\n", line.line, *shown);
  }
  return text;
}

std::string Detail(const KernelProfile& kernel, const DeviceModel& gpu, SourceLines& source) {
  std::string text = fmt::format("\n{}\n", Printable(kernel.kernel, 4 * kLongestKernelName));
  for (const auto& [name, words] : KernelFacts(kernel, gpu)) text += fmt::format("  {:<14} {}\n", name, words);
  return text + LineRows(kernel, source);
}

Json DimAsJson(const emulator::Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json LineAsJson(const LineCost& line, SourceLines& source) {
  emulator::LaunchRecord alone;
  alone.counters = line.counters;
  Json metrics = Json::object();
  // Metrics of launches, blocks or warps have no meaning for a single line.
  for (const auto& [name, value] : emulator::ComputeMetrics({alone}, 0)) {
    const bool of_launches = name == "kernel_launches" || name == "blocks" || name == "threads" ||
                             name.find("_per_warp") != std::string::npos ||
                             name.find("_per_block") != std::string::npos;
    if (!of_launches) metrics[name] = value;
  }
  const auto text = source.Text(line.file, line.line);
  return {{"file", line.file},
          {"line", line.line},
          {"text", text ? Json(*text) : Json(nullptr)},
          {"instruction_share", line.instruction_share},
          {"why", line.why},
          {"metrics", std::move(metrics)}};
}

Json AsJson(const Roofline& place) {
  return {{"flop", place.flop},
          {"bytes", place.bytes},
          {"flop_per_byte", place.bytes > 0 ? Json(place.intensity) : Json(nullptr)},
          {"ridge_flop_per_byte", place.ridge},
          {"bound", place.memory_bound ? "memory" : "compute"},
          {"attainable_gflops", place.attainable_gflops},
          {"attainable_share", place.attainable_share}};
}

}  // namespace

FactRows KernelFacts(const KernelProfile& kernel, const DeviceModel& gpu) {
  const emulator::Counters& c = kernel.counters;
  const std::string launches = kernel.launches == 1 ? "1 launch" : fmt::format("{} launches", Grouped(kernel.launches));
  FactRows rows;
  rows.emplace_back("launched",
                    fmt::format("{}, {}grid {}, block {}", launches, kernel.one_shape ? "" : "the first with ",
                                Shape(kernel.grid), Shape(kernel.block)));
  rows.emplace_back("instructions",
                    fmt::format("{} of {}, {} of threads; {} of {} lanes active", Grouped(c.warp_instructions),
                                kernel.wave_lanes == 64 ? "wavefronts" : "warps", Grouped(c.thread_instructions),
                                Metric(kernel, "average_active_lanes", "{:.1f}"), kernel.wave_lanes));
  if (c.wave64_instructions > 0 && kernel.wave_lanes != 64) {
    rows.emplace_back("as wave-64",
                      fmt::format("at least {} instructions of wavefronts of 64 lanes; at most {:.1f} lanes active",
                                  Grouped(c.wave64_instructions), ActiveLanesPerWave64(c)));
  }
  rows.emplace_back("branches",
                    fmt::format("{}, of which {} divergent", Grouped(c.branches), Grouped(c.divergent_branches)));
  AddMemoryRows(kernel, &rows);
  if (c.barriers > 0) {
    rows.emplace_back("barriers", fmt::format("{}; {} per block", Grouped(c.barriers),
                                              Metric(kernel, "barriers_per_block", "{:.4g}")));
  }
  if (c.shuffles + c.votes > 0) {
    rows.emplace_back("warp", fmt::format("{} shuffles, {} votes", Grouped(c.shuffles), Grouped(c.votes)));
  }
  rows.emplace_back("roofline", RooflineWords(kernel.roofline, gpu));
  return rows;
}

std::string ProfileText(const Profile& profile, SourceLines& source) {
  if (profile.kernels.empty()) return "warpgrade: profile: no kernel was launched\n";
  std::string text = fmt::format(
      "warpgrade: profile for {}. The counts are exact. The time is not measured: a model without caches and "
      "waiting times computes it.\n\n",
      profile.gpu->name);
  text += Table(profile);
  const size_t shown = std::min(profile.kernels.size(), kKernelsInDetail);
  for (size_t i = 0; i < shown; ++i) text += Detail(profile.kernels[i], *profile.gpu, source);
  if (shown < profile.kernels.size()) {
    const size_t more = profile.kernels.size() - shown;
    text += fmt::format("\n{} {} not shown; --profile FILE.json writes all of them\n", Counted(more, "more kernel"),
                        IsOrAre(more));
  }
  return text;
}

std::string ProfileAsJson(const Profile& profile, SourceLines& source) {
  Json metrics = Json::object();
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) {
    metrics[metric.name] = {{"unit", metric.unit},
                            {"better", metric.better == emulator::Better::kLower ? "lower" : "higher"},
                            {"description", metric.description}};
  }
  Json kernels = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json lines = Json::array();
    for (const LineCost& line : kernel.lines) lines.push_back(LineAsJson(line, source));
    const emulator::Counters& c = kernel.counters;
    Json wave64 = nullptr;  // without --wave64
    if (c.wave64_instructions > 0) {
      wave64 = {{"instructions_at_least", c.wave64_instructions}, {"active_lanes_at_most", ActiveLanesPerWave64(c)}};
    }
    kernels.push_back({{"kernel", kernel.kernel},
                       {"launches", kernel.launches},
                       {"grid", DimAsJson(kernel.grid)},
                       {"block", DimAsJson(kernel.block)},
                       {"model_time_ns", kernel.model_ns},
                       {"metrics", kernel.metrics},
                       {"wave64", std::move(wave64)},
                       {"roofline", AsJson(kernel.roofline)},
                       {"lines", std::move(lines)}});
  }
  const Json document{{"schema", "warpgrade.profile/1"},
                      {"gpu",
                       {{"name", profile.gpu->name},
                        {"fp32_gflops", profile.gpu->Fp32Gflops()},
                        {"gigabytes_per_second", profile.gpu->bandwidth_gbs}}},
                      {"metrics", std::move(metrics)},
                      {"kernels", std::move(kernels)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpgrade::cli
