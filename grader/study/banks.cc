// How many turns shared memory takes for one load of a warp, for strides and for the usual ways to index. Tested by
// tests/study/study_test.cc.
#include <fmt/format.h>

#include "grader/study/bench.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

constexpr int kLargestStride = 64;

std::vector<Pattern> TilePatterns() {
  return {
      PatternOf("t", [](int t) { return t; }),
      PatternOf("t - t % 2", [](int t) { return t - t % 2; }),
      PatternOf("t + t % 2 * 31", [](int t) { return t + t % 2 * 31; }),
      PatternOf("7", [](int) { return 7; }),
      PatternOf("2 * t", [](int t) { return 2 * t; }),
      PatternOf("[t][3] of 32", [](int t) { return 32 * t + 3; }),
      PatternOf("[t][3] of 33", [](int t) { return 33 * t + 3; }),
  };
}

// The turns that the load of `index` takes.
Result<double> Turns(Bench& bench, const char* kernel, uint64_t out, const std::vector<int>& index) {
  const Result<uint64_t> which = bench.Array(index, "which");
  if (!which) return which.error();
  const auto observed = bench.Run(kernel, emulator::kLanes, {*which, out});
  if (!observed) return observed.error();
  WARPGRADE_CHECK(observed->counters.shared_load_requests == 1);
  return static_cast<double>(observed->counters.shared_load_wavefronts);
}

Result<plot::Series> OfStrides(Bench& bench, const std::string& name, const char* kernel, uint64_t out) {
  plot::Series series{.name = name};
  for (int stride = 0; stride <= kLargestStride; ++stride) {
    std::vector<int> index(emulator::kLanes);
    for (int t = 0; t < emulator::kLanes; ++t) index[static_cast<size_t>(t)] = stride * t;
    const Result<double> turns = Turns(bench, kernel, out, index);
    if (!turns) return turns.error();
    series.points.push_back(plot::Exact(stride, *turns));
  }
  return series;
}

// What the strides of `series` have in common, computed from its points.
std::string SentenceOf(const plot::Series& series) {
  bool odd_alike = true, even_worse = true;
  double fewest = series.points.at(1).y, most = 0;
  int worst = 0;
  for (const plot::Point& point : series.points) {
    const int stride = static_cast<int>(point.x);
    if (stride == 0) continue;
    (stride % 2 == 1 ? odd_alike : even_worse) &= stride % 2 == 1 ? point.y == fewest : point.y > fewest;
    if (point.y > most) {
      most = point.y;
      worst = stride;
    }
  }
  return fmt::format(
      "With elements of {}, {} and {}; stride {} takes the most, {} turns.", series.name,
      odd_alike ? fmt::format("every odd stride takes {}", fewest == 1 ? "1 turn" : fmt::format("{} turns", fewest))
                : "odd strides differ",
      even_worse ? "every even one takes more" : "some even ones take as few", worst, most);
}

}  // namespace

Result<plot::Plot> StudyBanks() {
  Bench bench;
  const Result<uint64_t> out = bench.Zeros(emulator::kLanes * sizeof(double), "out");
  if (!out) return out.error();
  plot::Plot plot = BeginPlot("Banks: one load of a warp from shared memory", "32 lanes; 32 banks of 4 bytes");
  plot::Chart named{
      .id = "patterns", .title = "By the element that thread t reads", .x = {"element of tile"}, .y = {"turns"}};
  plot::Series turns{.name = "tile of floats"};
  for (const Pattern& pattern : TilePatterns()) {
    const Result<double> of_pattern = Turns(bench, "gather_shared_4", *out, pattern.index);
    if (!of_pattern) return of_pattern.error();
    turns.points.push_back(plot::Exact(static_cast<double>(named.categories.size()), *of_pattern));
    named.categories.push_back(pattern.name);
  }
  named.series = {turns};
  plot::Chart strides{.id = "strides",
                      .title = "By stride: thread t reads element stride * t",
                      .x = {"stride, elements"},
                      .y = {"turns"}};
  for (const auto& [name, kernel] :
       {std::pair("4 bytes", "gather_shared_4"), std::pair("8 bytes", "gather_shared_8")}) {
    const auto series = OfStrides(bench, name, kernel, *out);
    if (!series) return series.error();
    strides.series.push_back(*series);
    strides.sentences.push_back(SentenceOf(*series));
  }
  plot.charts = {named, strides};
  return plot;
}

}  // namespace warpgrade::study
