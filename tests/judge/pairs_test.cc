// Throughput as a share of the solution's speed, and how many workers are timed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "grader/judge/awake_cores.h"
#include "grader/judge/statistics.h"
#include "grader/judge/throughput.h"
#include "grader/judge/timing_session.h"
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

// A worker of the course's solution.
std::unique_ptr<Session> StartSolution(FakeRung& rung, const std::string& solution) {
  Session::Options options = rung.options;
  options.executable = std::string(STUDENT_FOLDER) + "/" + solution;
  Result<std::unique_ptr<Session>> started = Session::Start(options, rung.device, rung.random);
  EXPECT_TRUE(started.ok());
  return std::move(*started);
}

// MeasureThroughput beside it.
Status MeasureBeside(FakeRung& rung, Session& solution, const TimingRule& rule, TimedSamples* samples,
                     score::RungMeasurement* m) {
  Calibrator calibrator = Unbounded(solution);
  calibrator.is_solution = true;
  return MeasureThroughput(rung.context(), calibrator, rule, samples, m);
}

Status MeasureBeside(FakeRung& rung, const std::string& solution, const TimingRule& rule, TimedSamples* samples,
                     score::RungMeasurement* m) {
  return MeasureBeside(rung, *StartSolution(rung, solution), rule, samples, m);
}

TimingRule ThreePairs() {
  TimingRule rule = FewSamples();
  rule.attempts = 1;
  rule.disturbance_ns = 1e12;
  return rule;
}

TEST(PairsTest, TheSolutionIsTimedInTurnsWithTheStudentsCallsAndIsTheCeiling) {
  for (const auto place : {BufferSpec::Place::kDevice, BufferSpec::Place::kHost, BufferSpec::Place::kLockedHost}) {
    FakeRung rung("honest");
    rung.lab.place = place;
    rung.Start();
    score::RungMeasurement m;
    TimedSamples samples;
    ASSERT_TRUE(MeasureBeside(rung, "honest", ThreePairs(), &samples, &m).ok());
    EXPECT_EQ(m.status, RungStatus::kPassed);
    EXPECT_EQ(m.cases, 1);
    EXPECT_EQ(m.cases_passed, 1);
    EXPECT_EQ(samples.solution_ns.size(), 3u);
    EXPECT_FALSE(samples.solution_alone_ns.empty());
    EXPECT_EQ(m.throughput.samples, 3);
    EXPECT_EQ(m.throughput.ceiling_of, ThroughputMeasurement::Ceiling::kSolution);
    EXPECT_GT(m.throughput.ceiling.value_or(0), 0);
    EXPECT_EQ(rung.device.live_buffers, 0);
  }
}

TEST(PairsTest, AStudentWhoIsSlowerReachesASmallShare) {
  FakeRung rung("slow");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureBeside(rung, "honest", ThreePairs(), &samples, &m).ok());
  ASSERT_EQ(m.status, RungStatus::kPassed);
  EXPECT_LT(m.throughput.value, *m.throughput.ceiling);
  EXPECT_LT(MiddleHalf(samples.solution_ns), MiddleHalf(samples.judge_ns));
}

TEST(PairsTest, AStudentWhoIsFasterReachesMoreThanAll) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureBeside(rung, "slow", ThreePairs(), &samples, &m).ok());
  ASSERT_EQ(m.status, RungStatus::kPassed);
  EXPECT_GT(m.throughput.value, *m.throughput.ceiling);
}

TEST(PairsTest, ASolutionThatIsWrongIsNotTheStudentsFault) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureBeside(rung, "does_nothing", ThreePairs(), &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases_passed, 1);
  EXPECT_TRUE(m.failures.empty());
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_THAT(m.throughput.reason, HasSubstr("the course's solution"));
  EXPECT_EQ(rung.device.live_buffers, 0);
}

// To copy and check large arrays takes longer than the calls.
TEST(PairsTest, OfTheSolutionsOutputsOnlySomeAreChecked) {
  constexpr int kPairs = 60, kWarmUps = 1 + 3, kAlone = 5;
  for (const auto place : {BufferSpec::Place::kDevice, BufferSpec::Place::kLockedHost}) {
    FakeRung rung("honest");
    rung.lab.place = place;
    rung.lab.timed_elements = 4096;
    rung.Start();
    TimingRule rule = ThreePairs();
    rule.min_samples = rule.max_samples = kPairs;
    score::RungMeasurement m;
    TimedSamples samples;
    ASSERT_TRUE(MeasureBeside(rung, "honest", rule, &samples, &m).ok());
    EXPECT_EQ(m.status, RungStatus::kPassed);
    const int of_solution = rung.lab.checked_on_host - kWarmUps - kPairs - kAlone;
    EXPECT_GT(of_solution, 0);
    EXPECT_LT(of_solution, kPairs / 2);
  }
}

TEST(PairsTest, ASolutionThatEndsIsTheMachinesFault) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  const Status status = MeasureBeside(rung, "exits_when_timed", ThreePairs(), &samples, &m);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kMachine);
}

TEST(PairsTest, AStudentWhoIsWrongFailsBesideASolutionToo) {
  for (const char* student : {"remembers", "only_the_last_of_many", "changes_input"}) {
    FakeRung rung(student);
    rung.Start();
    score::RungMeasurement m;
    TimedSamples samples;
    TimingRule rule = ThreeCallsASample();
    rule.disturbance_ns = 1e12;
    ASSERT_TRUE(MeasureBeside(rung, "honest", rule, &samples, &m).ok());
    EXPECT_EQ(m.status, RungStatus::kFailed) << student;
    EXPECT_EQ(m.cases_passed, 0) << student;
  }
}

TEST(PairsTest, ShortCallsAreTimedSeveralAtOnceByBoth) {
  FakeRung rung("honest");
  rung.Start();
  score::RungMeasurement m;
  TimedSamples samples;
  TimingRule rule = ThreeCallsASample();
  rule.attempts = 1;
  rule.disturbance_ns = 1e12;
  ASSERT_TRUE(MeasureBeside(rung, "honest", rule, &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed) << (m.failures.empty() ? "" : m.failures[0].message);
  EXPECT_EQ(samples.calls, 3);
  EXPECT_EQ(samples.solution_ns.size(), 3u);
}

TEST(PairsTest, WhoHasNoTurnStandsStillAndTheyTakeTurnsInBeingFirst) {
  FakeRung rung("honest");
  rung.Start();
  std::set<pid_t> students;  // the solution's worker is not there yet
  for (const sandbox::ProcessInfo& process : sandbox::DescendantsOf(getpid(), 100)) students.insert(process.pid);
  std::string stopped;  // before each call: S, the student's worker; C, the solution's
  rung.device.at_flush = [&stopped, &students] {
    int now = 0;
    for (const sandbox::ProcessInfo& process : sandbox::DescendantsOf(getpid(), 100)) {
      if (process.zombie || !sandbox::IsStopped(process.pid)) continue;
      ++now;
      stopped += students.count(process.pid) != 0 ? 'S' : 'C';
    }
    EXPECT_LE(now, 1);
  };
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureBeside(rung, "honest", ThreePairs(), &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(stopped,
            "SSS"
            "SC"
            "CS"
            "SC")
      << "three warm-ups of the solution, three pairs";
}

// The core of the two workers; without one for them, every core.
TEST(PairsTest, CoresAreKeptAwakeWhereArraysAreTheHosts) {
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
  const int cores = CoreToSpare(usable) ? AwakeCores(CoreToSpare(usable)).cores() : AwakeCores().cores();
  for (const bool on_host : {false, true}) {
    FakeRung rung("honest");
    if (on_host) rung.lab.place = BufferSpec::Place::kHost;
    int most = 0;
    rung.device.at_flush = [&most] {
      int idle = 0;
      for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        if (sched_getscheduler(std::stoi(entry.path().filename().string())) == SCHED_IDLE) ++idle;
      }
      most = std::max(most, idle);
    };
    rung.Start();
    score::RungMeasurement m;
    TimedSamples samples;
    ASSERT_TRUE(MeasureBeside(rung, "honest", ThreePairs(), &samples, &m).ok());
    EXPECT_EQ(most, on_host ? cores : 0);
  }
}

TEST(PairsTest, SamplesOfAllWorkersCountAlsoBesideOneWorkerOfTheSolution) {
  FakeRung rung("honest");
  const std::unique_ptr<Session> solution = StartSolution(rung, "honest");
  score::RungMeasurement m;
  TimedSamples samples;
  for (size_t worker = 1; worker <= 2; ++worker) {
    rung.Start();
    ASSERT_TRUE(MeasureBeside(rung, *solution, ThreePairs(), &samples, &m).ok());
    EXPECT_EQ(samples.judge_ns.size(), 3 * worker);
    EXPECT_EQ(samples.solution_ns.size(), 3 * worker);
  }
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
  EXPECT_EQ(m.throughput.samples, 6);
}

TEST(PairsTest, APairInWhichSomeoneElseUsedTheGpuDoesNotCount) {
  for (const size_t disturbed : {4, 5}) {  // after the warm-ups of both: the solution's turn, the student's
    FakeRung rung("honest");
    rung.device.busy = std::vector<bool>(disturbed + 1, false);
    rung.device.busy[disturbed] = true;
    rung.Start();
    TimingRule rule = FewSamples();
    rule.attempts = 1;
    score::RungMeasurement m;
    TimedSamples samples;
    ASSERT_TRUE(MeasureBeside(rung, "honest", rule, &samples, &m).ok());
    EXPECT_EQ(m.status, RungStatus::kPassed);
    EXPECT_EQ(samples.judge_ns.size(), 3u);
    EXPECT_EQ(samples.solution_ns.size(), 3u);
    // The warm-ups, four pairs, and with the student's worker gone 15 deliveries and five calls of the solution.
    EXPECT_EQ(rung.device.deliveries, 1 + 3 + 2 * 4 + 15 + 5);
  }
}

// Such a program queues copies behind a wait for the first new byte, so that they need no turn on the GPU.
class FetchesEarlyTest : public testing::Test {
 protected:
  FetchesEarlyTest() : rung_("honest") {
    rung_.lab.place = BufferSpec::Place::kLockedHost;
    rung_.lab.timed_elements = uint64_t{1} << 16;
    rung_.Start();
  }
  FakeRung rung_;
};

TEST_F(FetchesEarlyTest, CopiesBesideEachDeliveryArePartOfTheCallAndSeenOnceTheProgramIsGone) {
  const std::unique_ptr<Session> solution = StartSolution(rung_, "honest");
  Random random(1);
  const Case c = rung_.lab.Cases(rung_.rung, CaseSet::kThroughput, random).front();
  const auto batch = CallBatch::Make(rung_.lab, c, rung_.device, *rung_.session);
  ASSERT_TRUE(batch.ok());
  Calibrator calibrator = Unbounded(*solution);
  calibrator.is_solution = true;
  const TimingRule rule = ThreePairs();
  const RungContext context = rung_.context();
  TimingSession timing(context, calibrator, c, **batch, rule);
  rung_.device.shares_bus_from = 0;
  ASSERT_TRUE(timing.Prepare().ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(timing.TakeSample().ok());
  const TimingResult<std::string> held_up = timing.CompareWithItGone();
  ASSERT_TRUE(held_up.ok());
  EXPECT_THAT(*held_up, HasSubstr("does it use the GPU before it is called?"));
  // Whoever copies for 50 ms during a delivery gains nothing.
  for (const double time_ns : timing.samples().judge_ns) EXPECT_GE(time_ns, 30e6);
  for (const double time_ns : timing.samples().event_ns) EXPECT_GE(time_ns, 30e6);
  // Nor does whoever delays the solution's deliveries.
  const std::vector<double>& solution_ns = timing.samples().solution_ns;
  EXPECT_LT(*std::min_element(solution_ns.begin(), solution_ns.end()), 10e6);
}

TEST_F(FetchesEarlyTest, CopiesBesideSomeDeliveriesMakeItDisturbed) {
  rung_.device.shares_bus_from = 4;  // after the warm-ups of both
  TimingRule rule = ThreePairs();
  rule.disturbance_ns = 20e6;
  score::RungMeasurement m;
  TimedSamples samples;
  ASSERT_TRUE(MeasureBeside(rung_, "honest", rule, &samples, &m).ok());
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_THAT(m.throughput.reason, HasSubstr("something else used the GPU"));
  EXPECT_EQ(rung_.device.emptied, 4 + 2 * 6) << "five pairs are dropped, and the sixth ends it";
  EXPECT_EQ(samples.disturbed_workers, 1);
  EXPECT_THAT(samples.judge_ns, testing::IsEmpty());
  // The next worker has the GPU to itself.
  rung_.Start();
  ASSERT_TRUE(MeasureBeside(rung_, "honest", ThreePairs(), &samples, &m).ok());
  EXPECT_NE(m.throughput.status, ThroughputMeasurement::Status::kNotMeasured) << m.throughput.reason;
  EXPECT_EQ(samples.judge_ns.size(), 3u);
  EXPECT_EQ(m.cases, 1);
  EXPECT_EQ(m.cases_passed, 1);
}

TEST(PairsTest, ASolutionThatWasHeldUpIsFlagged) {
  TimedSamples samples;
  samples.solution_ns = {20e6, 20e6, 21e6};
  samples.solution_alone_ns = {10e6, 10e6, 11e6};
  ThroughputMeasurement measured;
  measured.status = ThroughputMeasurement::Status::kMeasured;
  FlagSlowedSolution(samples, &measured);
  EXPECT_EQ(measured.status, ThroughputMeasurement::Status::kFlagged);
  EXPECT_THAT(measured.reason, HasSubstr("took 20000.0 us while the program was stopped"));
  samples.solution_alone_ns = samples.solution_ns;
  measured.status = ThroughputMeasurement::Status::kMeasured;
  FlagSlowedSolution(samples, &measured);
  EXPECT_EQ(measured.status, ThroughputMeasurement::Status::kMeasured);
  measured.status = ThroughputMeasurement::Status::kNotMeasured;
  samples.solution_alone_ns = {1, 1, 1};
  FlagSlowedSolution(samples, &measured);
  EXPECT_EQ(measured.status, ThroughputMeasurement::Status::kNotMeasured);
}

// What TimeWorkers does with workers that all find the same.
struct Workers {
  explicit Workers(int workers) {
    rule.workers = workers;
    rule.max_workers = 3;
    rule.edges = {{1000, false}};
    found.throughput.status = ThroughputMeasurement::Status::kMeasured;
    found.throughput.value = 2000;
  }
  Status Time() {
    const auto time_one = [this]() -> Status {
      measured = found;
      measured.throughput.samples = timed + 1;
      std::this_thread::sleep_for(takes);
      if (disturbed.count(++timed) > 0) {
        measured.throughput.status = ThroughputMeasurement::Status::kNotMeasured;
        ++samples.disturbed_workers;
      }
      return error;
    };
    return TimeWorkers(rule, time_one, samples, &measured);
  }
  TimingRule rule;
  score::RungMeasurement found, measured;
  TimedSamples samples;
  Status error;
  std::set<int> disturbed;  // from 1
  std::chrono::milliseconds takes{0};
  int timed = 0;
};

TEST(TimeWorkersTest, AsManyAreTimedAsTheRuleWants) {
  for (const int wanted : {1, 4}) {
    Workers workers(wanted);
    ASSERT_TRUE(workers.Time().ok());
    EXPECT_EQ(workers.timed, wanted);
  }
}

TEST(TimeWorkersTest, MoreAreTimedNearAnEdgeUpToALimit) {
  for (const int wanted : {1, 4}) {
    Workers workers(wanted);
    workers.found.throughput.value = 1001;
    ASSERT_TRUE(workers.Time().ok());
    EXPECT_EQ(workers.timed, 3 * wanted);
  }
}

TEST(TimeWorkersTest, NoMoreAreTimedOnceCallsTookTwentySeconds) {
  Workers workers(4);
  workers.samples.judge_ns = {11e9};
  ASSERT_TRUE(workers.Time().ok());
  EXPECT_EQ(workers.timed, 4);
  workers.timed = 0;
  workers.samples.judge_ns = {11e9, 11e9};
  ASSERT_TRUE(workers.Time().ok());
  EXPECT_EQ(workers.timed, 1);
}

TEST(TimeWorkersTest, WhatFailsIsFlaggedOrNotMeasuredIsNotTimedAgain) {
  Workers failed(4), flagged(4), unmeasured(4);
  failed.found.status = RungStatus::kFailed;
  flagged.found.throughput.status = ThroughputMeasurement::Status::kFlagged;
  unmeasured.found.throughput.status = ThroughputMeasurement::Status::kNotMeasured;
  for (Workers* const workers : {&failed, &flagged, &unmeasured}) {
    ASSERT_TRUE(workers->Time().ok());
    EXPECT_EQ(workers->timed, 1);
  }
}

TEST(TimeWorkersTest, AnotherWorkerTakesThePlaceOfOneThatWasDisturbed) {
  Workers workers(4);
  workers.disturbed = {1, 3};
  ASSERT_TRUE(workers.Time().ok());
  EXPECT_EQ(workers.timed, 6);
  EXPECT_EQ(workers.measured.throughput.status, ThroughputMeasurement::Status::kMeasured);
}

TEST(TimeWorkersTest, AThirdWorkerThatIsDisturbedEndsIt) {
  for (const std::set<int>& disturbed : {std::set<int>{1, 3, 5}, {4, 5, 6}}) {  // three of four, the last of four
    Workers workers(4);
    workers.disturbed = disturbed;
    ASSERT_TRUE(workers.Time().ok());
    EXPECT_EQ(workers.timed, *disturbed.rbegin());
    EXPECT_EQ(workers.measured.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
  }
}

TEST(TimeWorkersTest, ADisturbedWorkerBeyondThoseThatMustBeTimedLeavesWhatWasMeasured) {
  for (const std::set<int>& disturbed : {std::set<int>{1, 4, 6}, {4, 5, 6}}) {
    Workers workers(2);
    workers.found.throughput.value = 1001;  // near an edge
    workers.disturbed = disturbed;
    ASSERT_TRUE(workers.Time().ok());
    EXPECT_EQ(workers.timed, 6);
    EXPECT_EQ(workers.measured.throughput.status, ThroughputMeasurement::Status::kMeasured);
    EXPECT_EQ(workers.measured.throughput.samples, disturbed.count(5) > 0 ? 3 : 5) << "of the last that was good";
  }
}

TEST(TimeWorkersTest, ADisturbedWorkerThatTookLongIsNotReplaced) {
  Workers workers(2);
  workers.disturbed = {1};
  workers.takes = std::chrono::milliseconds(50);
  workers.rule.budget_ns = 10'000'000;
  ASSERT_TRUE(workers.Time().ok());
  EXPECT_EQ(workers.timed, 1);
  EXPECT_EQ(workers.measured.throughput.status, ThroughputMeasurement::Status::kNotMeasured);
}

TEST(TimeWorkersTest, AnErrorEndsItAndIsPassedOn) {
  Workers workers(4);
  workers.error = Error{ErrorKind::kMachine, "no GPU any more"};
  const Status status = workers.Time();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "no GPU any more");
  EXPECT_EQ(workers.timed, 1);
}

TEST(TimeWorkersTest, ASolutionThatWasSlowBesideAllOfThemIsFlagged) {
  Workers workers(4);
  workers.samples.solution_ns = {20e6, 20e6};
  workers.samples.solution_alone_ns = {10e6, 10e6};
  ASSERT_TRUE(workers.Time().ok());
  EXPECT_EQ(workers.timed, 4);
  EXPECT_EQ(workers.measured.throughput.status, ThroughputMeasurement::Status::kFlagged);
}

}  // namespace
}  // namespace warpgrade::judge
