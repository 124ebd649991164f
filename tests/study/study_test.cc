// The studies against other sources: the table of the course for coalescing, and plain loops over threads for banks and
// for the tree.
#include "grader/study/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "grader/study/bench.h"
#include "tests/cli/program.h"
#include "tests/study/recorded.h"

namespace warpgrade::study {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

plot::Plot PlotOf(const std::string& name) {
  Recorded nothing;
  const Result<plot::Plot> plot = StudyNamed(name).run(nothing);
  if (plot) return *plot;
  ADD_FAILURE() << plot.error().message;
  return {};
}

std::vector<double> Values(const plot::Series& series) {
  std::vector<double> values;
  for (const plot::Point& point : series.points) values.push_back(point.y);
  return values;
}

// In how many wavefronts some threads add and others do not, over all steps of a tree in the order "modulo".
double DivergentInModulo(int threads, int lanes) {
  int divergent = 0;
  for (int step = 1; step < threads; step *= 2) {
    for (int wave = 0; wave < threads; wave += lanes) {
      int adding = 0;
      for (int t = wave; t < wave + lanes; ++t) adding += t % (2 * step) == 0 ? 1 : 0;
      divergent += adding > 0 && adding < lanes ? 1 : 0;
    }
  }
  return divergent;
}

// The numbers for 64 lanes are those of a homework for AMD's GPUs.
TEST(WavefrontsStudyTest, SaysWhatTheHomeworkSaysAndWhatALoopOverThreadsSays) {
  const plot::Plot plot = PlotOf("wavefronts");
  ASSERT_EQ(plot.charts.size(), 5u);
  const auto value = [&plot](size_t chart, size_t series, size_t step) {
    return plot.charts[chart].series.at(series).points.at(step - 1).y;
  };
  const auto names = [&plot] {
    std::vector<std::string> all;
    for (const plot::Series& series : plot.charts[0].series) all.push_back(series.name);
    return all;
  };
  EXPECT_THAT(names(), ElementsAre("64 lanes, block of 512", "64 lanes, block of 256", "32 lanes, block of 512"));
  EXPECT_EQ(value(0, 0, 1), 55);
  EXPECT_EQ(value(0, 1, 1), 27);
  EXPECT_EQ(value(0, 0, 1), DivergentInModulo(512, 64));
  EXPECT_EQ(value(0, 1, 1), DivergentInModulo(256, 64));
  EXPECT_EQ(value(0, 2, 1), DivergentInModulo(512, 32));
  for (const size_t step : {2, 3}) {
    EXPECT_EQ(value(0, 0, step), 6);
    EXPECT_EQ(value(0, 1, step), 6);
    EXPECT_EQ(value(0, 2, step), 5) << "a wavefront of 32 lanes has one step less";
  }
  EXPECT_EQ(value(1, 0, 2), 28.125);
  EXPECT_EQ(value(1, 1, 2), 26.25);
  EXPECT_EQ(value(1, 0, 3), 0);
  EXPECT_LT(value(2, 0, 1), value(2, 0, 3)) << "modulo leaves the most lanes idle";
}

TEST(WavefrontsStudyTest, AWavefrontOf64LanesNeedsSixShufflesAndOneOf32Five) {
  const plot::Chart shuffles = PlotOf("wavefronts").charts.at(3);
  for (const size_t step : {7, 8}) {
    EXPECT_EQ(shuffles.series.at(0).points.at(step).y, (512 / 64 + 1) * 6);
    EXPECT_EQ(shuffles.series.at(2).points.at(step).y, (512 / 32 + 1) * 5);
  }
  EXPECT_THAT(
      shuffles.sentences,
      ElementsAre("8 shuffles: 8 wavefronts of 64 lanes, and then the first one again, make 6 shuffles each.",
                  "8 shuffles: 16 wavefronts of 32 lanes, and then the first one again, make 5 shuffles each."));
}

TEST(WavefrontsStudyTest, TheLastWavefrontNeedsNoBarrierOf64LanesAndRacesIn32) {
  const plot::Chart races = PlotOf("wavefronts").charts.at(4);
  EXPECT_THAT(Values(races.series.at(0)), testing::Each(0));
  EXPECT_THAT(Values(races.series.at(1)),
              ElementsAre(0, 0, 0, 0, testing::Gt(0), testing::Gt(0), testing::Gt(0), 0, 0));
  EXPECT_EQ(races.sentences.at(0), "Steps that race with 64 lanes: none.");
  EXPECT_EQ(races.sentences.at(1), "Steps that race with 32 lanes: 5 last wavefront, 6 unrolled and 7 grid stride.");
}

TEST(CoalescingStudyTest, SaysWhatTheTableOfTheCourseSays) {
  struct Row {
    double sectors, lines, of_sectors, of_lines;
  };
  const std::map<std::string, Row> table = {
      {"i", {4, 1, 100, 100}},    {"i ^ 5", {4, 1, 100, 100}},    {"i + 1", {5, 2, 80, 50}},
      {"i + 8", {4, 2, 100, 50}}, {"0", {1, 1, 12.5, 3.125}},     {"2 * i", {8, 2, 50, 50}},
      {"4 * i", {16, 4, 25, 25}}, {"8 * i", {32, 8, 12.5, 12.5}}, {"32 * i", {32, 32, 12.5, 3.125}}};
  const plot::Plot plot = PlotOf("coalescing");
  ASSERT_EQ(plot.charts.size(), 2u);
  const plot::Chart &moved = plot.charts[0], &used = plot.charts[1];
  ASSERT_EQ(moved.categories.size(), table.size() + 1);
  for (size_t i = 0; i < moved.categories.size(); ++i) {
    const double sectors = moved.series.at(0).points.at(i).y, lines = moved.series.at(1).points.at(i).y;
    const double of_sectors = used.series.at(0).points.at(i).y, of_lines = used.series.at(1).points.at(i).y;
    if (moved.categories[i] == "random") {
      EXPECT_DOUBLE_EQ(of_sectors, 400 / sectors);
      EXPECT_DOUBLE_EQ(of_lines, 100 / lines);
      EXPECT_GT(sectors, 30);
      continue;
    }
    const Row& row = table.at(moved.categories[i]);
    EXPECT_EQ(sectors, row.sectors) << moved.categories[i];
    EXPECT_EQ(lines, row.lines) << moved.categories[i];
    EXPECT_EQ(of_sectors, row.of_sectors) << moved.categories[i];
    EXPECT_EQ(of_lines, row.of_lines) << moved.categories[i];
  }
  EXPECT_THAT(used.sentences, ElementsAre(HasSubstr("array[i], array[i ^ 5] and array[i + 8]."), HasSubstr("12.5%")));
}

TEST(CoalescingStudyTest, TheRecordedRequestIsTheOneThatIsCounted) {
  Bench bench;
  const auto from = bench.Zeros(4096, "array"), out = bench.Zeros(128, "out");
  std::vector<int> third;
  for (int lane = 0; lane < 32; ++lane) third.push_back(3 * lane);
  const auto which = bench.Array(third, "which");
  ASSERT_TRUE(from.ok() && out.ok() && which.ok());
  const auto observed = bench.Run("gather", 32, {*from, *which, *out});
  ASSERT_TRUE(observed.ok()) << observed.error().message;
  const auto request = observed->LoadFrom("array");
  ASSERT_TRUE(request.has_value());
  std::set<uint64_t> sectors;
  for (size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(request->at[lane], *from + 12 * lane);
    sectors.insert(request->at[lane] / 32);
  }
  EXPECT_EQ(observed->counters.global_load_sectors, sectors.size() + 4) << "the indices are 4 sectors more";
}

// Turns of one load by 32 threads, each of `words` words of 4 bytes: in parts of a warp that together move at most 128
// bytes, the most different words that one bank has to give.
double TurnsOf(int words, int stride) {
  double turns = 0;
  for (int first = 0; first < 32; first += 32 / words) {
    std::array<std::set<int>, 32> of_bank;
    for (int t = first; t < first + 32 / words; ++t) {
      for (int w = 0; w < words; ++w) {
        const int word = words * stride * t + w;
        of_bank[static_cast<size_t>(word % 32)].insert(word);
      }
    }
    size_t most = 0;
    for (const auto& bank : of_bank) most = std::max(most, bank.size());
    turns += static_cast<double>(most);
  }
  return turns;
}

TEST(BanksStudyTest, CountsTheTurnsThatAPlainLoopCounts) {
  const plot::Plot plot = PlotOf("banks");
  ASSERT_EQ(plot.charts.size(), 2u);
  EXPECT_THAT(Values(plot.charts[0].series.at(0)), ElementsAre(1, 1, 2, 1, 2, 32, 1));
  for (size_t k = 0; k < 2; ++k) {
    for (const plot::Point& point : plot.charts[1].series.at(k).points) {
      EXPECT_EQ(point.y, TurnsOf(static_cast<int>(k) + 1, static_cast<int>(point.x)))
          << "stride " << point.x << " of " << plot.charts[1].series[k].name;
    }
  }
  EXPECT_THAT(plot.charts[1].sentences.at(0),
              AllOf(HasSubstr("every odd stride takes 1 turn"), HasSubstr("stride 32 takes the most, 32 turns")));
}

struct StepCost {
  double working = 0, divergent = 0, turns = 0;
};

// What a step costs, by a loop over the warps: `left` and `right` give the elements that a thread adds, or -1.
StepCost CostOf(int threads, const std::function<std::pair<int, int>(int thread)>& adds) {
  StepCost cost;
  for (int first = 0; first < threads; first += 32) {
    std::array<std::set<int>, 32> left, right;
    int working = 0;
    for (int t = first; t < first + 32; ++t) {
      const auto [l, r] = adds(t);
      if (l < 0) continue;
      ++working;
      left[static_cast<size_t>(l % 32)].insert(l);
      right[static_cast<size_t>(r % 32)].insert(r);
    }
    if (working == 0) continue;
    cost.working += 1;
    cost.divergent += working < 32 ? 1 : 0;
    size_t most_left = 0, most_right = 0;
    for (size_t b = 0; b < 32; ++b) {
      most_left = std::max(most_left, left[b].size());
      most_right = std::max(most_right, right[b].size());
    }
    cost.turns += static_cast<double>(2 * (most_left - 1) + most_right - 1);  // load, store; load
  }
  return cost;
}

TEST(TreeStudyTest, CountsEachStepAsAPlainLoopDoes) {
  constexpr int kThreads = 512, kSteps = 9;
  const plot::Plot plot = PlotOf("tree");
  ASSERT_EQ(plot.charts.size(), 3u);
  for (int step = 0; step < kSteps; ++step) {
    const int distance = 1 << step, half = kThreads >> (step + 1);
    const std::pair<int, int> none(-1, -1);
    const StepCost costs[] = {
        CostOf(kThreads, [&](int t) { return t % (2 * distance) == 0 ? std::pair(t, t + distance) : none; }),
        CostOf(kThreads,
               [&](int t) {
                 const int l = 2 * distance * t;
                 return l < kThreads ? std::pair(l, l + distance) : none;
               }),
        CostOf(kThreads, [&](int t) { return t < half ? std::pair(t, t + half) : none; }),
    };
    for (size_t order = 0; order < 3; ++order) {
      const auto at = [&](size_t chart) { return plot.charts[chart].series.at(order).points.at(size_t(step)).y; };
      EXPECT_EQ(at(0), costs[order].working) << "step " << step << ", order " << order;
      EXPECT_EQ(at(1), costs[order].divergent) << "step " << step << ", order " << order;
      EXPECT_EQ(at(2), costs[order].turns) << "step " << step << ", order " << order;
    }
  }
}

// Reported for a block of 512 on a GPU with wavefronts of 64: 28.13 conflict cycles for each wavefront of v2.
TEST(TreeStudyTest, TheStridedOrderHasTheConflictsThatWereReported) {
  const plot::Plot plot = PlotOf("tree");
  ASSERT_EQ(plot.charts.size(), 3u);
  EXPECT_THAT(Values(plot.charts[2].series.at(1)), ElementsAre(24, 36, 42, 45, 45, 21, 9, 3, 0));
  EXPECT_THAT(plot.charts[2].sentences.at(1), HasSubstr("225 extra turns over all steps, 28.125 for each 64 threads"));
  EXPECT_EQ(plot.charts[2].sentences.back(), "So no order costs less in any of the three charts than sequential (v3).");
}

// What the CUDA C++ programming guide says of each function.
TEST(AtomicsStudyTest, EachFunctionLeavesWhatItsDefinitionSays) {
  const unsigned before = 12, operand = 10;
  const std::map<std::string, unsigned> leaves = {
      {"atomicAdd(p, 10)", before + operand},
      {"atomicSub(p, 10)", before - operand},
      {"atomicExch(p, 10)", operand},
      {"atomicMin(p, 10)", std::min(before, operand)},
      {"atomicMax(p, 10)", std::max(before, operand)},
      {"atomicInc(p, 10)", before >= operand ? 0 : before + 1},
      {"atomicDec(p, 10)", before == 0 || before > operand ? operand : before - 1},
      {"atomicCAS(p, 12, 10)", operand},
      {"atomicAnd(p, 10)", before & operand},
      {"atomicOr(p, 10)", before | operand},
      {"atomicXor(p, 10)", before ^ operand}};
  const plot::Plot plot = PlotOf("atomics");
  ASSERT_EQ(plot.charts.size(), 2u);
  ASSERT_EQ(plot.charts[0].categories.size(), leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    EXPECT_EQ(plot.charts[0].series.at(0).points.at(i).y, before) << plot.charts[0].categories[i];
    EXPECT_EQ(plot.charts[0].series.at(1).points.at(i).y, leaves.at(plot.charts[0].categories[i]));
  }
  EXPECT_THAT(plot.charts[0].sentences.at(0), HasSubstr("return the value before"));
}

TEST(AtomicsStudyTest, IncrementAndDecrementWrapAtTheLimit) {
  const plot::Plot plot = PlotOf("atomics");
  ASSERT_EQ(plot.charts.size(), 2u);
  for (size_t call = 0; call < 32; ++call) {
    EXPECT_EQ(plot.charts[1].series.at(0).points.at(call).y, (call + 1) % 11) << "atomicInc, call " << call;
    EXPECT_EQ(plot.charts[1].series.at(1).points.at(call).y, 10 - call % 11) << "atomicDec, call " << call;
  }
}

TEST(StudyCommandTest, ListsTheStudiesAndRunsOne) {
  const ProgramResult list = RunProgram({WARPGRADE_BINARY, "study"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  for (const Study& study : AllStudies()) EXPECT_THAT(list.out, HasSubstr("\n  " + study.name + " "));
  const TemporaryFolder folder;
  const ProgramResult one = RunProgram({WARPGRADE_BINARY, "study", "banks", "--csv", folder.Path("banks.csv"), "--svg",
                                        folder.Path("banks.svg"), "--html", folder.Path("banks.html")});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, AllOf(HasSubstr("Date"), HasSubstr("every odd stride takes 1 turn")));
  EXPECT_THAT(ReadText(folder.Path("banks.csv")), HasSubstr("\nstrides,4 bytes,32,32,32,32,"));
  EXPECT_THAT(ReadText(folder.Path("banks.html")), HasSubstr("every odd stride takes 1 turn"));
  EXPECT_THAT(ReadText(folder.Path("banks.svg")), HasSubstr("<svg"));
}

TEST(StudyCommandTest, ATableSaysWhatItsRowsAre) {
  const ProgramResult tree = RunProgram({WARPGRADE_BINARY, "study", "tree"});
  EXPECT_EQ(tree.exit_code, 0) << tree.err;
  EXPECT_THAT(tree.out, HasSubstr("\n  step      modulo (v1)"));
  EXPECT_THAT(tree.out, HasSubstr("\n  1                  16"));
}

TEST(StudyCommandTest, AnUnknownStudyIsAnErrorThatSaysWhatToDo) {
  const ProgramResult unknown = RunProgram({WARPGRADE_BINARY, "study", "coalesing"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("coalescing"));
}

}  // namespace
}  // namespace warpgrade::study
