// What `warpgrade run --html` puts into its page: findings, kernels, counts of lines, and which files it reads.
#include "grader/cli/program_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

using emulator::LaunchRecord;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

DeviceModel PageGpu() {
  DeviceModel gpu;
  gpu.name = "Test GPU";
  gpu.capability.fp32_lanes = 100;
  gpu.multiprocessors = 10;
  gpu.clock_khz = 1'000'000;  // 2000 GFLOP/s
  gpu.bandwidth_gbs = 200;    // the ridge is at 10 flop per byte
  return gpu;
}

// A kernel with 100 warp instructions, 70 of them in line 2 of `file`, and a fourth of the wanted speed of memory.
LaunchRecord LaunchAt(const std::string& kernel, const std::string& file) {
  LaunchRecord launch;
  launch.kernel = kernel;
  launch.grid = launch.block = {32, 1, 1};
  launch.counters.warp_instructions = 100;
  launch.counters.ffma = 1600;
  launch.counters.global_load_requests = 10;
  launch.counters.global_load_sectors = 160;
  launch.counters.global_load_bytes = 1280;
  emulator::LineCounters line{file, 2, launch.counters};
  line.counters.warp_instructions = 70;
  launch.lines = {line};
  return launch;
}

report::ProgramPage PageOfRun(const std::vector<SeenFinding>& findings, const std::vector<LaunchRecord>& launches) {
  SourceLines source;
  return MakeProgramPage({{"./a.out", "--n", "7"}, findings, launches, PageGpu(), {"a note"}}, source);
}

SeenFinding RaceAt(const std::string& file) {
  SeenFinding race;
  race.kind = "shared-race";
  race.kernel = "Sum(int*)";
  race.place = {file, 3};
  race.other = SourcePlace{file, 2};
  race.count = 62;
  race.message = "read byte 132";
  return race;
}

TEST(ProgramPageTest, HasFindingsKernelsAndTheCountsOfEachLine) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("sum.cu", "one\ntwo\nthree\n");
  const report::ProgramPage page =
      PageOfRun({RaceAt(file)}, {LaunchAt("Sum(int*)", file), LaunchAt("Sum(int*)", file)});
  EXPECT_EQ(page.program, "./a.out --n 7");
  EXPECT_EQ(page.device, "Test GPU");
  ASSERT_THAT(page.findings, SizeIs(1));
  EXPECT_EQ(page.findings[0].title, "race in shared memory (shared-race)");
  EXPECT_EQ(page.findings[0].file, file);
  EXPECT_EQ(page.findings[0].line, 3);
  EXPECT_EQ(page.findings[0].other_line, 2);
  EXPECT_THAT(page.findings[0].who, HasSubstr("thread (0,0,0); seen 62 times"));
  EXPECT_THAT(page.findings[0].advice, HasSubstr("__syncthreads()"));
  ASSERT_THAT(page.kernels, SizeIs(1));
  EXPECT_EQ(page.kernels[0].launches, 2u);
  EXPECT_EQ(page.kernels[0].load_percent, 25);
  EXPECT_THAT(page.kernels[0].facts[0].second, HasSubstr("2 launches, grid (32,1,1)"));
  ASSERT_THAT(page.sources, SizeIs(1));
  EXPECT_EQ(page.sources[0].text, "one\ntwo\nthree\n");
  ASSERT_THAT(page.sources[0].counts, SizeIs(2));
  EXPECT_EQ(page.sources[0].counts[0].instructions, 60u) << "at no line of this file";
  EXPECT_EQ(page.sources[0].counts[1].line, 2);
  EXPECT_EQ(page.sources[0].counts[1].instructions, 140u);
  EXPECT_EQ(page.sources[0].counts[1].load_sectors, 320u);
  ASSERT_THAT(page.sources[0].costly, SizeIs(1));
  EXPECT_EQ(page.sources[0].costly[0].first, 2);
  EXPECT_THAT(page.sources[0].costly[0].second, HasSubstr("16 sectors"));
}

TEST(ProgramPageTest, OnlyFilesWithTheNameOfASourceAreRead) {
  const TemporaryFolder folder;
  const std::string key = folder.Write("id_rsa", "secret\nsecret\nsecret\n"),
                    source = folder.Write("a.cu", "1\n2\n3\n");
  std::filesystem::create_symlink(key, folder.Path("link.cu"));
  EXPECT_THAT(PageOfRun({RaceAt(key)}, {LaunchAt("K()", key)}).sources, IsEmpty());
  EXPECT_THAT(PageOfRun({RaceAt(folder.Path("link.cu"))}, {}).sources, IsEmpty()) << "by the file that it leads to";
  EXPECT_THAT(PageOfRun({RaceAt(folder.Path("none.cu"))}, {}).sources, IsEmpty());
  EXPECT_THAT(PageOfRun({RaceAt(source)}, {}).sources, SizeIs(1));
}

TEST(ProgramPageTest, AFileOfTheToolkitIsShownOnlyIfSomethingIsWrongThere) {
  const TemporaryFolder folder;
  const std::string header = folder.Write("cuda/include/crt/sm_70_rt.h", "1\n2\n3\n");
  LaunchRecord launch = LaunchAt("K()", header);
  launch.lines[0].counters.global_load_requests = 0;
  launch.lines[0].counters.global_load_sectors = 0;
  EXPECT_THAT(PageOfRun({}, {launch}).sources, IsEmpty());
  EXPECT_THAT(PageOfRun({RaceAt(header)}, {launch}).sources, SizeIs(1));
}

TEST(ProgramPageTest, TheRooflineHasAPointForEachKernelThatComputesAndMovesBytes) {
  LaunchRecord idle = LaunchAt("void Idle<(Mode)1, float>(int)", "");
  idle.counters.ffma = 0;
  const Profile profile = MakeProfile({LaunchAt("void Sum<float>(float const*, float*)", ""), idle}, PageGpu());
  const auto chart = RooflineOf(profile);
  ASSERT_TRUE(chart);
  ASSERT_THAT(chart->series, SizeIs(2));
  EXPECT_EQ(chart->series[0].name, "Sum<float>");
  ASSERT_THAT(chart->series[0].points, SizeIs(1));
  EXPECT_DOUBLE_EQ(chart->series[0].points[0].x, 3200.0 / 5120);
  EXPECT_DOUBLE_EQ(chart->series[0].points[0].y, 125);
  EXPECT_TRUE(chart->series[0].points[0].doubtful) << "nothing was timed";
  EXPECT_THAT(chart->sentences, testing::Contains(HasSubstr("Idle<(Mode)1, float>")));
  EXPECT_EQ(chart->series[1].points[1].y, 2000);
  EXPECT_FALSE(RooflineOf(MakeProfile({idle}, PageGpu())));
  EXPECT_FALSE(RooflineOf(MakeProfile({}, PageGpu())));
}

TEST(ProgramPageTest, OfManyKernelsTheFirstAreDrawn) {
  std::vector<LaunchRecord> launches;
  for (int i = 0; i < 40; ++i) launches.push_back(LaunchAt("Kernel" + std::to_string(i) + "(int)", ""));
  const report::ProgramPage page = PageOfRun({}, launches);
  EXPECT_THAT(page.kernels, SizeIs(40));
  ASSERT_TRUE(page.roofline);
  EXPECT_THAT(page.roofline->series, SizeIs(13));
  EXPECT_THAT(page.roofline->sentences, testing::Contains("28 more kernels with less model time are not drawn."));
}

}  // namespace
}  // namespace warpgrade::cli
