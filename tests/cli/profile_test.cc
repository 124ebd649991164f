#include "grader/cli/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/cli/counters_file.h"
#include "grader/cli/profile_text.h"
#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

using emulator::Counters;
using emulator::LaunchRecord;
using testing::HasSubstr;
using testing::Not;

DeviceModel Gpu() {
  DeviceModel gpu;
  gpu.name = "Test GPU";
  gpu.capability.fp32_lanes = 100;
  gpu.multiprocessors = 10;
  gpu.clock_khz = 1'000'000;  // 2000 GFLOP/s
  gpu.bandwidth_gbs = 200;    // the ridge is at 10 flop per byte
  return gpu;
}

// 32 bytes moved per sector.
Counters Work(uint64_t ffma, uint64_t sectors) {
  Counters counters;
  counters.warp_instructions = 100;
  counters.thread_instructions = 3200;
  counters.active_lane_sum = 3200;
  counters.ffma = ffma;
  counters.global_load_requests = sectors / 4;
  counters.global_load_sectors = sectors;
  counters.global_load_bytes = 32 * sectors;
  return counters;
}

LaunchRecord Launch(const std::string& kernel, const Counters& counters) {
  LaunchRecord launch;
  launch.kernel = kernel;
  launch.grid = {8, 1, 1};
  launch.block = {128, 1, 1};
  launch.counters = counters;
  return launch;
}

TEST(RooflineTest, FewFlopPerByteIsBoundByMemory) {
  const Roofline place = PlaceUnderRoof(Work(1600, 100), Gpu());
  EXPECT_DOUBLE_EQ(place.flop, 3200);
  EXPECT_DOUBLE_EQ(place.bytes, 3200);
  EXPECT_DOUBLE_EQ(place.intensity, 1);
  EXPECT_DOUBLE_EQ(place.ridge, 10);
  EXPECT_TRUE(place.memory_bound);
  EXPECT_DOUBLE_EQ(place.attainable_gflops, 200);
  EXPECT_DOUBLE_EQ(place.attainable_share, 0.1);
}

TEST(RooflineTest, ManyFlopPerByteIsBoundByArithmetic) {
  const Roofline place = PlaceUnderRoof(Work(160000, 100), Gpu());
  EXPECT_DOUBLE_EQ(place.intensity, 100);
  EXPECT_FALSE(place.memory_bound);
  EXPECT_DOUBLE_EQ(place.attainable_gflops, 2000);
  EXPECT_DOUBLE_EQ(place.attainable_share, 1);
}

TEST(RooflineTest, WithoutBytesNothingIsBoundByMemory) {
  const Roofline place = PlaceUnderRoof(Work(100, 0), Gpu());
  EXPECT_FALSE(place.memory_bound);
  EXPECT_DOUBLE_EQ(place.attainable_share, 1);
}

TEST(ProfileTest, AddsUpTheLaunchesOfAKernelAndPutsTheLongestFirst) {
  const DeviceModel gpu = Gpu();
  const Profile profile =
      MakeProfile({Launch("a", Work(1, 4)), Launch("b", Work(1, 400'000'000)), Launch("a", Work(1, 4))}, gpu);
  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[0].kernel, "b");
  EXPECT_EQ(profile.kernels[1].launches, 2u);
  EXPECT_EQ(profile.kernels[1].counters.ffma, 2u);
  EXPECT_GT(profile.kernels[0].model_ns, profile.kernels[1].model_ns);
  EXPECT_EQ(profile.kernels[1].metrics.at("average_active_lanes"), 32);
}

TEST(ProfileTest, TheTextCountsTheKernelsThatItDoesNotShow) {
  const DeviceModel gpu = Gpu();
  std::vector<LaunchRecord> launches;
  for (char name = 'a'; name <= 'i'; ++name) launches.push_back(Launch(std::string(1, name), Work(1, 4)));
  SourceLines source;
  EXPECT_THAT(ProfileText(MakeProfile(launches, gpu), source), HasSubstr("\n1 more kernel is not shown; --profile"));
  launches.push_back(Launch("j", Work(1, 4)));
  EXPECT_THAT(ProfileText(MakeProfile(launches, gpu), source), HasSubstr("\n2 more kernels are not shown; --profile"));
}

TEST(ProfileTest, NamesTheLinesThatWasteAndTheBusiest) {
  LaunchRecord launch = Launch("k", {});
  for (int line = 1; line <= 9; ++line) {
    Counters counters;
    counters.warp_instructions = static_cast<uint64_t>(line);
    if (line == 2) {
      counters.global_load_requests = 10;
      counters.global_load_sectors = 320;
      counters.global_load_bytes = 1280;
    }
    launch.lines.push_back({"k.cu", line, counters});
    launch.counters.Add(counters);
  }
  const DeviceModel gpu = Gpu();
  const std::vector<LineCost> lines = MakeProfile({launch}, gpu).kernels[0].lines;
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].line, 2) << "what stands out comes before what is only busy";
  ASSERT_EQ(lines[0].why.size(), 1u);
  EXPECT_THAT(lines[0].why[0], HasSubstr("32 sectors"));
  EXPECT_EQ(lines[1].line, 9);
  EXPECT_DOUBLE_EQ(lines[1].instruction_share, 0.2);
}

TEST(ProfileTest, ReadsWhatTheRuntimeWrote) {
  const TemporaryFolder folder;
  const auto missing = ReadCounters(folder.Path("none"));
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message, HasSubstr("did not use the CUDA runtime"));
  nlohmann::json counters;
  for (const emulator::CounterInfo& counter : emulator::AllCounters()) counters[counter.name] = 1;
  counters["ffma"] = 5;
  const nlohmann::json launch = {
      {"kernel", "k"},        {"grid", {2, 3, 4}},
      {"block", {32, 1, 1}},  {"shared_bytes", 64},
      {"cooperative", false}, {"wave_lanes", 64},
      {"counters", counters}, {"lines", {{{"file", "k.cu"}, {"line", 7}, {"counters", counters}}}}};
  const auto launches = ParseCounters(nlohmann::json{{"launches", {launch}}}.dump());
  ASSERT_TRUE(launches.ok()) << launches.error().message;
  ASSERT_EQ(launches->size(), 1u);
  EXPECT_EQ((*launches)[0].grid.z, 4u);
  EXPECT_EQ((*launches)[0].wave_lanes, 64);
  EXPECT_EQ((*launches)[0].counters.ffma, 5u);
  EXPECT_EQ((*launches)[0].lines[0].line, 7);
  EXPECT_FALSE(ParseCounters("{\"launches\": [{\"kernel\"").ok()) << "cut off";
  EXPECT_FALSE(ParseCounters("{\"launches\": [{\"kernel\": 1}]}").ok());
}

TEST(ProfileTextTest, ShowsTableCountersRooflineAndLines) {
  const TemporaryFolder folder;
  LaunchRecord launch = Launch("void axpy<float>(float*)", Work(1600, 100));
  launch.lines.push_back({folder.Write("k.cu", "\n  y[i] += a * x[i];\n"), 2, launch.counters});
  SourceLines source;
  const DeviceModel gpu = Gpu();
  const std::string text = ProfileText(MakeProfile({launch}, gpu), source);
  EXPECT_THAT(text, HasSubstr("for Test GPU. The counts are exact. The time is not measured: a model"));
  EXPECT_THAT(text, HasSubstr("100 of warps, 3,200 of threads; 32.0 of 32 lanes active"));
  EXPECT_THAT(text, HasSubstr("25 requests, 100 sectors (4.00 sectors per request), 100% of the moved bytes used"));
  EXPECT_THAT(text,
              HasSubstr("1 flop per byte, left of the ridge at 10: bound by memory; at most 200 of 2000 GFLOP/s"));
  EXPECT_THAT(text, HasSubstr("k.cu:2  100% of the instructions"));
  EXPECT_THAT(text, HasSubstr("       2 |   y[i] += a * x[i];"));
  EXPECT_THAT(text, Not(HasSubstr("shared memory"))) << "what a kernel has none of is left out";
}

TEST(ProfileTextTest, ShowsTheViewOfWidthSixtyFourWhenItWasCounted) {
  LaunchRecord launch = Launch("k", Work(1600, 100));  // 100 instructions of full warps
  SourceLines source;
  const DeviceModel gpu = Gpu();
  EXPECT_THAT(ProfileText(MakeProfile({launch}, gpu), source), Not(HasSubstr("wave-64")));
  EXPECT_TRUE(
      nlohmann::json::parse(ProfileAsJson(MakeProfile({launch}, gpu), source))["kernels"][0]["wave64"].is_null());
  launch.counters.wave64_instructions = 80;
  EXPECT_THAT(ProfileText(MakeProfile({launch}, gpu), source),
              HasSubstr("at least 80 instructions of wavefronts of 64 lanes; at most 40.0 lanes active"));
  const auto json = nlohmann::json::parse(ProfileAsJson(MakeProfile({launch}, gpu), source));
  EXPECT_EQ(json["kernels"][0]["wave64"]["instructions_at_least"], 80);
  EXPECT_EQ(json["kernels"][0]["wave64"]["active_lanes_at_most"], 40);
}

TEST(ProfileTextTest, SaysSoWhenNothingWasLaunched) {
  SourceLines source;
  const DeviceModel gpu = Gpu();
  EXPECT_THAT(ProfileText(MakeProfile({}, gpu), source), HasSubstr("no kernel was launched"));
}

TEST(ProfileTextTest, TheDocumentNamesUnitsAndHoldsEveryMetric) {
  LaunchRecord launch = Launch("k", Work(1600, 100));
  launch.lines.push_back({"k.cu", 2, launch.counters});
  SourceLines source;
  const DeviceModel gpu = Gpu();
  const auto json = nlohmann::json::parse(ProfileAsJson(MakeProfile({launch}, gpu), source));
  EXPECT_EQ(json["schema"], "warpgrade.profile/1");
  EXPECT_EQ(json["gpu"]["fp32_gflops"], 2000);
  EXPECT_EQ(json["metrics"].size(), emulator::AllMetrics().size());
  EXPECT_EQ(json["metrics"]["global_load_efficiency"]["unit"], "share");
  const auto& kernel = json["kernels"][0];
  EXPECT_EQ(kernel["metrics"]["flops"], 3200);
  EXPECT_EQ(kernel["roofline"]["bound"], "memory");
  EXPECT_EQ(kernel["lines"][0]["line"], 2);
  EXPECT_TRUE(kernel["lines"][0]["text"].is_null());
  EXPECT_FALSE(kernel["lines"][0]["metrics"].contains("blocks")) << "a line has no blocks";
}

}  // namespace
}  // namespace warpgrade::cli
