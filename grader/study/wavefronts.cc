// The nine steps of hip/reduction.hip, each as one block on the emulator, compiled for wavefronts of 64 lanes and for
// those of 32. The PTX is compiled with the kit, so the study needs no compiler. Tested by tests/study/study_test.cc,
// and the same file as a program by tests/hip/reduction_test.cc.
#include <fmt/format.h>

#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grader/study/bench.h"
#include "grader/study/programs.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

struct WaveStep {
  const char* name;
  const char* kernel;  // its symbol; {}: the threads of the block
  uint32_t elements;   // of a thread
  bool uses_shared;    // one int for each thread
};
constexpr std::array<WaveStep, 9> kWaveSteps = {{{"1 modulo", "_Z6moduloPKiPij", 1, true},
                                                 {"2 strided", "_Z7stridedPKiPij", 1, true},
                                                 {"3 sequential", "_Z10sequentialPKiPij", 1, true},
                                                 {"4 add on load", "_Z9addOnLoadPKiPij", 2, true},
                                                 {"5 last wavefront", "_Z16lastWaveUnrolledPKiPij", 2, true},
                                                 {"6 unrolled", "_Z8unrolledILj{}EEvPKiPij", 2, true},
                                                 {"7 grid stride", "_Z10gridStrideILj{}EEvPKiPij", 2, true},
                                                 {"8 shuffles", "_Z8shufflesPKiPij", 1, false},
                                                 {"9 one pass", "_Z7onePassPKiPij", 1, false}}};

// What one block of a step did.
struct WaveCounts {
  double divergent = 0, extra_turns = 0, shuffles = 0;  // of the block; extra turns: for each wavefront
  double working = 0;                                   // percent of the lanes
  double races = 0;
};

struct WaveRun {
  int lanes;
  uint32_t threads;
  std::vector<WaveCounts> steps;

  std::string Name() const { return fmt::format("{} lanes, block of {}", lanes, threads); }
};

// The branches that diverge, without those of the last line that has any: there thread 0 stores the sum.
uint64_t DivergentInTheSum(const Bench::Observed& observed) {
  uint64_t all = 0, last = 0;
  for (const emulator::LineCounters& line : observed.lines) {  // by ascending number
    if (line.counters.divergent_branches == 0) continue;
    last = line.counters.divergent_branches;
    all += last;
  }
  return all - last;
}

WaveCounts CountsOf(const Bench::Observed& observed, int lanes, uint32_t threads) {
  const emulator::Counters& c = observed.counters;
  const double waves = static_cast<double>(threads) / lanes;
  const auto turns = static_cast<double>(c.shared_load_wavefronts + c.shared_store_wavefronts);
  const auto fewest = static_cast<double>(c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts);
  WaveCounts counts;
  counts.divergent = static_cast<double>(DivergentInTheSum(observed));
  counts.extra_turns = (turns - fewest) / waves;
  counts.shuffles = static_cast<double>(c.shuffles);
  counts.races = static_cast<double>(observed.races);
  counts.working = 100 * static_cast<double>(c.active_lane_sum) / (static_cast<double>(c.warp_instructions) * lanes);
  return counts;
}

Result<WaveRun> RunWaves(std::string_view ptx, int lanes, uint32_t threads) {
  WaveRun run{lanes, threads, {}};
  for (const WaveStep& step : kWaveSteps) {
    Bench bench(ptx);
    std::vector<int> input(threads * step.elements);
    std::iota(input.begin(), input.end(), 1);
    const auto in = bench.Array(input, "in");
    if (!in) return in.error();
    const auto out = bench.Zeros(sizeof(int), "out");
    if (!out) return out.error();
    const std::string kernel = fmt::format(fmt::runtime(step.kernel), threads);
    const auto observed = bench.Run(kernel, threads, {*in, *out, input.size()},
                                    step.uses_shared ? threads * static_cast<uint32_t>(sizeof(int)) : 0);
    if (!observed) return observed.error();
    const auto sum = bench.Content(*out, 1);
    if (!sum) return sum.error();
    // A race may give the right sum by chance; without one it must be right.
    if (observed->races == 0 && sum->front() != std::accumulate(input.begin(), input.end(), 0)) {
      return Error{ErrorKind::kMachine, fmt::format("the study's step {} gives a wrong sum", step.name)};
    }
    run.steps.push_back(CountsOf(*observed, lanes, threads));
  }
  return run;
}

plot::Chart WaveChart(const std::string& id, const std::string& title, const std::string& unit,
                      const std::vector<WaveRun>& runs, double WaveCounts::*value) {
  plot::Chart chart{.id = id, .title = title, .x = {"step"}, .y = {unit}};
  for (const WaveStep& step : kWaveSteps) chart.categories.emplace_back(step.name);
  for (const WaveRun& run : runs) {
    plot::Series series{.name = run.Name()};
    for (size_t i = 0; i < run.steps.size(); ++i) {
      series.points.push_back(plot::Exact(static_cast<double>(i), run.steps[i].*value));
    }
    chart.series.push_back(series);
  }
  return chart;
}

// "1 modulo: 55 with 64 lanes, block of 512; 27 with 64 lanes, block of 256."
std::string StepWords(const std::vector<WaveRun>& runs, size_t step, double WaveCounts::*value) {
  std::vector<std::string> words;
  words.reserve(runs.size());
  for (const WaveRun& run : runs) words.push_back(fmt::format("{:g} with {}", run.steps[step].*value, run.Name()));
  return fmt::format("{}: {}.", kWaveSteps[step].name, fmt::join(words, "; "));
}

// The steps of a run that race.
std::string RacingSteps(const WaveRun& run) {
  std::vector<std::string> names;
  for (size_t i = 0; i < run.steps.size(); ++i) {
    if (run.steps[i].races > 0) names.emplace_back(kWaveSteps[i].name);
  }
  return Listed(names);
}

}  // namespace

Result<plot::Plot> StudyWavefronts() {
  if (kReductionOf64Lanes.empty()) {
    return Error{ErrorKind::kUsage,
                 "`study wavefronts` is not in the students' edition, because its kernels are solutions of lab1; ask "
                 "the course's staff for its charts"};
  }
  std::vector<WaveRun> runs;
  for (const auto& [ptx, lanes, threads] :
       {std::tuple(kReductionOf64Lanes, 64, 512U), std::tuple(kReductionOf64Lanes, 64, 256U),
        std::tuple(kReductionOf32Lanes, 32, 512U)}) {
    Result<WaveRun> run = RunWaves(ptx, lanes, threads);
    if (!run) return run.error();
    runs.push_back(*std::move(run));
  }
  const WaveRun &wide = runs.front(), &narrow = runs.back();
  plot::Plot plot = BeginPlot("The reduction in HIP, in nine steps: wavefronts of 64 lanes and of 32",
                              "one block of each step of hip/reduction.hip");
  plot.charts.push_back(WaveChart("divergent", "Wavefronts of which some lanes branch and others do not",
                                  "divergent branches of the block, without the last store", runs,
                                  &WaveCounts::divergent));
  for (size_t step = 0; step < 3; ++step)
    plot.charts.back().sentences.push_back(StepWords(runs, step, &WaveCounts::divergent));
  plot.charts.push_back(WaveChart("extra_turns", "Bank conflicts", "turns beyond the fewest, for each wavefront", runs,
                                  &WaveCounts::extra_turns));
  plot.charts.back().sentences.push_back(StepWords(runs, 1, &WaveCounts::extra_turns));
  plot.charts.push_back(
      WaveChart("working", "Lanes at work", "percent of the lanes of each instruction", runs, &WaveCounts::working));
  plot.charts.back().sentences.push_back(StepWords(runs, 0, &WaveCounts::working));
  plot.charts.push_back(
      WaveChart("shuffles", "Shuffles", "shuffles of all wavefronts of the block", runs, &WaveCounts::shuffles));
  for (const WaveRun* run : {&wide, &narrow}) {
    const double waves = static_cast<double>(run->threads) / run->lanes;
    plot.charts.back().sentences.push_back(
        fmt::format("8 shuffles: {} wavefronts of {} lanes, and then the first one again, make {:g} shuffles each.",
                    waves, run->lanes, run->steps[7].shuffles / (waves + 1)));
  }
  plot.charts.push_back(WaveChart("races", "Races", "pairs of lines that race", {wide, narrow}, &WaveCounts::races));
  plot.charts.back().sentences = {fmt::format("Steps that race with 64 lanes: {}.", RacingSteps(wide)),
                                  fmt::format("Steps that race with 32 lanes: {}.", RacingSteps(narrow)),
                                  "Without a barrier, the last 64 threads add elements that are 64, 32, 16 and fewer "
                                  "apart. They are one wavefront of "
                                  "64 lanes, which runs in lock step, but two of 32 lanes, which nothing orders."};
  return plot;
}

}  // namespace warpgrade::study
