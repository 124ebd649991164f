// Real nvcc students of the toy lab before the whole judge, on the emulator, in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "grader/cudart/remote_backend.h"
#include "grader/emulator/checks/finding.h"
#include "grader/judge/correctness.h"
#include "grader/judge/emulator_device.h"
#include "grader/judge/judge.h"
#include "grader/judge/random_source.h"
#include "grader/judge/session.h"
#include "tests/cudart/ptx_fatbin.h"
#include "tests/judge/toy_request.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;
using score::RungStatus;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kAllCases = 6;  // four public, one hidden, one for technique

TEST(EmulatedRungTest, AnHonestRungPassesAndIsMeasured) {
  const RungMeasurement m = JudgeToy("honest");
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases, kAllCases);
  EXPECT_EQ(m.cases_passed, kAllCases);
  EXPECT_THAT(m.failures, IsEmpty());
  EXPECT_THAT(m.findings, IsEmpty());
  EXPECT_THAT(m.messages, IsEmpty());
  EXPECT_TRUE(m.technique_measured);
  EXPECT_EQ(m.metrics.at("kernel_launches"), 1);
  EXPECT_EQ(m.metrics.at("blocks"), 32);
  EXPECT_EQ(m.metrics.at("global_load_sectors_per_request"), 4);
  uint64_t instructions = 0;
  for (const score::LineCounts& line : m.line_counts) {
    instructions += line.instructions;
    EXPECT_GE(line.line, 0);
    EXPECT_EQ(line.load_sectors, 4 * line.load_requests) << line.line;
  }
  EXPECT_EQ(static_cast<double>(instructions), m.metrics.at("warp_instructions"));
  EXPECT_EQ(m.throughput.status, score::ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_EQ(m.throughput.reason, "throughput is measured on the course's GPU, not here");
}

TEST(EmulatedRungTest, ALimitMustHoldForAnotherSizeToo) {
  const RungMeasurement m = JudgeToy("one_size_well");
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases_passed, kAllCases);
  EXPECT_EQ(m.metrics.at("global_load_sectors_per_request"), 4);
  EXPECT_GT(m.answer_metrics.at("global_load_sectors_per_request"), 25);
  EXPECT_THAT(m.metric_lines.at("global_load_sectors_per_request"), HasSubstr("the value for n = 4032, which is far"));
  EXPECT_LT(m.answer_metrics.at("global_load_efficiency"), 0.2) << "higher is better";
  EXPECT_FALSE(m.answer_metrics.contains("threads"));
  EXPECT_THAT(JudgeToy("honest").answer_metrics, IsEmpty());
}

// The student's counts depend on the cases before.
TEST(EmulatedRungTest, CountsTellNothingAboutCasesThatStudentsMayNotSee) {
  JudgeRequest request = RequestToy("counts_tell_the_last_size");
  const RungMeasurement tells = JudgeToy(request);
  ASSERT_EQ(tells.status, RungStatus::kPassed);
  EXPECT_EQ(tells.metrics.at("kernel_launches"), 1 + 777) << "the hidden case has 777 elements";
  request.hides_cases = true;
  const RungMeasurement hides = JudgeToy(request);
  EXPECT_EQ(hides.status, RungStatus::kPassed);
  EXPECT_EQ(hides.metrics.at("kernel_launches"), 1);
}

int WrongValues(const RungMeasurement& m) {
  return static_cast<int>(
      std::count_if(m.failures.begin(), m.failures.end(), [](auto& f) { return f.index.has_value(); }));
}

TEST(EmulatedRungTest, DelaysShowWrongValuesWhereStreamsAreNotOrdered) {
  JudgeRequest request = RequestToy("two_streams_not_ordered");
  const RungMeasurement undelayed = JudgeToy(request);
  EXPECT_EQ(undelayed.status, RungStatus::kFailed) << "there is a finding";
  EXPECT_EQ(WrongValues(undelayed), 0);
  EXPECT_EQ(undelayed.delay_seed, 0u);
  int wrong = 0;
  for (request.delay_seed = 1; request.delay_seed <= 8; ++request.delay_seed) {
    const RungMeasurement m = JudgeToy(request);
    EXPECT_EQ(m.status, RungStatus::kFailed);
    EXPECT_EQ(m.findings.size(), undelayed.findings.size());
    EXPECT_EQ(m.delay_seed, request.delay_seed);
    wrong += WrongValues(m) > 0 ? 1 : 0;
  }
  EXPECT_GE(wrong, 2);
}

TEST(EmulatedRungTest, ARaceBetweenStreamsHasTheLinesOfBothCalls) {
  JudgeRequest request = RequestToy("copies_in_two_streams");
  for (request.delay_seed = 0; request.delay_seed <= 3; ++request.delay_seed) {
    const RungMeasurement m = JudgeToy(request);
    ASSERT_EQ(m.findings.size(), 1u);
    EXPECT_EQ(m.findings[0].kind, emulator::Name(emulator::FindingKind::kStreamRace));
    EXPECT_EQ(m.findings[0].file, "copies_in_two_streams.cu");
    EXPECT_EQ(m.findings[0].line, 15);
    EXPECT_EQ(m.findings[0].other_file, "copies_in_two_streams.cu");
    EXPECT_EQ(m.findings[0].other_line, 14);
    EXPECT_EQ(m.findings[0].block + m.findings[0].thread, "") << "the host has none";
  }
}

TEST(EmulatedRungTest, ACaseAloneIsDelayedAsAmongAllCases) {
  JudgeRequest request = RequestToy("two_streams_not_ordered");
  request.seed = 5;
  request.parts.hidden_cases = false;
  const auto is_wrong = [](const RungMeasurement& m, const std::string& name) {
    return std::any_of(m.failures.begin(), m.failures.end(),
                       [&](const score::CaseFailure& f) { return f.case_name == name && f.index.has_value(); });
  };
  for (request.delay_seed = 1; request.delay_seed <= 6; ++request.delay_seed) {
    request.only_case = 0;
    const RungMeasurement all = JudgeToy(request);
    request.only_case = 3;
    const RungMeasurement one = JudgeToy(request);
    ASSERT_EQ(one.findings.size(), 1u);
    const std::string name = one.findings[0].case_name;
    EXPECT_EQ(is_wrong(one, name), is_wrong(all, name)) << "seed " << request.delay_seed;
  }
}

TEST(EmulatedRungTest, DelaysCostARightProgramNothing) {
  JudgeRequest request = RequestToy("two_streams_ordered");
  const RungMeasurement undelayed = JudgeToy(request);
  ASSERT_EQ(undelayed.status, RungStatus::kPassed);
  for (request.delay_seed = 1; request.delay_seed <= 8; ++request.delay_seed) {
    const RungMeasurement m = JudgeToy(request);
    EXPECT_EQ(m.status, RungStatus::kPassed);
    EXPECT_EQ(m.cases_passed, undelayed.cases_passed);
    EXPECT_EQ(m.metrics, undelayed.metrics) << "technique is measured without delays";
    EXPECT_EQ(m.delay_seed, request.delay_seed);
  }
  JudgeRequest one_stream = RequestToy("honest");
  one_stream.delay_seed = 3;
  EXPECT_EQ(JudgeToy(one_stream).delay_seed, 0u) << "it has only the stream that it is given";
}

TEST(EmulatedRungTest, TechniqueIsMeasuredWithoutDelaysThoughNoCaseBeforeUsedAStream) {
  for (const bool alone : {false, true}) {
    JudgeRequest request = RequestToy("streams_when_large");
    request.parts.public_cases = request.parts.hidden_cases = !alone;
    const RungMeasurement undelayed = JudgeToy(request);
    ASSERT_EQ(undelayed.status, RungStatus::kPassed);
    for (request.delay_seed = 1; request.delay_seed <= 16; ++request.delay_seed) {
      const RungMeasurement m = JudgeToy(request);
      EXPECT_EQ(m.status, RungStatus::kPassed);
      EXPECT_EQ(m.metrics, undelayed.metrics) << "seed " << request.delay_seed;
    }
  }
}

TEST(EmulatedRungTest, PathsMayBeRelativeToOurWorkingDirectory) {
  JudgeRequest request = RequestToy("honest");
  request.executable = std::filesystem::relative(request.executable).string();
  request.emulator_runtime_folder = std::filesystem::relative(request.emulator_runtime_folder).string();
  EXPECT_EQ(JudgeToy(request).status, RungStatus::kPassed);
}

TEST(EmulatedRungTest, CheckLeavesTheHiddenCasesOut) {
  JudgeRequest request = RequestToy("honest");
  request.parts.hidden_cases = false;
  request.parts.technique = false;
  EXPECT_EQ(JudgeToy(request).cases, 4);
}

TEST(EmulatedRungTest, AWrongTailComesWithTheFirstElementAHintAndWhatWasPrinted) {
  const RungMeasurement m = JudgeToy("wrong_tail");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases, 5);  // technique is not measured of a wrong program
  EXPECT_EQ(m.cases_passed, 3);
  ASSERT_EQ(m.failures.size(), 2u);
  EXPECT_EQ(m.failures[1].index, 750u);
  EXPECT_EQ(m.failures[1].got, "never written");
  EXPECT_FALSE(m.technique_measured);
  EXPECT_EQ(m.hint, "is every element doubled?");
  EXPECT_THAT(m.messages, testing::Contains(HasSubstr("the program last printed:\nn is 0\nn is 1")));
  EXPECT_THAT(m.messages, testing::Contains(HasSubstr("its kernels last printed:\nfirst element is mine")));
}

TEST(EmulatedRungTest, WhatKernelsOfARightProgramPrintIsMentionedAndShownForOneCase) {
  JudgeRequest request = RequestToy("prints");
  const RungMeasurement all = JudgeToy(request);
  EXPECT_EQ(all.status, RungStatus::kPassed);
  ASSERT_EQ(all.messages.size(), 1u);
  EXPECT_THAT(all.messages[0], testing::StartsWith("its kernels print something: with `--case N`, "));
  request.only_case = 3;
  request.parts.technique = false;
  const RungMeasurement one = JudgeToy(request);
  EXPECT_EQ(one.status, RungStatus::kPassed);
  ASSERT_EQ(one.messages.size(), 1u);
  const std::string& printed = one.messages[0];
  EXPECT_THAT(printed, testing::StartsWith("its kernels printed:\n| element 0\\x1b[2J\n| element 1\\x1b[2J\n"));
  EXPECT_THAT(printed, testing::EndsWith("\n| element 19\\x1b[2J\n| ..."));
}

TEST(EmulatedRungTest, AnAccessOutOfBoundsNamesBufferAndLine) {
  const RungMeasurement m = JudgeToy("out_of_bounds");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 1);
  ASSERT_FALSE(m.findings.empty());
  EXPECT_EQ(m.findings[0].kind, emulator::Name(emulator::FindingKind::kOutOfBounds));
  EXPECT_EQ(m.findings[0].file, "out_of_bounds.cu");
  EXPECT_EQ(m.findings[0].line, 6);
  EXPECT_THAT(m.findings[0].message, HasSubstr("just past the end of d_in (4 bytes)"));
  EXPECT_EQ(m.findings[0].case_number, 2);
  EXPECT_EQ(m.findings[0].case_name, "n = 1");
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("cudaErrorIllegalAddress"));
  EXPECT_TRUE(m.failures[0].explained);
  EXPECT_EQ(m.cases_run, m.cases) << "the next case has a new worker";
  EXPECT_EQ(m.hint, "is every element doubled?");
}

TEST(EmulatedRungTest, OnlyTheCaseThatIsAskedForIsRun) {
  JudgeRequest request = RequestToy("wrong_tail");
  request.only_case = 2;
  request.parts.technique = false;
  const RungMeasurement wrong = JudgeToy(request);
  EXPECT_EQ(wrong.cases, 1);
  ASSERT_EQ(wrong.failures.size(), 1u);
  EXPECT_EQ(wrong.failures[0].case_name, "n = 1");
  request.only_case = 1;
  EXPECT_EQ(JudgeToy(request).status, RungStatus::kPassed);
}

TEST(EmulatedRungTest, LargeCasesAreLeftOutOnRequestButNotTheOneForTechnique) {
  JudgeRequest request = RequestToy("honest");
  request.parts.most_elements = 100;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases, 4) << "n = 0, 1 and 100, and the case for technique";
  EXPECT_EQ(m.metrics.at("blocks"), 32);
}

TEST(EmulatedRungTest, OneFaultDoesNotSpoilTheCasesAfterIt) {
  const RungMeasurement m = JudgeToy("faults_once");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases, 5);
  EXPECT_EQ(m.cases_passed, 4);
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].case_name, "n = 100");
  EXPECT_THAT(m.failures[0].message, HasSubstr("cudaErrorIllegalAddress"));
  EXPECT_TRUE(m.failures[0].explained);
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_THAT(m.findings[0].message, HasSubstr("just past the end of d_in (400 bytes)"));
  EXPECT_EQ(m.findings[0].file, "faults_once.cu");
  EXPECT_EQ(m.findings[0].line, 8);
  EXPECT_EQ(m.findings[0].cases, 1);
  EXPECT_THAT(m.failures[0].message, testing::Not(HasSubstr("threw")));
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_EQ(m.findings[0].line, 8);
}

TEST(EmulatedRungTest, AnEndlessKernelRunsOutOfItsBudget) {
  JudgeRequest request = RequestToy("endless_kernel");
  request.limits.instruction_budget = 100'000;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  ASSERT_FALSE(m.findings.empty());
  EXPECT_THAT(m.findings[0].message, HasSubstr("still running after 100000 instructions"));
  EXPECT_EQ(m.findings[0].file, "endless_kernel.cu");
}

TEST(EmulatedRungTest, AKernelThatWaitsForWhatNobodyWritesIsTold) {
  const RungMeasurement m = JudgeToy("waits_for_ever");
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  ASSERT_FALSE(m.findings.empty());
  EXPECT_THAT(m.findings[0].message, HasSubstr("waits in this loop for element 0 of d_work"));
}

TEST(EmulatedRungTest, AnEndlessKernelRunsOutOfTheTotalToo) {
  JudgeRequest request = RequestToy("endless_kernel");
  request.limits.instruction_budget = uint64_t{1} << 62;
  request.limits.total_instruction_budget = 1'000'000;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  ASSERT_FALSE(m.findings.empty());
  EXPECT_THAT(m.findings[0].message, HasSubstr("have run 1000000 instructions in all, which is the limit"));
  EXPECT_EQ(m.findings[0].file, "endless_kernel.cu");
}

TEST(EmulatedRungTest, LaunchesWithoutEndRunOutOfTheTotalThoughEachIsShort) {
  JudgeRequest request = RequestToy("endless_launches");
  request.limits.total_instruction_budget = 1'000'000;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  ASSERT_FALSE(m.findings.empty());
  EXPECT_THAT(m.findings[0].message, HasSubstr("have run 1000000 instructions in all, which is the limit"));
}

TEST(EmulatedRungTest, CopiesWithoutEndRunOutOfTheTotalToo) {
  JudgeRequest request = RequestToy("endless_copies");
  request.limits.total_instruction_budget = 2'000'000;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  ASSERT_FALSE(m.findings.empty());
  EXPECT_THAT(m.findings[0].message, HasSubstr("have run 2000000 instructions in all, which is the limit"));
}

// A device on whose clock each request takes an hour, and which says that it worked for `worked_ns` of that.
class SlowDevice : public EmulatorDevice {
 public:
  static constexpr int64_t kHourNs = 3'600'000'000'000;
  SlowDevice(const Options& options, int64_t worked_ns) : EmulatorDevice(options), worked_ns_(worked_ns) {}
  int64_t Serve() override {
    EmulatorDevice::Serve();
    now_ns_ += kHourNs;
    return worked_ns_;
  }
  int64_t now_ns() const { return now_ns_; }

 private:
  const int64_t worked_ns_;
  int64_t now_ns_ = 0;
};

RungMeasurement JudgeOn(SlowDevice& device, const std::string& student) {
  RungMeasurement m;
  RandomSource random;
  Session::Options options;
  options.executable = RequestToy(student).executable;
  options.source = student + ".cu";
  options.limits.wall_s = 1;
  options.now_ns = [&device] { return device.now_ns(); };
  const Result<std::unique_ptr<Session>> session = Session::Start(options, device, random);
  EXPECT_TRUE(session.ok());
  if (!session) return m;
  if (!(*session)->alive()) {
    EXPECT_TRUE(RecordEnd((*session)->end(), &m).ok());
    return m;
  }
  const Lab& lab = *FindToyLab("toy");
  Random drawing = random.Next();
  const RungContext context{lab, student, device, **session, random, /*most_host_visible_bytes=*/4096};
  EXPECT_TRUE(RunCases(context, lab.Cases(student, CaseSet::kPublic, drawing), &m).ok());
  return m;
}

EmulatorDevice::Options PlainDevice() {
  EmulatorDevice::Options options;
  options.runtime_folder = EMULATOR_RUNTIME_FOLDER;
  return options;
}

TEST(EmulatedRungTest, TheTimeThatTheDeviceTakesIsNotTheStudents) {
  SlowDevice device(PlainDevice(), SlowDevice::kHourNs);
  const RungMeasurement m = JudgeOn(device, "honest");
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases_passed, 4);
  EXPECT_GT(device.now_ns(), 10 * SlowDevice::kHourNs);
}

TEST(EmulatedRungTest, TheTimeInWhichTheDeviceWaitsForTheProgramIsTheStudents) {
  SlowDevice device(PlainDevice(), 0);
  const RungMeasurement m = JudgeOn(device, "honest");
  EXPECT_EQ(m.status, RungStatus::kTimeout);
  ASSERT_FALSE(m.messages.empty());
  EXPECT_THAT(m.messages[0], HasSubstr("ran for 1 s and was stopped"));
}

TEST(EmulatedRungTest, AChangedInputFails) {
  const RungMeasurement m = JudgeToy("changes_input");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("changed its input d_in"));
}

TEST(EmulatedRungTest, AStarterIsNotWritten) {
  const RungMeasurement m = JudgeToy("not_written");
  EXPECT_EQ(m.status, RungStatus::kNotWritten);
  EXPECT_THAT(m.failures, IsEmpty());
}

TEST(EmulatedRungTest, ARaceFailsHoweverTheValuesCameOut) {
  const RungMeasurement m = JudgeToy("racy");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  // The reader may come before the writer: then it also reads what nothing has written yet.
  const auto race = std::find_if(m.findings.begin(), m.findings.end(), [](const auto& f) {
    return f.kind == emulator::Name(emulator::FindingKind::kSharedRace);
  });
  ASSERT_NE(race, m.findings.end());
  EXPECT_EQ(race->file, "racy.cu");
}

TEST(EmulatedRungTest, ADevicePointerOnTheHostIsASegmentationFault) {
  const RungMeasurement m = JudgeToy("host_dereference");
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  ASSERT_FALSE(m.messages.empty());
  EXPECT_THAT(m.messages[0], HasSubstr("segmentation fault in host code: host_dereference.cu:5 reads 0x"));
  EXPECT_THAT(m.messages[0], HasSubstr("device memory (d_in)"));
}

// The fault is in a function of the C library, which was called from a template of the C++ library.
TEST(EmulatedRungTest, ACrashInALibraryIsToldWithTheLineThatCalledIt) {
  const RungMeasurement m = JudgeToy("host_library_dereference");
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  ASSERT_FALSE(m.messages.empty());
  EXPECT_THAT(m.messages[0], HasSubstr("segmentation fault in host code: host_library_dereference.cu:9 reads 0x"));
  EXPECT_THAT(m.messages[0], HasSubstr("device memory (d_in)"));
}

TEST(EmulatedRungTest, APointerThatWasNeverSetIsNotCalledNull) {
  const RungMeasurement m = JudgeToy("host_wild_pointer");
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  ASSERT_FALSE(m.messages.empty());
  EXPECT_THAT(m.messages[0], HasSubstr("host_wild_pointer.cu:9 uses a pointer that was never set"));
}

TEST(EmulatedRungTest, ADivisionByZeroOnTheHostIsToldWithItsLine) {
  const RungMeasurement m = JudgeToy("host_division");
  EXPECT_EQ(m.status, RungStatus::kCrashed);
  ASSERT_FALSE(m.messages.empty());
  EXPECT_THAT(m.messages[0], HasSubstr("division by zero in host code: host_division.cu:9"));
}

// What a program says of its own crash is shown and not believed.
TEST(EmulatedRungTest, LastWordsOfAProgramThatLivesOnChangeNothing) {
  EXPECT_EQ(JudgeToy("cries_wolf").status, RungStatus::kPassed);
}

TEST(EmulatedRungTest, WhoBringsMuchToTheHostMayHaveLetItDoTheWork) {
  const RungMeasurement m = JudgeToy("shows_the_host");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 5) << "up to 1000 elements, that is a look at the data";
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("16388 bytes from device memory to where host code can read them"));
}

TEST(EmulatedRungTest, ACopyOfMemoryThatNothingHasWrittenIsAFault) {
  JudgeRequest request = RequestToy("copies_unwritten");
  request.limits.host_visible_kb = 1 << 20;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 4) << "where a part of the copy was written, no fault is seen";
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_EQ(m.findings[0].kind, emulator::Name(emulator::FindingKind::kUninitialisedRead));
  EXPECT_EQ(m.findings[0].kernel + m.findings[0].block + m.findings[0].thread, "");
  EXPECT_THAT(m.findings[0].message, HasSubstr("a copy to the host of 4194304 bytes of cudaMalloc (4194304 bytes), "
                                               "which nothing has written yet"));
  EXPECT_EQ(m.findings[0].file, "copies_unwritten.cu");
  EXPECT_EQ(m.findings[0].line, 15);
}

TEST(EmulatedRungTest, HowMuchMayComeToTheHostIsTheCoursesToSay) {
  JudgeRequest request = RequestToy("shows_the_host");
  request.limits.host_visible_kb = 17;
  const RungMeasurement m = JudgeToy(request);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.metrics.at("host_visible_bytes"), 4096 * 4 + 4) << "copies, stores and atomics";
}

TEST(EmulatedRungTest, TheJudgesBuffersCannotBeFreedFromUnderIt) {
  const RungMeasurement m = JudgeToy("frees_buffers");
  EXPECT_EQ(m.cases, 5);
  EXPECT_EQ(m.status, RungStatus::kFailed);  // cudaFree of what it did not allocate is an error that CUDA reports
  ASSERT_FALSE(m.failures.empty());
  EXPECT_THAT(m.failures[0].message, HasSubstr("cudaErrorInvalidValue"));
}

TEST(EmulatedRungTest, ALaunchOfNoBlocksFailsItsCaseOnly) {
  const RungMeasurement m = JudgeToy("bad_launch");
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 4);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].case_name, "n = 0");
  EXPECT_THAT(m.failures[0].message, testing::StartsWith("bad_launch.cu:10: cudaErrorInvalidConfiguration"));
  EXPECT_EQ(m.hint, "") << "it is for wrong values and faults only";
}

TEST(EmulatedRungTest, AnExceptionAfterAFailedCallNamesTheCall) {
  const RungMeasurement m = JudgeToy("throws_after_a_launch");
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].message,
            "your host function threw an exception: no launch; the last CUDA call that failed is in "
            "throws_after_a_launch.cu:12");
}

TEST(EmulatedRungTest, ALaunchThatALabCallsRefusedSaysWhereAndWhy) {
  const RungMeasurement m = JudgeToy("throws_refused");
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].message,
            "the launch was refused: invalid configuration argument; throws_refused.cu:11: "
            "double_kernel<<<(0,2,1), 256>>>: gridDim.x is 0; it must be at least 1: round the number of blocks up, "
            "and treat an empty input by itself");
}

TEST(EmulatedRungTest, CancellingIsAnError) {
  std::atomic<bool> cancel{true};
  JudgeRequest request = RequestToy("honest");
  request.cancel = &cancel;
  EXPECT_FALSE(JudgeRungInProcess(request).ok());
}

// wait(unsigned* flag): waits until *flag is not 0.
constexpr char kWait[] = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry wait(.param .u64 flag)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [flag];
WAIT:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  ret;
}
)";

// Starts a kernel that waits, as a program does that sends its own messages.
void LeaveAKernel(cudart::Backend& client) {
  cudart::ModuleHandle module = 0;
  std::string message;
  ASSERT_EQ(client.LoadModule(cudart::FatbinOf(kWait), &module, &message), cudaSuccess) << message;
  cudart::Kernel kernel;
  ASSERT_EQ(client.FindKernel(module, "wait", &kernel), cudaSuccess);
  cudart::DevicePtr flag = 0;
  ASSERT_EQ(client.Allocate(4, &flag), cudaSuccess);
  ASSERT_EQ(client.Fill(flag, 0, 4), cudaSuccess);
  const auto* const parameters = reinterpret_cast<const std::byte*>(&flag);
  cudart::Launch launch{kernel.handle, {}, {}, 0, false, {parameters, sizeof flag}, true};
  uint64_t device_ns = 0;
  ASSERT_EQ(client.Run(launch, &device_ns), cudaErrorNotReady);
}

host_lines::SourceLine NoLine(uint64_t) { return {}; }

TEST(EmulatorDeviceTest, AKernelThatACallLeavesRunningIsAFinding) {
  EmulatorDevice device(PlainDevice());
  const Result<WorkerPlug> plug = device.Plug();
  ASSERT_TRUE(plug.ok());
  const int socket = dup(plug->inherited_fds.at(0).first);
  device.WorkerStarted();
  std::thread serving([&device] {
    for (int fd = device.service_fd(); fd >= 0; fd = device.service_fd()) {
      pollfd readable{fd, POLLIN, 0};
      if (poll(&readable, 1, -1) < 0) return;
      if ((readable.revents & POLLHUP) != 0) return;
      device.Serve();
    }
  });
  cudart::RemoteBackend client(socket);
  LeaveAKernel(client);
  shutdown(socket, SHUT_RDWR);
  serving.join();
  ASSERT_TRUE(device.Findings(NoLine).empty());
  device.CallEnded();
  const std::vector<score::Finding> findings = device.Findings(NoLine);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, "deadlock");
  EXPECT_EQ(findings[0].kernel, "wait");
  EXPECT_EQ(device.KernelMetrics(1).at("kernel_launches"), 1);
  device.CallEnded();
  EXPECT_EQ(device.Findings(NoLine).size(), 1u) << "it is over";
}

}  // namespace
}  // namespace warpgrade::judge
