// What each step of a block's sum costs, in the three orders of lab1's first three rungs: warps at work, divergent
// warps, and the extra turns of shared memory. Tested by tests/study/study_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "grader/study/bench.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

constexpr uint32_t kThreads = 512;
constexpr int kSteps = std::bit_width(kThreads) - 1;
constexpr uint32_t kWideLanes = 64;  // of a wavefront on some GPUs of AMD
constexpr uint32_t kWideWarps = kThreads / kWideLanes;

struct Order {
  const char* name;
  const char* kernel;
};
constexpr std::array<Order, 3> kOrders = {
    {{"modulo (v1)", "tree_modulo"}, {"strided (v2)", "tree_strided"}, {"sequential (v3)", "tree_sequential"}}};

double Sum(const plot::Series& series) {
  double sum = 0;
  for (const plot::Point& point : series.points) sum += point.y;
  return sum;
}

// The orders with the smallest sum over all steps.
std::set<std::string> Cheapest(const plot::Chart& chart) {
  double least = Sum(chart.series.front());
  for (const plot::Series& series : chart.series) least = std::min(least, Sum(series));
  std::set<std::string> names;
  for (const plot::Series& series : chart.series) {
    if (Sum(series) == least) names.insert(series.name);
  }
  return names;
}

// What follows from all charts: the orders that have the smallest sum in each of them.
std::string Conclusion(const std::vector<plot::Chart>& charts) {
  std::string best;
  for (const Order& order : kOrders) {
    const bool everywhere = std::all_of(charts.begin(), charts.end(), [&order](const plot::Chart& chart) {
      return Cheapest(chart).contains(order.name);
    });
    if (everywhere) best += (best.empty() ? "" : ", ") + std::string(order.name);
  }
  return best.empty() ? "No order costs least in all three charts."
                      : "So no order costs less in any of the three charts than " + best + ".";
}

}  // namespace

Result<plot::Plot> StudyTree() {
  Bench bench;
  plot::Plot plot = BeginPlot("A block's sum as a tree, step by step",
                              fmt::format("one block of {} threads, {} warps (the blocks of lab1 have 256 threads)",
                                          kThreads, kThreads / emulator::kLanes));
  const plot::Axis step_axis{"step"};
  plot::Chart working{.id = "working", .title = "Warps with a thread at work", .x = step_axis, .y = {"warps"}};
  plot::Chart divergent{
      .id = "divergent", .title = "Warps of which some threads work and others do not", .x = step_axis, .y = {"warps"}};
  plot::Chart turns{.id = "extra_turns",
                    .title = "Extra turns of shared memory for bank conflicts",
                    .x = step_axis,
                    .y = {"turns beyond one for each access of a warp"}};
  for (const Order& order : kOrders) {
    plot::Series of_working{.name = order.name}, of_divergent{.name = order.name}, of_turns{.name = order.name};
    for (int step = 0; step < kSteps; ++step) {
      const auto observed = bench.Run(order.kernel, kThreads, {static_cast<uint64_t>(step)});
      if (!observed) return observed.error();
      const emulator::Counters& c = observed->counters;
      const double x = step + 1;
      of_working.points.push_back(plot::Exact(x, static_cast<double>(c.shared_load_requests) / 2));  // each loads twice
      of_divergent.points.push_back(plot::Exact(x, static_cast<double>(c.divergent_branches)));
      of_turns.points.push_back(
          plot::Exact(x, static_cast<double>(c.shared_load_wavefronts - c.shared_load_requests +
                                             c.shared_store_wavefronts - c.shared_store_requests)));
    }
    working.sentences.push_back(fmt::format("{}: {} warps at work over all steps.", order.name, Sum(of_working)));
    divergent.sentences.push_back(fmt::format("{}: {} divergent warps over all steps.", order.name, Sum(of_divergent)));
    turns.sentences.push_back(fmt::format("{}: {} extra turns over all steps, {} for each {} threads.", order.name,
                                          Sum(of_turns), Sum(of_turns) / kWideWarps, kWideLanes));
    working.series.push_back(of_working);
    divergent.series.push_back(of_divergent);
    turns.series.push_back(of_turns);
  }
  turns.sentences.push_back(fmt::format(
      "{} threads are a wavefront on some GPUs of AMD: there texts count conflicts for each wavefront.", kWideLanes));
  turns.sentences.push_back(Conclusion({working, divergent, turns}));
  plot.charts = {working, divergent, turns};
  return plot;
}

}  // namespace warpgrade::study
