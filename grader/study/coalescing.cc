// How many sectors and lines of memory one load of a warp moves, for the usual ways to index. The addresses are those
// of the recorded request, so nothing here is taken from the formula. Tested by tests/study/study_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "grader/study/bench.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

constexpr int kElements = 1 << 20;  // of the array, so that random indices meet no line twice, or hardly ever
constexpr uint64_t kSector = 32, kLine = 128;

// Indices without order, the same in every run.
Pattern RandomPattern() {
  std::mt19937 random(1);
  Pattern pattern{"random", std::vector<int>(emulator::kLanes)};
  for (int& index : pattern.index) index = static_cast<int>(random() % kElements);
  return pattern;
}

std::vector<Pattern> LoadPatterns() {
  return {
      PatternOf("i", [](int i) { return i; }),
      PatternOf("i ^ 5", [](int i) { return i ^ 5; }),
      PatternOf("i + 1", [](int i) { return i + 1; }),
      PatternOf("i + 8", [](int i) { return i + 8; }),
      PatternOf("0", [](int) { return 0; }),
      PatternOf("2 * i", [](int i) { return 2 * i; }),
      PatternOf("4 * i", [](int i) { return 4 * i; }),
      PatternOf("8 * i", [](int i) { return 8 * i; }),
      PatternOf("32 * i", [](int i) { return 32 * i; }),
      RandomPattern(),
  };
}

struct Moved {
  uint64_t wanted = 0;  // bytes that at least one lane asks for
  uint64_t sectors = 0, lines = 0;
};

Moved MovedBy(const emulator::Request& request) {
  std::set<uint64_t> bytes, sectors, lines;
  for (int lane = 0; lane < emulator::kLanes; ++lane) {
    if ((request.lanes >> lane & 1) == 0) continue;
    for (int b = 0; b < request.bytes; ++b) {
      const uint64_t at = request.at[static_cast<size_t>(lane)] + static_cast<uint64_t>(b);
      bytes.insert(at);
      sectors.insert(at / kSector);
      lines.insert(at / kLine);
    }
  }
  return {bytes.size(), sectors.size(), lines.size()};
}

double Percent(uint64_t wanted, uint64_t moved) {
  return 100 * static_cast<double>(wanted) / static_cast<double>(moved);
}

}  // namespace

Result<plot::Plot> StudyCoalescing() {
  Bench bench;
  const Result<uint64_t> from = bench.Zeros(kElements * sizeof(float), "array");
  if (!from) return from.error();
  const Result<uint64_t> out = bench.Zeros(emulator::kLanes * sizeof(float), "out");
  if (!out) return out.error();
  plot::Plot plot =
      BeginPlot("Coalescing: one load of a warp, by the element that lane i reads",
                fmt::format("32 lanes of 4 bytes each; sectors of {} bytes, lines of {}", kSector, kLine));
  plot::Chart moved{
      .id = "moved", .title = "What one load touches", .x = {"element that lane i reads"}, .y = {"sectors or lines"}};
  plot::Chart used{.id = "used",
                   .title = "How much of it is used",
                   .x = {"element that lane i reads"},
                   .y = {"% of the bytes moved"}};
  plot::Series sectors{.name = "sectors"}, lines{.name = "lines"}, of_sectors{.name = "of sectors"},
      of_lines{.name = "of lines"};
  std::vector<std::string> whole, worst;  // uses every byte; the fewest
  double least = 100;
  for (const Pattern& pattern : LoadPatterns()) {
    const Result<uint64_t> which = bench.Array(pattern.index, "which");
    if (!which) return which.error();
    const auto observed = bench.Run("gather", emulator::kLanes, {*from, *which, *out});
    if (!observed) return observed.error();
    const auto request = observed->LoadFrom("array");
    if (!request) return Error{ErrorKind::kMachine, "the load of " + pattern.name + " was not recorded"};
    const Moved cost = MovedBy(*request);
    const double x = static_cast<double>(moved.categories.size());
    moved.categories.push_back(pattern.name);
    sectors.points.push_back(plot::Exact(x, static_cast<double>(cost.sectors)));
    lines.points.push_back(plot::Exact(x, static_cast<double>(cost.lines)));
    const double use = Percent(cost.wanted, kSector * cost.sectors);
    of_sectors.points.push_back(plot::Exact(x, use));
    of_lines.points.push_back(plot::Exact(x, Percent(cost.wanted, kLine * cost.lines)));
    if (use == 100) whole.push_back("array[" + pattern.name + "]");
    if (use < least) worst.clear();
    least = std::min(least, use);
    if (use == least) worst.push_back("array[" + pattern.name + "]");
  }
  used.categories = moved.categories;
  moved.series = {sectors, lines};
  used.series = {of_sectors, of_lines};
  used.sentences = {
      fmt::format("Every byte of the sectors that move is used by {}.", Listed(whole)),
      fmt::format("The least is used by {}: {:.4g}% of the bytes in their sectors.", Listed(worst), least),
  };
  plot.charts = {moved, used};
  return plot;
}

}  // namespace warpgrade::study
