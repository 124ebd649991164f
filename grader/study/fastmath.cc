// Precise and fast functions. The emulator counts the instructions of a call. It computes the approximate instructions
// more exactly than a GPU does, so errors are measured on a GPU, as the speeds are. Tested by
// tests/study/study_test.cc and program_charts_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "grader/study/bench.h"
#include "grader/study/programs.h"
#include "grader/study/rows.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

constexpr double kBitsOfFloat = 24;

struct MathCall {
  const char* name;    // as a student writes it
  const char* kernel;  // math_... and math_fast_...
  float input;
};
constexpr MathCall kCalls[] = {{"sin(1)", "sin", 1}, {"sin(200000)", "sin", 200'000}, {"exp(1)", "exp", 1},
                               {"log(2)", "log", 2}, {"pow(2, 2.5)", "pow", 2},       {"2.5 / 3", "divide", 3}};

// The instructions of one warp.
Result<double> MathInstructionsOf(Bench& bench, const std::string& kernel, float input) {
  const Result<uint64_t> in = bench.Array(std::vector<int>(emulator::kLanes, std::bit_cast<int>(input)), "in");
  if (!in) return in.error();
  const Result<uint64_t> out = bench.Zeros(emulator::kLanes * sizeof(float), "out");
  if (!out) return out.error();
  const auto observed = bench.Run("math_" + kernel, emulator::kLanes, {*in, *out});
  if (!observed) return observed.error();
  return static_cast<double>(observed->counters.warp_instructions);
}

Result<plot::Chart> Instructions() {
  Bench bench;
  plot::Chart chart{.id = "instructions",
                    .title = "Instructions of one call, in PTX, counted on the emulator",
                    .x = {"call"},
                    .y = {"instructions"},
                    .series = {{"precise"}, {"fast"}}};
  for (const MathCall& call : kCalls) {
    const Result<double> nothing = MathInstructionsOf(bench, "copy", call.input);
    if (!nothing) return nothing.error();
    const double x = static_cast<double>(chart.categories.size());
    chart.categories.emplace_back(call.name);
    for (plot::Series& series : chart.series) {
      const std::string prefix = series.name == "fast" ? "fast_" : "";
      const Result<double> count = MathInstructionsOf(bench, prefix + call.kernel, call.input);
      if (!count) return count.error();
      series.points.push_back(plot::Exact(x, *count - *nothing));
    }
  }
  chart.sentences = {
      "nvcc -use_fast_math makes sinf(x) to __sinf(x), and so on: one instruction of the GPU's special units, with one "
      "or two around it.",
      "A large argument of the precise sine takes a slow path, which finds the angle with many digits of pi.",
      "The precise division is one instruction of PTX, but ptxas makes several of the GPU's instructions from it."};
  return chart;
}

// From relative errors to the bits that are right.
plot::Chart Bits(const Table& errors) {
  plot::Chart chart = ChartOf(errors, "Bits that are right, in the worst case", {"function and range"}, {"bits of 24"});
  for (plot::Series& series : chart.series) {
    for (plot::Point& p : series.points) {
      p = plot::Exact(p.x, p.y > 0 ? std::clamp(-std::log2(p.y), 0.0, kBitsOfFloat) : kBitsOfFloat);
    }
  }
  const plot::Series* fast = errors.Find("fast");
  if (fast == nullptr || fast->points.empty()) return chart;
  const auto worst = std::max_element(fast->points.begin(), fast->points.end(),
                                      [](const plot::Point& a, const plot::Point& b) { return a.y < b.y; });
  chart.sentences = {fmt::format("The fast functions are worst at {}: a relative error of {:.2g}.",
                                 errors.categories.at(static_cast<size_t>(worst->x)), worst->y)};
  return chart;
}

plot::Chart MathSpeeds(const Table& speeds) {
  plot::Chart chart = ChartOf(speeds, "Speed", {"function and range"}, {"billion calls in a second"});
  for (const std::string& category : speeds.categories) {
    const auto precise = speeds.Bar("precise", category), fast = speeds.Bar("fast", category);
    if (!precise || !fast || *precise <= 0) continue;
    chart.sentences.push_back(fmt::format("{}: fast is {:.2g} times as fast.", category, *fast / *precise));
  }
  return chart;
}

}  // namespace

Result<plot::Plot> StudyFastMath(Machine& machine) {
  const Result<plot::Chart> instructions = Instructions();
  if (!instructions) return instructions.error();
  const Result<Rows> rows = RunForRows(machine, kFastMathProgram);
  if (!rows) return rows.error();
  plot::Plot plot =
      BeginPlot("Fast math: precise functions and fast ones", *rows,
                rows->has_times ? "134 million calls each, median and quartiles of 9 runs" : "one call for each count");
  plot.charts = {*instructions};
  if (rows->has_times) {
    plot.charts.push_back(Bits(rows->Of("error")));
    plot.charts.push_back(MathSpeeds(rows->Of("speed")));
  } else {
    plot.charts.back().sentences.emplace_back(
        "Errors and speeds: skipped: no GPU. The emulator computes the fast instructions more exactly than a GPU.");
  }
  return plot;
}

}  // namespace warpgrade::study
