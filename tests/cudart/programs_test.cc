// Programs as nvcc makes them, run over our libcudart.so.13 in both modes. Each program checks itself (expect.h) and
// says on stderr what did not hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cudart/program_runner.h"

namespace warpgrade::cudart {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProgramsTest : public testing::TestWithParam<Mode> {
 protected:
  void ExpectPasses(const std::string& name) {
    const ProgramResult result = RunProgram(name, GetParam());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
  }
};

INSTANTIATE_TEST_SUITE_P(, ProgramsTest, testing::Values(Mode::kInProcess, Mode::kServed),
                         [](const auto& info) { return info.param == Mode::kInProcess ? "InProcess" : "Served"; });

TEST_P(ProgramsTest, AddsVectors) { ExpectPasses("vector_add"); }
TEST_P(ProgramsTest, CopiesToAndFromSymbols) { ExpectPasses("symbols"); }
TEST_P(ProgramsTest, UsesStaticAndDynamicSharedMemory) { ExpectPasses("shared_memory"); }
TEST_P(ProgramsTest, RefusesWrongLaunchesWithTheDocumentedErrors) { ExpectPasses("launch_errors"); }
TEST_P(ProgramsTest, CopiesAndSetsMemoryOfEveryKind) { ExpectPasses("memory"); }
TEST_P(ProgramsTest, AnswersQuestionsAboutTheDevice) { ExpectPasses("device"); }
TEST_P(ProgramsTest, OrdersStreamsAndTimesEvents) { ExpectPasses("streams"); }
TEST_P(ProgramsTest, QueuesWhatStandsBehindAKernelThatWaits) { ExpectPasses("waiting_kernel"); }
TEST_P(ProgramsTest, SynchronisesACooperativeGrid) { ExpectPasses("cooperative"); }
TEST_P(ProgramsTest, RunsWithPerThreadDefaultStreams) { ExpectPasses("per_thread_stream"); }

TEST_P(ProgramsTest, SharesManagedMemoryWithTheHost) { ExpectPasses("managed_memory"); }
TEST_P(ProgramsTest, SharesPinnedAndRegisteredMemoryWithTheHost) { ExpectPasses("host_memory"); }
TEST_P(ProgramsTest, AllocatesFromPoolsInStreamOrder) { ExpectPasses("memory_pools"); }
TEST_P(ProgramsTest, CopiesBoxesOfPitchedMemory) { ExpectPasses("pitched_3d"); }
TEST_P(ProgramsTest, CapturesStreamsIntoGraphs) { ExpectPasses("stream_capture"); }
TEST_P(ProgramsTest, BuildsUpdatesAndLaunchesGraphs) { ExpectPasses("graphs"); }
TEST_P(ProgramsTest, AddsNodesToGraphsAndUpdatesThem) { ExpectPasses("graph_nodes"); }
TEST_P(ProgramsTest, CopiesInStreams) { ExpectPasses("async_copies"); }
TEST_P(ProgramsTest, AnswersQuestionsAboutStreams) { ExpectPasses("stream_queries"); }
TEST_P(ProgramsTest, AnswersQuestionsAboutKernels) { ExpectPasses("function_queries"); }
TEST_P(ProgramsTest, AnswersQuestionsAboutMemory) { ExpectPasses("memory_queries"); }
TEST_P(ProgramsTest, AnswersForDevicesThatThereAreNot) { ExpectPasses("other_devices"); }

TEST_P(ProgramsTest, PrintsFromKernelsInOrder) {
  const ProgramResult result = RunProgram("prints", GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("kernel 1 of 3, 2.5, text\n"));
  if (GetParam() == Mode::kInProcess) {
    EXPECT_THAT(result.output, testing::MatchesRegex("host before\nkernel 1 .*\nhost after\n"));
  }
}

TEST_P(ProgramsTest, MakesAnIllegalAddressStickyAndNamesItsPlace) {
  const ProgramResult result = RunProgram("illegal_address", GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  if (GetParam() == Mode::kInProcess) {
    EXPECT_THAT(result.errors, HasSubstr("illegal_address.cu:8: out-of-bounds: "));
  } else {
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].line, 8);
    EXPECT_THAT(result.errors, Not(HasSubstr("out-of-bounds"))) << "the judge's findings are not the program's";
  }
}

TEST_P(ProgramsTest, SaysHowToCompileWhenThereIsNoPtx) {
  const ProgramResult result = RunProgram("no_ptx", GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("cannot load the program's kernels"));
  EXPECT_THAT(result.errors, HasSubstr("code=compute_75"));
}

TEST(InProcessProgramsTest, ReportsARaceOnStderrAndInTheFindingsFile) {
  const std::string race = emulator::Name(emulator::FindingKind::kSharedRace);
  const std::string path = testing::TempDir() + "/findings" + std::to_string(getpid()) + ".json";
  const ProgramResult result = RunProgram("race", Mode::kInProcess, {"WARPGRADE_FINDINGS_FILE=" + path});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("race.cu:"));
  EXPECT_THAT(result.errors, HasSubstr(race));
  std::ifstream file(path);
  std::vector<std::string> kinds;
  for (std::string line; std::getline(file, line);) kinds.push_back(nlohmann::json::parse(line)["kind"]);
  EXPECT_THAT(kinds, testing::Contains(race));
  unlink(path.c_str());
}

TEST(InProcessProgramsTest, WritesTheCountersOfEveryLaunchAtExit) {
  const std::string path = testing::TempDir() + "/counters" + std::to_string(getpid()) + ".json";
  const ProgramResult result = RunProgram("vector_add", Mode::kInProcess, {"WARPGRADE_COUNTERS_FILE=" + path});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::ifstream file(path);
  const nlohmann::json json = nlohmann::json::parse(file);
  ASSERT_EQ(json["launches"].size(), 1u);
  EXPECT_EQ(json["launches"][0]["counters"]["fadd"], 1000);
  unlink(path.c_str());
}

// What the program with this fault planted says on stderr, and its findings as JSON.
struct HostFaults {
  std::string errors;
  std::vector<nlohmann::json> findings;
};

HostFaults RunWith(const std::string& planted, const std::string& checks) {
  const std::string path = testing::TempDir() + "/host_faults" + std::to_string(getpid()) + ".json";
  const ProgramResult result =
      RunProgram("host_faults", Mode::kInProcess,
                 {"PLANT=" + planted, "WARPGRADE_CHECK=" + checks, "WARPGRADE_FINDINGS_FILE=" + path});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  HostFaults faults{result.errors, {}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) faults.findings.push_back(nlohmann::json::parse(line));
  unlink(path.c_str());
  return faults;
}

TEST(HostFindingsTest, AProgramThatFreesAndAsksHasNone) {
  EXPECT_THAT(RunWith("nothing", "all").findings, testing::IsEmpty());
  EXPECT_THAT(RunWith("checked", "all").findings, testing::IsEmpty());
}

TEST(HostFindingsTest, MemoryThatIsNeverFreedIsALeakPerAllocatingFunction) {
  const HostFaults faults = RunWith("leak", "all");
  ASSERT_EQ(faults.findings.size(), 2u) << faults.errors;
  EXPECT_EQ(faults.findings[0]["kind"], "leak");
  EXPECT_EQ(faults.findings[0]["count"], 2);
  EXPECT_THAT(faults.findings[0]["message"].get<std::string>(),
              HasSubstr("4096 bytes from cudaMalloc (allocation 3 of the program)"));
  EXPECT_THAT(faults.findings[0]["message"].get<std::string>(),
              HasSubstr("with 1 more allocation from cudaMalloc, 5096 bytes in all"));
  EXPECT_THAT(faults.findings[1]["message"].get<std::string>(), HasSubstr("300 bytes from cudaMallocManaged"));
  EXPECT_THAT(RunWith("leak", "races").findings, testing::IsEmpty()) << "nobody asked for leaks";
}

TEST(HostFindingsTest, ALaunchWhoseErrorNobodyAskedForIsNamed) {
  const HostFaults faults = RunWith("unchecked", "errors");
  ASSERT_EQ(faults.findings.size(), 2u) << "each call once\n" << faults.errors;
  EXPECT_EQ(faults.findings[0]["kind"], "unchecked-error");
  EXPECT_EQ(faults.findings[0]["kernel"], "Kernel()");
  EXPECT_EQ(faults.findings[0]["count"], 2);
  EXPECT_EQ(faults.findings[1]["count"], 1);
  EXPECT_NE(faults.findings[0]["host_places"][0][0], faults.findings[1]["host_places"][0][0]);
  EXPECT_THAT(faults.findings[0]["message"].get<std::string>(),
              testing::AllOf(HasSubstr("<<<(1,1,1), (2048,1,1), 0>>>"), HasSubstr("cudaErrorInvalidConfiguration")));
  EXPECT_THAT(RunWith("unchecked", "none").findings, testing::IsEmpty());
}

TEST(HostFindingsTest, WrongFreesAreFindingsWhateverIsChecked) {
  const HostFaults twice = RunWith("double_free", "none");
  ASSERT_EQ(twice.findings.size(), 1u) << twice.errors;
  EXPECT_EQ(twice.findings[0]["kind"], "double-free");
  EXPECT_THAT(twice.errors, HasSubstr("100 bytes from cudaMalloc, which was freed before"));
  const HostFaults inside = RunWith("inside_free", "none");
  ASSERT_EQ(inside.findings.size(), 1u) << inside.errors;
  EXPECT_EQ(inside.findings[0]["kind"], "invalid-free");
  EXPECT_THAT(inside.errors, HasSubstr("4 bytes past the start of 100 bytes from cudaMalloc"));
}

TEST(DeviceAsTest, TheProgramSeesTheGpuThatTheEnvironmentNames) {
  const auto seen = [](const std::string& gpu) {
    const ProgramResult result = RunProgram("device_as", Mode::kInProcess, {"WARPGRADE_DEVICE_AS=" + gpu});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.output;
  };
  EXPECT_EQ(seen("h200"),
            "warpgrade emulator (as NVIDIA H200); 9.0; 132 SMs; 1980000 kHz; 232448 bytes by opt-in; 32 blocks of a "
            "warp; ECC 1\n");
  EXPECT_EQ(seen("t4"),
            "warpgrade emulator (as Tesla T4); 7.5; 40 SMs; 1590000 kHz; 65536 bytes by opt-in; 16 blocks of a warp; "
            "ECC 1\n");
  EXPECT_EQ(seen("RTX4090"),
            "warpgrade emulator (as NVIDIA GeForce RTX 4090); 8.9; 128 SMs; 2520000 kHz; 101376 bytes by opt-in; 24 "
            "blocks of a warp; ECC 0\n");
}

TEST(DeviceAsTest, AGpuThatIsNotKnownIsNamedWithThoseThatAre) {
  const ProgramResult result = RunProgram("device_as", Mode::kInProcess, {"WARPGRADE_DEVICE_AS=voodoo"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.errors, testing::AllOf(HasSubstr("'voodoo'"), HasSubstr("rtx4090")));
}

TEST(DeviceAsTest, PtxForANewerGpuDoesNotRunOnAnOlderOne) {
  EXPECT_EQ(RunProgram("newer_ptx", Mode::kInProcess, {"WARPGRADE_DEVICE_AS=h100"}).output, "cudaSuccess\n");
  const ProgramResult older = RunProgram("newer_ptx", Mode::kInProcess, {"WARPGRADE_DEVICE_AS=a100"});
  EXPECT_EQ(older.output, "cudaErrorNoKernelImageForDevice\n");
  EXPECT_THAT(older.errors, HasSubstr("no PTX for compute_80 or lower (it holds compute_90)"));
}

TEST(ServedProgramsTest, RecordsTheLaunchesOnTheJudgesSide) {
  const ProgramResult result = RunProgram("vector_add", Mode::kServed);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches[0].counters.fadd, 1000u);
}

// The judge's account of streams must not put a call into the stream that happened to be used before it.
TEST(ServedProgramsTest, CallsWithoutAStreamAreInTheLegacyOne) {
  for (const std::string call : {"cudaMemcpy", "cudaMemcpy3D", "cudaMemset3D", "cudaMemcpyPeer"}) {
    const ProgramResult result = RunProgram("legacy_copies", Mode::kServed, {"CALL=" + call});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.metrics.at("streams_used"), 2) << call;
  }
}

TEST(ServedProgramsTest, GivesErrorsInsteadOfHangingWhenTheDescriptorIsNoSocket) {
  const ProgramResult result = RunProgram("vector_add", Mode::kInProcess, {"WARPGRADE_DEVICE_FD=nonsense"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.errors, HasSubstr("WARPGRADE_DEVICE_FD=nonsense is not a file descriptor"));
}

}  // namespace
}  // namespace warpgrade::cudart
