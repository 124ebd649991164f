// `warpgrade run` with real programs of tests/programs: exit status, findings, files, signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRacy = WARPGRADE_PROGRAMS "/faulty/36_syncwarp_for_the_block";
const std::string kFaulting = WARPGRADE_PROGRAMS "/faulty/01_no_bounds_check";
const std::string kStreams = WARPGRADE_PROGRAMS "/faulty/102_per_thread_default_stream";
const std::string kRight = WARPGRADE_PROGRAMS "/tricky/09_double_buffer";

ProgramResult Warpgrade(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "run", "--device", "emulator"});
  return RunProgram(arguments, environment);
}

TEST(RunCommandTest, AProgramWithoutFaultsKeepsItsStatusAndItsOutput) {
  const ProgramResult result = Warpgrade({"--", kRight});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("out ")) << "and nothing of ours";
  EXPECT_THAT(result.out, Not(HasSubstr("warpgrade")));
  EXPECT_THAT(result.err, HasSubstr("warpgrade: no findings\n"));
}

TEST(RunCommandTest, OptionsAfterTheTwoDashesAreTheProgramsOwn) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("p.json");
  const std::vector<std::vector<std::string>> ours = {{}, {"--profile"}, {"--profile", file}, {"--seed", "1"}};
  for (std::vector<std::string> arguments : ours) {
    const std::string last = arguments.empty() ? "" : arguments.back();
    arguments.insert(arguments.end(), {"--", "/bin/echo", "--seed", "--", "--json=x"});
    const ProgramResult result = Warpgrade(arguments);
    EXPECT_EQ(result.out, "--seed -- --json=x\n") << last << ": " << result.err;
  }
}

TEST(RunCommandTest, FindingsAreShownWithTheirSourceLinesAndGiveTheirOwnStatus) {
  const ProgramResult result = Warpgrade({"--", kRacy});
  EXPECT_EQ(result.exit_code, 86);
  EXPECT_THAT(result.err, HasSubstr("warpgrade: race in shared memory (shared-race) in Shift("));
  EXPECT_THAT(result.err, HasSubstr("out[t] = t > 0 ? tile[t - 1] : 0;"));
  EXPECT_THAT(result.err, HasSubstr("tile[t] = in[t];")) << "the other access";
  EXPECT_THAT(result.err, HasSubstr("to do  "));
  EXPECT_THAT(result.err, HasSubstr("warpgrade: 1 finding in 1 kernel\n"));
  EXPECT_THAT(result.err, Not(HasSubstr("\x1b"))) << "no colours when not on a terminal";
}

TEST(RunCommandTest, AFaultOfHostCodeIsShownWithTheLinesOfBothCalls) {
  const ProgramResult result = Warpgrade({"--", kStreams});
  EXPECT_EQ(result.exit_code, 86);
  EXPECT_THAT(result.err, HasSubstr("102_per_thread_default_stream.cu:15\n      15 |     Add<<<1, 1>>>(sum);"));
  EXPECT_THAT(result.err,
              HasSubstr("the kernel in the per-thread default stream (102_per_thread_default_stream.cu:15) "));
  EXPECT_THAT(result.err, HasSubstr("which the memset in stream 1 (102_per_thread_default_stream.cu:14) writes"));
  EXPECT_THAT(result.err, HasSubstr("102_per_thread_default_stream.cu:14\n      14 |     CHECK(cudaMemsetAsync("));
  EXPECT_THAT(result.err, Not(HasSubstr("who    block")));
}

TEST(RunCommandTest, ATestShowsTheLinesOfHostCodeToo) {
  const TemporaryFolder folder;
  const ProgramResult result =
      Warpgrade({"--record", folder.Path("results"), "--test", "lab1.v1_x.correctness", "--", kStreams});
  EXPECT_THAT(result.err, HasSubstr("warpgrade: the findings above in host code, with their lines:\n"));
  EXPECT_THAT(result.err, HasSubstr("102_per_thread_default_stream.cu:15: stream-race: the kernel in "));
}

TEST(RunCommandTest, AFindingIsShownOnce) {
  const std::string err = Warpgrade({"--", kFaulting}).err;
  const size_t first = err.find("out-of-bounds");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(err.find("out-of-bounds", first + 1), std::string::npos) << "the runtime keeps quiet\n" << err;
}

TEST(RunCommandTest, TheStatusForFindingsCanBeChosen) {
  EXPECT_EQ(Warpgrade({"--error-exitcode", "5", "--", kRacy}).exit_code, 5);
  EXPECT_EQ(Warpgrade({"--error-exitcode", "0", "--", kRacy}).exit_code, 0) << "the program's own";
  EXPECT_EQ(Warpgrade({"--error-exitcode", "5", "--", kRight}).exit_code, 0);
}

TEST(RunCommandTest, WritesTheFindingsAsADocument) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("findings.json");
  EXPECT_EQ(Warpgrade({"--json", file, "--", kRacy}).exit_code, 86);
  const auto json = nlohmann::json::parse(ReadText(file));
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["kind"], "shared-race");
  EXPECT_EQ(json["exit_code"], 0);
}

TEST(RunCommandTest, SaysAtOnceWhenAFileCannotBeWritten) {
  const ProgramResult result = Warpgrade({"--json", "/no/such/folder/f.json", "--", kRight});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("/no/such/folder/f.json"));
  EXPECT_EQ(result.out, "") << "before the program runs";
}

TEST(RunCommandTest, ProfilesToTheScreenOrToAFile) {
  const ProgramResult shown = Warpgrade({"--profile", "--", kRight});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.err, HasSubstr("profile for NVIDIA H200."));
  EXPECT_THAT(shown.err, HasSubstr("Scan(int*)"));
  EXPECT_THAT(shown.err, HasSubstr("9_double_buffer.cu:"));
  EXPECT_THAT(shown.err, Not(HasSubstr("as wave-64")));
  EXPECT_THAT(Warpgrade({"--wave64", "--", kRight}).err, HasSubstr("as wave-64     at least "));
  const TemporaryFolder folder;
  const std::string file = folder.Path("p.json");
  const ProgramResult written = Warpgrade({"--as", "T4", "--profile", file, "--", kRight});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(written.err, Not(HasSubstr("Scan(int*)")));
  const auto json = nlohmann::json::parse(ReadText(file));
  EXPECT_EQ(json["gpu"]["name"], "Tesla T4");
  EXPECT_EQ(json["kernels"][0]["kernel"], "Scan(int*)");
}

TEST(RunCommandTest, WritesAPageWithFindingsAndCountsAtTheirLines) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("run.html");
  const ProgramResult result = Warpgrade({"--html", file, "--", kRacy});
  EXPECT_EQ(result.exit_code, 86) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("profile for"))) << "--profile was not asked for";
  const std::string page = ReadText(file);
  for (const char* data : {"\"title\":\"race in shared memory (shared-race)\"", "Shift(", "\"link\":[0,",
                           "out[t] = t \\u003e 0 ? tile[t - 1] : 0;", "\"counters\":{\"names\":[\"instr. %\""}) {
    EXPECT_NE(page.find(data), std::string::npos) << data;
  }
}

TEST(RunCommandTest, AProgramThatASignalEndsHasAPageWithoutCounts) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("run.html");
  const ProgramResult result = Warpgrade({"--html", file, "--", "sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(result.exit_code, 128 + 11);
  const std::string page = ReadText(file);
  EXPECT_NE(page.find("The program was ended by signal 11 (Segmentation fault)."), std::string::npos);
  EXPECT_NE(page.find("There are no counts: "), std::string::npos);
  EXPECT_EQ(Warpgrade({"--html", "/no/such/folder/run.html", "--", kRight}).exit_code, 2);
}

TEST(RunCommandTest, MistakesOnTheCommandLineAreExplained) {
  const ProgramResult check = Warpgrade({"--check", "race", "--", kRight});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_THAT(check.err, HasSubstr("there is no check 'race'"));
  const ProgramResult gpu = Warpgrade({"--as", "gtx280", "--", kRight});
  EXPECT_EQ(gpu.exit_code, 2);
  EXPECT_THAT(gpu.err, HasSubstr("h200"));
  const ProgramResult profile = Warpgrade({"--profile", kRight, kRight});
  EXPECT_EQ(profile.exit_code, 2);
  EXPECT_THAT(profile.err, HasSubstr("write -- before it"));
  const ProgramResult device = RunProgram({WARPGRADE_BINARY, "run", "--device", "gpu", "--seed", "1", "--", kRight});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_THAT(device.err, HasSubstr("use --device emulator"));
}

TEST(RunCommandTest, ASignalThatEndsTheProgramIsNamed) {
  const ProgramResult result = Warpgrade({"--", "sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(result.exit_code, 128 + 11);
  EXPECT_THAT(result.err, HasSubstr("sh was ended by signal 11 (Segmentation fault)"));
  EXPECT_THAT(result.err, HasSubstr("pointer to device memory"));
}

TEST(RunCommandTest, PassesOnWhatAsksItToStop) {
  // The program asks us to stop; when that reaches it in turn, it ends in its own way.
  const ProgramResult result = Warpgrade({"--", "sh", "-c", "trap 'exit 7' TERM; kill -TERM $PPID; sleep 20 & wait"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.err, HasSubstr("warpgrade: no findings"));
}

TEST(RunCommandTest, WhatWasFoundBeforeASignalIsShown) {
  const ProgramResult result = Warpgrade({"--", "sh", "-c", "\"$1\"; kill -INT $$", "sh", kRacy});
  EXPECT_EQ(result.exit_code, 128 + 2);
  EXPECT_THAT(result.err, HasSubstr("warpgrade: 1 finding in 1 kernel"));
}

TEST(RunCommandTest, WhatAKernelDidBeforeCtrlCIsShown) {
  const ProgramResult result = Warpgrade({"--profile", "--", WARPGRADE_INTERRUPTED});
  EXPECT_EQ(result.exit_code, 128 + 2);
  EXPECT_EQ(result.out, "") << "the program does not go on";
  EXPECT_THAT(result.err, HasSubstr("race in shared memory (shared-race) in RaceAndStay("));
  EXPECT_THAT(result.err, HasSubstr("was ended by signal 2 (Interrupt)"));
  EXPECT_THAT(result.err, HasSubstr("1 launch, grid (1,1,1), block (64,1,1)")) << "the profile up to there";
}

TEST(RunCommandTest, AProgramWhoseLibraryIsMissingDidNotStart) {
  const ProgramResult result = Warpgrade({"--", WARPGRADE_HELPED "/needs_help_now"}, {"LD_LIBRARY_PATH="});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("needs_help_now did not start: it needs the library libhelper.so, "));
  EXPECT_THAT(result.err, HasSubstr("LD_LIBRARY_PATH"));
  EXPECT_THAT(result.err, HasSubstr("warpgrade: nothing was checked\n"));
  EXPECT_THAT(result.err, Not(HasSubstr("no findings")));
}

TEST(RunCommandTest, AProgramWhoseFunctionIsMissingDidNotStart) {
  const ProgramResult result =
      Warpgrade({"--", WARPGRADE_HELPED "/needs_help_now"}, {"LD_LIBRARY_PATH=" WARPGRADE_HELPED "/half"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("needs_help_now did not start: none of its libraries has Help(int); "));
  EXPECT_THAT(result.err, Not(HasSubstr("no findings")));
}

TEST(RunCommandTest, AProgramThatReachesAMissingFunctionEndsInTheMiddle) {
  const ProgramResult result =
      Warpgrade({"--", WARPGRADE_HELPED "/needs_help_lazy"}, {"LD_LIBRARY_PATH=" WARPGRADE_HELPED "/half"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_EQ(result.out, "begins\n");
  EXPECT_THAT(result.err, HasSubstr("needs_help_lazy was ended by the loader in the middle: none of its libraries has "
                                    "Help(int); "));
}

TEST(RunCommandTest, AFunctionThatTheEmulatorDoesNotHaveIsNamedAsThat) {
  const ProgramResult result = Warpgrade({"--", WARPGRADE_CALLS_A_TEXTURE});
  EXPECT_EQ(result.exit_code, 86) << "what was found before is shown";
  EXPECT_THAT(result.err, HasSubstr("race in global memory"));
  EXPECT_THAT(result.err, HasSubstr("was ended by the loader in the middle: it calls cudaCreateTextureObject, a "
                                    "function of the CUDA runtime that the emulator does not have; "));
}

TEST(RunCommandTest, AProgramThatCanStartKeepsAStatusThatLooksLikeTheLoaders) {
  const ProgramResult result =
      Warpgrade({"--", WARPGRADE_HELPED "/needs_help_now"}, {"LD_LIBRARY_PATH=" WARPGRADE_HELPED "/whole"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_EQ(result.out, "begins\nhelped\n");
  EXPECT_THAT(result.err, Not(HasSubstr("did not start")));
}

TEST(RunCommandTest, SaysWhatAShellMeansByItsStatus) {
  const ProgramResult result = Warpgrade({"--", "sh", "-c", "no_such_command_anywhere"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_THAT(result.err, HasSubstr("sh ended with status 127. Shells and the loader end a program like this when a "
                                    "command or a library is not found"));
}

TEST(RunCommandTest, LeavesNothingBehind) {
  const TemporaryFolder folder;
  folder.Write("tmp/keep", "");
  Warpgrade({"--profile", "--", kRacy}, {"TMPDIR=" + folder.Path("tmp")});
  for (const auto& entry : std::filesystem::directory_iterator(folder.Path("tmp"))) {
    EXPECT_EQ(entry.path().filename(), "keep");
  }
}

TEST(RunCommandTest, SaysThatAProgramIsNotItselfACudaProgram) {
  EXPECT_THAT(Warpgrade({"--", "true"}).err, HasSubstr("true itself does not use libcudart.so.13"));
}

}  // namespace
}  // namespace warpgrade
