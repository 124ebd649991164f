// hip/reduction.hip on the emulator: right in wavefronts of 64 lanes, with the counts that a text of AMD's reports and
// that can be derived by hand. Compiled for 32 lanes, the last wavefront races.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The number of the line of reduction.hip that contains `text`, from line `after` on.
int LineWith(const std::string& text, int after = 1) {
  std::istringstream source(ReadText(REDUCTION_SOURCE));
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    if (++number >= after && line.find(text) != std::string::npos) return number;
  }
  ADD_FAILURE() << "no line with " << text;
  return 0;
}

struct StepsRun {
  ProgramResult result;
  json findings;
};

// `reduction n threads step` under `warpgrade run`.
StepsRun RunSteps(int lanes, int n, int threads, int step = 0) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("findings.json");
  const ProgramResult result =
      RunProgram({WARPGRADE, "run", "--device", "emulator", "--json", file, "--", REDUCTION + std::to_string(lanes),
                  std::to_string(n), std::to_string(threads), std::to_string(step)});
  const json document = json::parse(ReadText(file), nullptr, /*allow_exceptions=*/false);
  return {result, document.is_object() ? document["findings"] : json()};
}

// The record of the only launch of one step with one block of so many threads.
json LaunchOf(int threads, int step) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("counters.json");
  const ProgramResult result =
      RunProgram({REDUCTION "64", std::to_string(threads), std::to_string(threads), std::to_string(step)},
                 {"LD_LIBRARY_PATH=" CUDART_FOLDER, "WARPGRADE_COUNTERS_FILE=" + file});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const json launches = json::parse(ReadText(file)).at("launches");
  EXPECT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches.at(0).at("wave_lanes"), 64);
  return launches.at(0);
}

uint64_t Count(const json& launch, const char* counter) { return launch.at("counters").at(counter).get<uint64_t>(); }

// Turns of the banks beyond the fewest possible, for each wavefront of the block.
double ConflictsPerWavefront(int threads, int step) {
  const json launch = LaunchOf(threads, step);
  const uint64_t turns = Count(launch, "shared_load_wavefronts") + Count(launch, "shared_store_wavefronts");
  const uint64_t ideal = Count(launch, "shared_load_ideal_wavefronts") + Count(launch, "shared_store_ideal_wavefronts");
  return static_cast<double>(turns - ideal) / (threads / 64.0);
}

uint64_t DivergentAtLine(const json& launch, int line) {
  for (const json& at : launch.at("lines")) {
    if (at.at("line") == line) return at.at("counters").at("divergent_branches").get<uint64_t>();
  }
  return 0;
}

TEST(ReductionHipTest, EveryStepIsRightForEveryBlock) {
  for (const int threads : {64, 128, 256, 512, 1024}) {
    const StepsRun run = RunSteps(64, 5000, threads);
    EXPECT_EQ(run.result.exit_code, 0) << run.result.out << run.result.err;
    EXPECT_EQ(run.findings.size(), 0u) << run.findings;
    EXPECT_THAT(run.result.out, HasSubstr(std::to_string(threads / 64) + " wavefronts of 64\n"));
    EXPECT_THAT(run.result.out, HasSubstr("9 one pass"));
    EXPECT_THAT(run.result.err, HasSubstr("a HIP program: its wavefronts have 64 lanes"));
  }
}

// 32 lanes in a turn, and three accesses for each addition. At 512 threads the eight steps have 24, 36, 42, 45, 45, 21,
// 9 and 3 turns too many, which are 225 for 8 wavefronts.
TEST(ReductionHipTest, BankConflictsAreThoseOfTheCourse) {
  EXPECT_EQ(ConflictsPerWavefront(512, 2), 28.125);
  EXPECT_EQ(ConflictsPerWavefront(256, 2), 26.25);
  EXPECT_EQ(ConflictsPerWavefront(512, 3), 0);
  EXPECT_EQ(ConflictsPerWavefront(512, 1), 0) << "lanes apart, but no two in one bank";
}

TEST(ReductionHipTest, DivergentWavefrontsAreThoseOfTheCourse) {
  const int modulo = LineWith("if (t % (2 * step) == 0)"), strided = LineWith("if (at < blockDim.x)");
  const int sequential = LineWith("if (t < half)");
  EXPECT_EQ(DivergentAtLine(LaunchOf(256, 1), modulo), 27u);
  EXPECT_EQ(DivergentAtLine(LaunchOf(512, 1), modulo), 55u);
  EXPECT_EQ(DivergentAtLine(LaunchOf(512, 2), strided), 6u);
  EXPECT_EQ(DivergentAtLine(LaunchOf(512, 3), sequential), 6u);
}

// A sum over a wavefront takes 6 shuffles. Each of 16 wavefronts makes one, and then the first one makes another.
TEST(ReductionHipTest, SixShufflesAddAWavefront) {
  EXPECT_EQ(Count(LaunchOf(1024, 8), "shuffles"), 17u * 6);
  EXPECT_EQ(Count(LaunchOf(64, 8), "shuffles"), 2u * 6);
}

// A text of AMD's reports 45.85 of 64 lanes on an MI250. Its compiler makes other instructions than nvcc, and lanes
// are counted at each instruction.
TEST(ReductionHipTest, ModuloLeavesLanesIdle) {
  const auto active = [](const json& launch) {
    return static_cast<double>(Count(launch, "active_lane_sum")) /
           static_cast<double>(Count(launch, "warp_instructions"));
  };
  const double modulo = active(LaunchOf(512, 1)), sequential = active(LaunchOf(512, 3));
  EXPECT_GT(modulo, 40);
  EXPECT_LT(modulo, 52);
  EXPECT_GT(sequential, modulo);
  RecordProperty("modulo", std::to_string(modulo));
}

// The same file for wavefronts of 32 lanes: the additions of the last wavefront are then those of two warps.
TEST(ReductionHipTest, TheLastWavefrontRacesIn32Lanes) {
  const StepsRun run = RunSteps(32, 256, 128, 5);
  ASSERT_GE(run.findings.size(), 1u) << run.result.err;
  const int first = LineWith("s[t] += s[t + 64];"), last = LineWith("s[t] += s[t + 1];", first);
  bool at_64 = false;
  for (const json& finding : run.findings) {
    EXPECT_EQ(finding.at("kind"), "shared-race");
    const int line = finding.at("line"), other = finding.at("other").at("line");
    EXPECT_TRUE(first <= line && line <= last) << finding;
    at_64 = at_64 || line == first || other == first;
  }
  EXPECT_TRUE(at_64) << run.findings;
  EXPECT_THAT(run.result.err, testing::Not(HasSubstr("HIP program")));
}

TEST(ReductionHipTest, TheOtherStepsAreRightIn32LanesToo) {
  for (const int step : {1, 2, 3, 4, 8, 9}) {
    const StepsRun run = RunSteps(32, 3000, 256, step);
    EXPECT_EQ(run.result.exit_code, 0) << run.result.out << run.result.err;
    EXPECT_THAT(run.result.out, HasSubstr("8 wavefronts of 32\n"));
  }
}

}  // namespace
}  // namespace warpgrade
