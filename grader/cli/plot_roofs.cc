// The plots whose curves come from arithmetic: the roofs of a GPU, and its occupancy; and blocks, which one device
// counts while another one has the time. Tests: tests/cli/plot_charts_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "grader/cli/plot_charts.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/device_model/occupancy.h"
#include "grader/plot/roofs.h"

namespace warpgrade::cli {
namespace {

using plot::Chart;
using plot::Plot;
using plot::Scale;
using plot::Series;

struct NamedRoofs : plot::Roofs {
  std::string of;
};

NamedRoofs RoofsOf(const PlotSubject& subject, const DeviceModel& model) {
  if (subject.on_gpu() && subject.device.peaks.gb_s && subject.device.peaks.gflop_s) {
    return {{*subject.device.peaks.gb_s, *subject.device.peaks.gflop_s}, subject.device.name};
  }
  return {{model.bandwidth_gbs, model.Fp32Gflops()}, model.name};
}

// The roof point of a rung, with its sentence. nullopt: it was not counted.
std::optional<plot::Point> RoofPoint(const PlottedRung& rung, const RungWork& work, const plot::Roofs& roofs,
                                     bool on_gpu, std::string* sentence) {
  const auto bytes = rung.measurement.metrics.find("global_bytes_per_element");
  if (bytes == rung.measurement.metrics.end() || bytes->second <= 0 || work.flops <= 0 || work.elements <= 0) {
    return std::nullopt;
  }
  const double x = work.flops / (bytes->second * work.elements), bound = roofs.At(x);
  *sentence = plot::RoofWords(rung.name, x, roofs);
  const score::ThroughputMeasurement& timed = rung.measurement.throughput;
  const bool is_timed = on_gpu && timed.status != score::ThroughputMeasurement::Status::kNotMeasured &&
                        timed.unit == "GFLOP/s" && timed.value > 0;
  if (!is_timed) {
    *sentence += ".";
    return plot::Point{x, bound, bound, bound, true};
  }
  *sentence += fmt::format("; it reaches {:.0f}, which is {:.0f}%.", timed.value, 100 * timed.value / bound);
  const double share = std::min(timed.spread_percent, 99.0) / 100;
  return plot::Point{x, timed.value, timed.value * (1 - share), timed.value * (1 + share),
                     timed.status == score::ThroughputMeasurement::Status::kFlagged};
}

std::vector<std::pair<std::string, std::string>> FactsOf(const PlotSubject& subject, const std::string& spread) {
  return {{"Device", subject.on_gpu() ? subject.device.name : "the emulator, which counts and has no times"},
          {"Date", subject.date},
          {"Program", subject.program},
          {"Spread", spread}};
}

constexpr const char* kCountedExactly = "none: the emulator counts exactly, and the same in every run";

// Resident warps where one need varies.
struct Impact {
  std::string id, title, unit;
  std::vector<uint64_t> values;
  uint64_t chosen;
  std::function<void(uint64_t value, OccupancyQuestion* question)> set;
};

Occupancy Resident(const OccupancyQuestion& question, const DeviceModel& gpu) {
  KernelNeeds needs;
  needs.registers = static_cast<uint32_t>(question.registers);
  return OccupancyOf(needs, gpu.capability, question.threads, question.shared);
}

// Where the number of warps changes, next to the chosen value.
std::vector<std::string> ImpactSentences(const Impact& impact, const std::vector<int>& warps, int chosen_warps) {
  size_t at = 0;
  while (at + 1 < impact.values.size() && impact.values[at + 1] <= impact.chosen) ++at;
  std::vector<std::string> sentences;
  size_t above = at;
  while (above < warps.size() && warps[above] == chosen_warps) ++above;
  if (above < warps.size()) {
    const bool for_good = *std::max_element(warps.begin() + static_cast<long>(above), warps.end()) < chosen_warps;
    sentences.push_back(fmt::format("{} {} {}, {} warps are resident.", for_good ? "From" : "With",
                                    impact.values[above], impact.unit + (for_good ? " on" : ""), warps[above]));
  }
  size_t below = at;
  while (below > 0 && warps[below] == chosen_warps) --below;
  if (warps[below] != chosen_warps) {
    sentences.push_back(
        fmt::format("With {} {}, {} warps are resident.", impact.values[below], impact.unit, warps[below]));
  }
  if (sentences.empty()) {
    sentences.push_back(fmt::format("The {} make no difference here.", impact.unit));
  }
  return sentences;
}

Chart ImpactChart(const Impact& impact, const OccupancyQuestion& question, const DeviceModel& gpu) {
  Chart chart;
  chart.id = impact.id;
  chart.title = impact.title;
  chart.x = {impact.unit, Scale::kLinear};
  chart.y = {"resident warps of a multiprocessor", Scale::kLinear};
  Series curve{.name = "resident warps"}, most{.name = "the most"}, chosen{.name = "this kernel"};
  std::vector<int> warps;
  for (const uint64_t value : impact.values) {
    OccupancyQuestion other = question;
    impact.set(value, &other);
    const Occupancy occupancy = Resident(other, gpu);
    warps.push_back(occupancy.warps);
    curve.points.push_back(plot::Exact(static_cast<double>(value), occupancy.warps));
    most.points.push_back(plot::Exact(static_cast<double>(value), occupancy.most_warps));
  }
  const int resident = Resident(question, gpu).warps;
  chosen.points.push_back(plot::Exact(static_cast<double>(impact.chosen), resident));
  chosen.joined = false;
  most.is_bound = true;
  chart.sentences = ImpactSentences(impact, warps, resident);
  chart.series = {std::move(curve), std::move(chosen), std::move(most)};
  return chart;
}

std::vector<uint64_t> Range(uint64_t first, uint64_t last, uint64_t step, uint64_t chosen) {
  std::set<uint64_t> values = {chosen};
  for (uint64_t value = first; value <= last; value += step) values.insert(value);
  return {values.begin(), values.end()};
}

double BlocksOf(const score::SizeMeasurement& size) {
  const auto blocks = size.metrics.find("blocks");
  return blocks == size.metrics.end() ? 0 : blocks->second;
}

// "v7 launches 1 to 256 blocks, and not more from 2^18 elements on."
std::string BlocksSentence(const PlottedRung& rung) {
  const std::vector<score::SizeMeasurement>& sizes = rung.measurement.sizes;
  if (sizes.empty()) return "";
  double low = INFINITY, high = 0;
  for (const score::SizeMeasurement& size : sizes) {
    low = std::min(low, BlocksOf(size));
    high = std::max(high, BlocksOf(size));
  }
  std::string sentence = fmt::format("{} launches {:.0f} to {:.0f} blocks", rung.name, low, high);
  if (low == high) {
    sentence = fmt::format("{} launches {:.0f} block{} for every size", rung.name, low, low == 1 ? "" : "s");
  }
  const auto first = std::find_if(sizes.begin(), sizes.end(),
                                  [high](const score::SizeMeasurement& size) { return BlocksOf(size) == high; });
  if (low != high && first->elements != sizes.back().elements) {
    sentence += fmt::format(", and no more from {} elements on",
                            plot::NumberOn(Scale::kPowersOf2, static_cast<double>(first->elements)));
  }
  return sentence + ".";
}

// Of a timed rung: its points against the blocks that the emulator counted at the same size.
Series TimedAgainstBlocks(const PlottedRung& rung, const std::map<uint64_t, double>& blocks) {
  Series series{.name = rung.name};
  for (const score::SizeMeasurement& size : rung.measurement.sizes) {
    const auto counted = blocks.find(size.elements);
    if (counted == blocks.end() || counted->second <= 0 ||
        size.throughput.status == score::ThroughputMeasurement::Status::kNotMeasured || size.throughput.value <= 0) {
      continue;
    }
    const double share = std::min(99.0, std::max(size.throughput.spread_percent, size.clock_error_percent)) / 100;
    series.points.push_back({counted->second, size.throughput.value, size.throughput.value * (1 - share),
                             size.throughput.value * (1 + share),
                             size.throughput.status == score::ThroughputMeasurement::Status::kFlagged});
  }
  return series;
}

}  // namespace

Plot RooflinePlot(const PlotSubject& subject, const std::vector<PlottedRung>& rungs, const WorkOfRungs& work,
                  const DeviceModel& model) {
  Plot plot;
  plot.title = subject.lab + ": the roofline";
  const NamedRoofs roofs = RoofsOf(subject, model);
  Chart chart = plot::RooflineChart(subject.on_gpu() ? "Speed below the roofs of " + roofs.of
                                                     : "What the roofs of " + roofs.of + " allow");
  double low = INFINITY, high = 0, spread = 0;
  std::set<std::string> sizes;
  for (const PlottedRung& rung : rungs) {
    const auto of_rung = work.find(rung.name);
    if (of_rung == work.end()) continue;
    std::string sentence;
    const auto point = RoofPoint(rung, of_rung->second, roofs, subject.on_gpu(), &sentence);
    if (!point) {
      plot.facts.emplace_back("Left out", rung.name + ": its traffic could not be counted");
      continue;
    }
    low = std::min(low, point->x);
    high = std::max(high, point->x);
    spread = std::max(spread, rung.measurement.throughput.spread_percent);
    sizes.insert("counted " + of_rung->second.counted_size);
    if (subject.on_gpu()) sizes.insert("timed " + of_rung->second.timed_size);
    Series series{.name = rung.name};
    series.points = {*point};
    series.joined = false;
    chart.series.push_back(std::move(series));
    chart.sentences.push_back(sentence);
  }
  std::vector<std::pair<std::string, std::string>> facts =
      FactsOf(subject, subject.on_gpu() ? fmt::format("at most {:.2g}% of a speed", spread) : kCountedExactly);
  facts.emplace_back("Sizes", fmt::format("{}", fmt::join(sizes, "; ")));
  facts.emplace_back("Roofs",
                     fmt::format("{}: {:.0f} GB/s and {:.0f} GFLOP/s, by its figures; caches may serve some of "
                                 "the bytes, so a rung may be above the roof of memory",
                                 roofs.of, roofs.gb_s, roofs.gflop_s));
  plot.facts.insert(plot.facts.begin(), facts.begin(), facts.end());
  chart.series.push_back(plot::RoofSeries(roofs, low, high));
  plot.charts = {std::move(chart)};
  return plot;
}

Plot OccupancyPlot(const OccupancyQuestion& question, const DeviceModel& gpu, const std::string& date) {
  Plot plot;
  plot.title = "Occupancy";
  const Occupancy now = Resident(question, gpu);
  plot.facts = {
      {"Device", fmt::format("{} (compute capability {}.{}), by its limits", gpu.name, gpu.capability.major,
                             gpu.capability.minor)},
      {"Date", date},
      {"Sizes", fmt::format("{} registers a thread, {} threads a block, {} bytes of shared memory a block: "
                            "{} of {} warps are resident",
                            question.registers, question.threads, question.shared, now.warps, now.most_warps)},
      {"Spread", "none: this is arithmetic"}};
  const uint64_t most_shared = static_cast<uint64_t>(gpu.capability.shared_per_block_opt_in);
  const Impact impacts[] = {
      {"registers", "Against the registers of a thread", "registers",
       Range(1, gpu_limits::kRegistersPerThread, 1, static_cast<uint64_t>(question.registers)),
       static_cast<uint64_t>(question.registers),
       [](uint64_t value, OccupancyQuestion* other) { other->registers = static_cast<int>(value); }},
      {"threads", "Against the threads of a block", "threads",
       Range(gpu_limits::kWarpSize, gpu_limits::kThreadsPerBlock, gpu_limits::kWarpSize,
             static_cast<uint64_t>(question.threads)),
       static_cast<uint64_t>(question.threads),
       [](uint64_t value, OccupancyQuestion* other) { other->threads = static_cast<int>(value); }},
      {"shared", "Against the shared memory of a block", "bytes of shared memory",
       Range(0, most_shared, 1024, std::min(question.shared, most_shared)), std::min(question.shared, most_shared),
       [](uint64_t value, OccupancyQuestion* other) { other->shared = value; }},
  };
  for (const Impact& impact : impacts) plot.charts.push_back(ImpactChart(impact, question, gpu));
  return plot;
}

Plot ScalingPlot(const PlotSubject& subject, const std::vector<PlottedRung>& counted,
                 const std::vector<PlottedRung>& timed) {
  Plot plot;
  plot.title = subject.lab + ": against the number of blocks";
  plot.facts = FactsOf(subject, subject.on_gpu() ? "of each point's samples, or the error of the clock where that is "
                                                   "larger (the whiskers); blocks are counted on the emulator"
                                                 : kCountedExactly);
  Chart chart;
  chart.id = "scaling";
  chart.x = {"blocks launched by one call", Scale::kPowersOf2};
  chart.y = {subject.on_gpu() ? "GB/s" : "warp instructions per block", Scale::kPowersOf10};
  chart.title = subject.on_gpu() ? "Throughput" : "Work of a block";
  std::set<uint64_t> sizes;
  for (const PlottedRung& rung : counted) {
    std::map<uint64_t, double> blocks;
    Series work{.name = rung.name};
    for (const score::SizeMeasurement& size : rung.measurement.sizes) {
      sizes.insert(size.elements);
      blocks[size.elements] = BlocksOf(size);
      const auto instructions = size.metrics.find("warp_instructions");
      if (BlocksOf(size) <= 0 || instructions == size.metrics.end()) continue;
      work.points.push_back(plot::Exact(BlocksOf(size), instructions->second / BlocksOf(size)));
    }
    if (subject.on_gpu()) {
      const auto same = std::find_if(timed.begin(), timed.end(),
                                     [&rung](const PlottedRung& other) { return other.name == rung.name; });
      work = same == timed.end() ? Series{.name = rung.name} : TimedAgainstBlocks(*same, blocks);
    }
    if (!work.points.empty()) chart.series.push_back(std::move(work));
    if (std::string sentence = BlocksSentence(rung); !sentence.empty()) chart.sentences.push_back(std::move(sentence));
  }
  if (!sizes.empty()) {
    plot.facts.emplace_back("Sizes",
                            fmt::format("{} from {} to {} elements", sizes.size(),
                                        plot::NumberOn(Scale::kPowersOf2, static_cast<double>(*sizes.begin())),
                                        plot::NumberOn(Scale::kPowersOf2, static_cast<double>(*sizes.rbegin()))));
  }
  plot.charts = {std::move(chart)};
  return plot;
}

}  // namespace warpgrade::cli
