// What each step of a block's sum costs, in the three orders of lab1's first three rungs: warps at work, divergent
// warps, and the extra turns of shared memory. Tested by tests/study/study_test.cc.
#include <fmt/format.h>

#include <array>
#include <bit>

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

}  // namespace

Result<plot::Plot> StudyTree() {
  Bench bench;
  plot::Plot plot = BeginPlot("A block's sum as a tree, step by step",
                              fmt::format("one block of {} threads, {} warps", kThreads, kThreads / emulator::kLanes));
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
      of_working.points.push_back(Exact(x, static_cast<double>(c.shared_load_requests) / 2));  // each loads twice
      of_divergent.points.push_back(Exact(x, static_cast<double>(c.divergent_branches)));
      of_turns.points.push_back(Exact(x, static_cast<double>(c.shared_load_wavefronts - c.shared_load_requests +
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
  plot.charts = {working, divergent, turns};
  return plot;
}

}  // namespace warpgrade::study
