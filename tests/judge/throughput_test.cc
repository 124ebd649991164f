#include "grader/judge/throughput.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "grader/sandbox/process_tree.h"
#include "tests/judge/fake/fake_rung.h"
#include "tests/judge/fake/timing_rules.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;
using fake::FewSamples;
using fake::ThreeCallsASample;
using fake::Unbounded;
using score::RungStatus;
using score::ThroughputMeasurement;
using testing::HasSubstr;

// MeasureThroughput of a rung that was not timed before.
Status Measure(FakeRung& rung, const TimingRule& rule, score::RungMeasurement* m) {
  TimedSamples samples;
  return MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), rule, &samples, m);
}

std::string WhyFailed(const score::RungMeasurement& m) {
  return m.failures.empty() ? "" : m.failures[0].message + ", got: " + m.failures[0].got;
}

TEST(ThroughputTest, TimesAnHonestRungBesideTheCopyOfTheSameSession) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
  // Measured or flagged: a busy machine may set the fake events and the clock apart.
  ASSERT_NE(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << m.throughput.reason;
  EXPECT_EQ(m.throughput.samples, 3);
  EXPECT_EQ(m.throughput.ceiling, 100.0);
  EXPECT_GT(m.throughput.value, 0);
  EXPECT_GT(rung.device.copies, 0);
  EXPECT_GT(rung.device.flushes, 3);  // before every empty call and every sample
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(ThroughputTest, TheGpuIsLookedAtOnceForEachSampleAndNeverWhileTheClockRuns) {
  FakeRung rung("honest");
  rung.device.telemetry = GpuReading();
  rung.device.telemetry->sm_mhz = 1755;
  rung.device.telemetry->clock_reasons = 0x40;
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  ASSERT_TRUE(m.throughput.gpu);
  EXPECT_EQ(m.throughput.gpu->readings, m.throughput.samples);
  EXPECT_EQ(m.throughput.gpu->sm_mhz_median, 1755);
  EXPECT_TRUE(m.throughput.gpu->slowed_down);
  EXPECT_EQ(rung.device.readings % 3, 0);  // again when the clocks disagreed
  EXPECT_EQ(rung.device.readings_too_early, 0);
}

TEST(ThroughputTest, AGpuWhoseDriverTellsNothingIsTimedAllTheSame) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.throughput.samples, 3);
  EXPECT_FALSE(m.throughput.gpu);
}

TEST(ThroughputTest, EventsThatDisagreeWithTheJudgesClockAreFlagged) {
  FakeRung rung("lies_about_time");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kFlagged);
  EXPECT_THAT(m.throughput.reason, HasSubstr("the worker's events measured 1.0 us"));
}

TEST(ThroughputTest, AWorkerWhoseEmptyCallsAreSlowIsNotGivenTheDifference) {
  FakeRung rung("slow_when_idle");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  ASSERT_EQ(m.status, RungStatus::kPassed);
  Random random(1);
  const Case c = rung.lab.Cases(rung.rung, CaseSet::kThroughput, random).front();
  EXPECT_GT(m.throughput.value, 0);
  EXPECT_LT(m.throughput.value, static_cast<double>(c.bytes_moved) / 10e6) << "as if 20 ms were under 10";
}

TEST(ThroughputTest, AWorkerThatSaysDoneWhileItsKernelRunsIsTimedToTheKernelsEnd) {
  FakeRung rung("says_done_early");
  rung.device.longest_turn = std::chrono::minutes(1);
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  const Calibrator calibrator{rung.calibrator(), 1e6, 1e6, 0};  // a busy machine's own would take the 20 ms off
  ASSERT_TRUE(MeasureThroughput(rung.context(), calibrator, FewSamples(), &samples, &m).ok());
  ASSERT_EQ(m.status, RungStatus::kPassed) << WhyFailed(m);
  Random random(1);
  const Case c = rung.lab.Cases(rung.rung, CaseSet::kThroughput, random).front();
  EXPECT_GT(m.throughput.value, 0);
  EXPECT_LT(m.throughput.value, static_cast<double>(c.bytes_moved) / 10e6) << "as if 20 ms were under 10";
}

TEST(ThroughputTest, AWorkerThatSaysDoneBeforeItsHostArraysAreWrittenIsWrong) {
  FakeRung rung("says_done_early");
  rung.lab.place = BufferSpec::Place::kHost;
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  ASSERT_FALSE(m.failures.empty());
  EXPECT_EQ(m.failures[0].got, "never written");
}

TEST(ThroughputTest, InputsAreNowhereToBeSeenUntilTheCall) {
  FakeRung rung("looks_ahead");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(ThroughputTest, WhoWatchesItsHostArraysLearnsNothingAheadOfTheCall) {
  FakeRung rung("watches_host_arrays");
  rung.lab.place = BufferSpec::Place::kHost;
  rung.device.at_flush = [] { usleep(100'000); };  // comes between the arrays and the call
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed) << (m.failures.empty() ? "" : m.failures[0].message);
  EXPECT_EQ(m.throughput.samples, 3) << m.throughput.reason;
}

TEST(ThroughputTest, TheGpuIsLookedAfterBeforeTheInputsOfEachCall) {
  FakeRung rung("honest");
  rung.Start();
  TimingRule rule = ThreeCallsASample();
  rule.attempts = 1;
  rule.disturbance_ns = 1e12;
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, rule, &m).ok());
  ASSERT_EQ(m.throughput.samples, 3);
  // The warm-up's one input, three of each sample, and three of each delivery when the worker is gone. What an answer
  // or an empty call left is collected after a turn, too: once after the warm-up, 15 empty calls before the samples and
  // two with each, three samples.
  EXPECT_EQ(rung.device.turns, (1 + 3 * 3 + 5 * 3) + (1 + 15 + 3 * 2 + 3));
}

TEST(ThroughputTest, TheGpuIsLookedAfterWhileHostArraysAreWritten) {
  int turns[2];
  for (const bool on_host : {false, true}) {
    FakeRung rung("honest");
    if (on_host) rung.lab.place = BufferSpec::Place::kHost;
    rung.Start();
    TimingRule rule = FewSamples();
    rule.attempts = 1;
    rule.disturbance_ns = 1e12;
    rule.sample_ns = 1;  // no rehearsal
    score::RungMeasurement m;
    ASSERT_TRUE(Measure(rung, rule, &m).ok());
    turns[on_host ? 1 : 0] = rung.device.turns;
  }
  // The warm-up, three samples, and five when the worker is gone; the input is one piece.
  EXPECT_EQ(turns[1] - turns[0], 1 + 3 + 5);
}

TEST(ThroughputTest, WorkLeftOnTheGpuThatCouldWatchHostArraysIsFlagged) {
  FakeRung rung("works_between_calls");
  rung.lab.place = BufferSpec::Place::kHost;
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kFlagged);
}

TEST(ThroughputTest, ASampleDuringWhichSomeoneElseUsedTheGpuDoesNotCount) {
  FakeRung rung("honest");
  rung.device.busy = {false, false, true, false, true};  // the first is the warm-up's
  rung.device.telemetry = GpuReading();
  rung.Start();
  TimingRule rule = FewSamples();
  rule.attempts = 1;  // another attempt would deliver as often, whatever counted in the first
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, rule, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.throughput.samples, 3);
  ASSERT_TRUE(m.throughput.gpu);
  EXPECT_EQ(m.throughput.gpu->readings, 3);
  // The warm-up's, the three that count, the two that do not, and five when the worker is gone.
  EXPECT_EQ(rung.device.deliveries, 11);
}

TEST(ThroughputTest, AProgramThatHoldsUpEveryDeliveryIsFlagged) {
  FakeRung rung("works_between_calls");
  rung.Start();
  TimingRule rule = FewSamples();
  rule.disturbance_ns = 1e12;  // on a busy machine one delivery takes longer than another
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, rule, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kFlagged) << m.throughput.reason;
  EXPECT_THAT(m.throughput.reason, HasSubstr("while the program was waiting for its call and"));
}

TEST(ThroughputTest, AGpuThatIsNeverTheJudgesAloneIsNotTimed) {
  FakeRung rung("honest");
  rung.device.busy = std::vector<bool>(1000, true);
  rung.device.busy[0] = rung.device.busy[1] = false;
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), FewSamples(), &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(samples.disturbed_workers, 0) << "outside of pairs no other worker is tried";
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_THAT(m.throughput.reason, HasSubstr("something else used the GPU"));
}

TEST(ThroughputTest, WhatEmptyCallsCostBeyondWhatTheyDidAloneIsNotGivenToTheStudent) {
  for (const bool on_host : {false, true}) {
    FakeRung rung("slow_when_idle");  // its calls take 20 ms; as a calibrator, its empty calls 100
    if (on_host) rung.lab.place = BufferSpec::Place::kHost;
    rung.Start();
    const Result<std::unique_ptr<Session>> slow = Session::Start(rung.options, rung.device, rung.random);
    ASSERT_TRUE(slow.ok());
    score::RungMeasurement m;
    TimedSamples samples;
    const Calibrator held_up{**slow, on_host ? 1e12 : 1e6, on_host ? 1e6 : 1e12, 0};
    ASSERT_TRUE(MeasureThroughput(rung.context(), held_up, FewSamples(), &samples, &m).ok());
    ASSERT_EQ(m.status, RungStatus::kPassed);
    EXPECT_GT(m.throughput.seconds.value_or(0), 0.015) << "as if 20 ms were nothing";
  }
}

TEST(ThroughputTest, AHostThatIsRestlessForASecondIsWaitedFor) {
  FakeRung rung("restless_at_first");
  rung.Start();
  const Result<std::unique_ptr<Session>> restless = Session::Start(rung.options, rung.device, rung.random);
  ASSERT_TRUE(restless.ok());
  TimingRule rule = FewSamples();
  rule.max_overhead_spread_ns = 10e6;  // half of what it is restless by, and more than a busy machine is
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(**restless), rule, &samples, &m).ok());
  EXPECT_NE(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << m.throughput.reason;
}

// Flushes during which some worker of this rung stands still.
int FlushesWithAStoppedWorker(BufferSpec::Place place) {
  FakeRung rung("honest");
  rung.lab.place = place;
  int stopped = 0;
  rung.device.at_flush = [&stopped] {
    for (const sandbox::ProcessInfo& process : sandbox::DescendantsOf(getpid(), 100)) {
      if (process.zombie || !sandbox::IsStopped(process.pid)) continue;
      ++stopped;
      return;
    }
  };
  rung.Start();
  TimingRule rule = FewSamples();
  rule.attempts = 1;
  rule.disturbance_ns = 1e12;
  score::RungMeasurement m;
  EXPECT_TRUE(Measure(rung, rule, &m).ok());
  return stopped;
}

TEST(ThroughputTest, TheCalibratorStandsStillWhereTheStudentsWorkerDoes) {
  EXPECT_EQ(FlushesWithAStoppedWorker(BufferSpec::Place::kDevice), 0);
  // Three deliveries, and the calibrator in 15 empty calls before the samples and two with each.
  EXPECT_EQ(FlushesWithAStoppedWorker(BufferSpec::Place::kHost), 3 + 15 + 3 * 2);
}

TEST(ThroughputTest, ACopyThatIsSlowWithTheStudentThereIsNoExcuse) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  Calibrator calibrator = Unbounded(rung.calibrator());
  calibrator.copy_alone_gb_s = 200;  // and 100 since
  ASSERT_TRUE(MeasureThroughput(rung.context(), calibrator, FewSamples(), &samples, &m).ok());
  EXPECT_EQ(m.throughput.ceiling, 190.0);
}

TEST(ThroughputTest, TheCalibratorAloneIsMeasuredBeforeAStudentIsThere) {
  FakeRung rung("honest");
  for (const bool has_host_arrays : {false, true}) {
    const Result<Calibrator> calibrator = Calibrate(rung.calibrator(), rung.device, has_host_arrays);
    ASSERT_TRUE(calibrator.ok());
    EXPECT_GT(calibrator->overhead_alone_ns, 0);
    EXPECT_EQ(calibrator->overhead_alone_paused_ns > 0, has_host_arrays);
    EXPECT_EQ(calibrator->copy_alone_gb_s, 100);
  }
}

TEST(ThroughputTest, OnlyTheGradersOwnWorkersHaveOneHardwareQueue) {
  setenv(kHardwareQueuesVariable, "1", 1);  // as in the judge's process
  for (const int queues : {0, kOwnHardwareQueues}) {
    FakeRung rung("says_its_queues");
    rung.options.hardware_queues = queues;
    EXPECT_EQ(rung.Run().status, RungStatus::kPassed);
    rung.session->Dismiss();
    const std::string said = rung.session->output();
    EXPECT_EQ(said.substr(0, said.find('\n')), queues == 0 ? "as usual" : "1");
  }
  unsetenv(kHardwareQueuesVariable);
}

TEST(ThroughputTest, ACalibratorThatEndsIsTheMachinesFaultNotTheStudents) {
  FakeRung rung("honest");
  rung.Start();
  Session::Options options = rung.options;
  options.executable = std::string(STUDENT_FOLDER) + "/exits_in_constructor";
  const Result<std::unique_ptr<Session>> calibrator = Session::Start(options, rung.device, rung.random);
  ASSERT_TRUE(calibrator.ok());
  score::RungMeasurement m;
  TimedSamples samples;
  const Status status = MeasureThroughput(rung.context(), Unbounded(**calibrator), FewSamples(), &samples, &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(status.error().message, HasSubstr("the calibrator"));
}

TEST(ThroughputTest, AnAnswerThatIsRememberedIsCaughtWhileTiming) {
  FakeRung rung("remembers");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases_passed, 0);
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  ASSERT_FALSE(m.failures.empty());
}

TEST(ThroughputTest, AWrongRungIsNotTimed) {
  FakeRung rung("does_nothing");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, FewSamples(), &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(rung.device.copies, 0);
}

TEST(ThroughputTest, ShortCallsAreTimedSeveralAtOnce) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), ThreeCallsASample(), &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(samples.calls, 3);
  EXPECT_EQ(m.throughput.samples % 3, 0);
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(ThroughputTest, TheTimeIsThatOfOneCallHoweverManyAreTimedAtOnce) {
  FakeRung rung("slow_when_idle");  // 20 ms
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, ThreeCallsASample(), &m).ok());
  ASSERT_EQ(m.status, RungStatus::kPassed);
  EXPECT_GT(m.throughput.seconds.value_or(0), 0.01);
  EXPECT_LT(m.throughput.seconds.value_or(0), 0.06);
}

TEST(ThroughputTest, ALongCallIsTimedAlone) {
  FakeRung rung("slow_when_idle");
  rung.Start();
  score::RungMeasurement m;
  TimingRule rule = ThreeCallsASample();
  rule.sample_ns = 1e6;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), rule, &samples, &m).ok());
  EXPECT_EQ(samples.calls, 1);
}

TEST(ThroughputTest, LongCallsAreWarmedUpAFewTimesAndTimedThreeTimes) {
  FakeRung rung("right_eight_times");  // 20 ms
  rung.Start();
  score::RungMeasurement m;
  TimingRule rule = ThreeCallsASample();
  rule.long_calls_ns = 15e6;
  rule.most_warm_ns = 30e6;  // two calls end the warm-up, also where a busy machine makes them unequal
  rule.min_samples = 10;
  rule.sample_ns = 1e6;
  rule.attempts = 1;  // a busy machine must not add calls
  rule.disturbance_ns = 1e12;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), rule, &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(samples.judge_ns.size(), 3);
}

TEST(ThroughputTest, EachOfTheCallsTimedAtOnceHasContentOfItsOwnAndIsChecked) {
  for (const char* student : {"remembers", "only_the_first_of_many", "only_the_last_of_many"}) {
    FakeRung rung(student);
    rung.Start();
    score::RungMeasurement m;
    ASSERT_TRUE(Measure(rung, ThreeCallsASample(), &m).ok());
    EXPECT_EQ(m.status, RungStatus::kFailed) << student;
    EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << student;
  }
}

TEST(ThroughputTest, HostArraysOfCallsTimedAtOnceAreTheirOwn) {
  FakeRung rung("honest");
  rung.lab.place = BufferSpec::Place::kHost;
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), ThreeCallsASample(), &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed) << (m.failures.empty() ? "" : m.failures[0].message);
  EXPECT_EQ(samples.calls, 3);
}

TEST(ThroughputTest, OnADeviceWithLittleMemoryFewerCallsAreTimedAtOnce) {
  FakeRung rung("honest");
  rung.Start();
  rung.device.free_bytes = 2 * 5 * (uint64_t{4} << 20);  // of which half, so one more set of 3 arrays and 2 staged
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), ThreeCallsASample(), &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(samples.calls, 2);
}

TEST(ThroughputTest, WhenMemoryRunsOutAfterAllFewerCallsAreTimedAtOnce) {
  FakeRung rung("honest");  // a set takes 20 MiB of the fake device's 64
  rung.Start();
  TimingRule rule = ThreeCallsASample();
  rule.max_calls = 8;
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), rule, &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(samples.calls, 3);
  EXPECT_EQ(rung.device.live_buffers, 0);
}

TEST(ThroughputTest, AWorkerThatSaysDoneWhileTheLastOfManyRunsIsTimedToItsEnd) {
  FakeRung rung("says_done_early");
  rung.device.longest_turn = std::chrono::minutes(1);
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  const Calibrator calibrator{rung.calibrator(), 1e6, 1e6, 0};  // a busy machine's own would take the 20 ms off
  ASSERT_TRUE(MeasureThroughput(rung.context(), calibrator, ThreeCallsASample(), &samples, &m).ok());
  ASSERT_EQ(m.status, RungStatus::kPassed) << WhyFailed(m);
  EXPECT_GT(m.throughput.seconds.value_or(0) * 3, 0.01) << "three at once, 20 ms each";
}

TEST(ThroughputTest, SamplesOfAnotherWorkerAreAddedAndCountAsTheSameCase) {
  FakeRung rung("honest");
  score::RungMeasurement m;
  TimedSamples samples;
  for (size_t worker = 1; worker <= 2; ++worker) {
    rung.Start();
    ASSERT_TRUE(MeasureThroughput(rung.context(), Unbounded(rung.calibrator()), FewSamples(), &samples, &m).ok());
    EXPECT_EQ(samples.judge_ns.size(), 3 * worker);
    EXPECT_EQ(m.throughput.samples, static_cast<int>(3 * worker));
  }
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
}

TEST(ThroughputTest, AShortCallIsRehearsedAndItsOutputPoisonedAgain) {
  for (const bool is_short : {true, false}) {
    FakeRung rung("honest");
    rung.Start();
    TimingRule rule = FewSamples();
    rule.attempts = 1;
    rule.sample_ns = is_short ? 1e12 : 1;
    score::RungMeasurement m;
    ASSERT_TRUE(Measure(rung, rule, &m).ok());
    EXPECT_EQ(m.status, RungStatus::kPassed);
    // The output and the workspace: for the warm-up and for each sample, and after each rehearsal.
    EXPECT_EQ(rung.device.fills, 2 * (1 + 3 + (is_short ? 3 : 0)));
  }
}

// With one rehearsal and three calls in each turn, its queue of four would be empty at the end of each sample.
TEST(ThroughputTest, WhoCollectsCallsByCountingThemDoesNotFinishASample) {
  FakeRung rung("collects_calls");
  rung.Start();
  TimingRule rule = ThreeCallsASample();
  rule.min_samples = rule.max_samples = 20;  // so that every turn has one rehearsal once in 3^19 tests
  score::RungMeasurement m;
  ASSERT_TRUE(Measure(rung, rule, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kFailed) << WhyFailed(m);
  EXPECT_FALSE(m.failures.empty());
}

TEST(ThroughputTest, AnotherWorkerIsAskedOnlyWhereItsTimesCouldChangeThePoints) {
  TimingRule rule;
  rule.edges = {{1000, false}};
  score::RungMeasurement m;
  m.throughput.status = ThroughputMeasurement::Status::kMeasured;
  m.throughput.value = 1005;
  EXPECT_TRUE(IsUndecided(m, rule));
  m.throughput.value = 2000;
  EXPECT_FALSE(IsUndecided(m, rule));
  m.throughput.value = 1005;
  m.throughput.status = ThroughputMeasurement::Status::kFlagged;
  EXPECT_FALSE(IsUndecided(m, rule));
  m.throughput.status = ThroughputMeasurement::Status::kMeasured;
  m.status = RungStatus::kFailed;
  EXPECT_FALSE(IsUndecided(m, rule));
}

}  // namespace
}  // namespace warpgrade::judge
