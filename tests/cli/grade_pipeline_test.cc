#include "grader/cli/grade_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <new>
#include <set>
#include <thread>

namespace warpgrade::cli {
namespace {

using score::RungMeasurement;
using score::RungStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

config::Lab LabWith(const std::string& name, const std::vector<std::string>& rungs) {
  config::Lab lab;
  lab.name = name;
  for (const std::string& rung : rungs) {
    config::Rung r;
    r.name = rung;
    lab.rungs.push_back(r);
  }
  return lab;
}

RungMeasurement WithStatus(RungStatus status) {
  RungMeasurement measurement;
  measurement.status = status;
  return measurement;
}

// Every rung builds and passes.
Stages AllPass() {
  Stages stages;
  stages.build = [](const RungTask& task) -> Result<Built> { return Built{task.rung->name, nullptr, {}}; };
  stages.judge = [](const RungTask&, const std::string&) -> Result<RungMeasurement> {
    return WithStatus(RungStatus::kPassed);
  };
  return stages;
}

const std::vector<config::Lab> kLabs = {LabWith("lab1", {"v1", "v2"}), LabWith("lab2", {"v1"})};

TEST(GradePipelineTest, GradesEveryRungOfEverySubmission) {
  const GradingOutcome outcome = GradeRungs(3, kLabs, AllPass(), {.jobs = 4});
  ASSERT_THAT(outcome.submissions, SizeIs(3));
  for (const Measurements& submission : outcome.submissions) {
    EXPECT_THAT(submission.at("lab1"), SizeIs(2));
    EXPECT_THAT(submission.at("lab2"), SizeIs(1));
  }
  EXPECT_THAT(outcome.failures, IsEmpty());
  EXPECT_FALSE(outcome.interrupted);
}

TEST(GradePipelineTest, NoSubmissionsAndNoRungsAreNoTrouble) {
  EXPECT_THAT(GradeRungs(0, kLabs, AllPass(), {.jobs = 2}).submissions, IsEmpty());
  EXPECT_THAT(GradeRungs(1, {}, AllPass(), {.jobs = 2}).submissions, SizeIs(1));
}

TEST(GradePipelineTest, ARungThatDoesNotCompileIsNotJudgedAndCostsOnlyItself) {
  Stages stages = AllPass();
  stages.build = [](const RungTask& task) -> Result<Built> {
    if (task.rung->name == "v2") return Built{"", nullptr, WithStatus(RungStatus::kCompileError)};
    return Built{task.rung->name, nullptr, {}};
  };
  stages.judge = [](const RungTask& task, const std::string& program) -> Result<RungMeasurement> {
    EXPECT_EQ(program, task.rung->name);
    EXPECT_NE(program, "v2");
    return WithStatus(RungStatus::kPassed);
  };
  const GradingOutcome outcome = GradeRungs(1, kLabs, stages, {.jobs = 2});
  EXPECT_EQ(outcome.submissions[0].at("lab1").at("v2").status, RungStatus::kCompileError);
  EXPECT_EQ(outcome.submissions[0].at("lab1").at("v1").status, RungStatus::kPassed);
}

TEST(GradePipelineTest, AJudgeThatFailsCostsThatRungAndIsReported) {
  Stages stages = AllPass();
  stages.judge = [](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    if (task.lab->name == "lab2") return Error{ErrorKind::kMachine, "the judge itself failed"};
    return WithStatus(RungStatus::kPassed);
  };
  const GradingOutcome outcome = GradeRungs(2, kLabs, stages, {.jobs = 1});
  EXPECT_THAT(outcome.submissions[1].at("lab1"), SizeIs(2));
  EXPECT_EQ(outcome.submissions[1].count("lab2"), 0u);
  EXPECT_THAT(outcome.failures, ElementsAre("the judge itself failed")) << "said once, not per rung";
}

TEST(GradePipelineTest, ABuildThatTheMachineFailsAtCostsNobodyElseAnything) {
  Stages stages = AllPass();
  stages.build = [](const RungTask& task) -> Result<Built> {
    if (task.submission == 0) return Error{ErrorKind::kMachine, "no space left on device"};
    return Built{task.rung->name, nullptr, {}};
  };
  for (const int jobs : {1, 4}) {
    const GradingOutcome outcome = GradeRungs(20, kLabs, stages, {.jobs = jobs});
    EXPECT_THAT(outcome.submissions[0], IsEmpty());
    EXPECT_EQ(outcome.unfinished[0].at("lab2").at("v1"), "no space left on device");
    for (size_t i = 1; i < 20; ++i) EXPECT_THAT(outcome.submissions[i], SizeIs(2)) << i;
    EXPECT_THAT(outcome.failures, ElementsAre("no space left on device"));
  }
}

TEST(GradePipelineTest, WhatTheMachineFailedAtIsTriedAgainWhenNothingElseRuns) {
  Stages stages = AllPass();
  std::atomic<int> running = 0;
  std::set<std::string> tried_alone;
  stages.build = [&](const RungTask& task) -> Result<Built> {
    ++running;
    if (task.alone) {
      EXPECT_EQ(running, 1) << "something else runs";
      tried_alone.insert(std::to_string(task.submission));
    }
    return Built{task.rung->name, nullptr, {}};
  };
  stages.judge = [&](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    std::this_thread::yield();
    --running;
    const bool holds_everything = task.submission == 2;
    if (holds_everything || (task.submission == 1 && !task.alone)) return Error{ErrorKind::kMachine, "too many files"};
    return WithStatus(RungStatus::kPassed);
  };
  const GradingOutcome outcome = GradeRungs(4, kLabs, stages, {.jobs = 4});
  EXPECT_THAT(tried_alone, ElementsAre("1", "2")) << "only what failed is tried again";
  for (const size_t i : {0, 1, 3}) {
    EXPECT_THAT(outcome.submissions[i], SizeIs(2)) << i;
    EXPECT_THAT(outcome.unfinished[i], IsEmpty()) << i;
  }
  EXPECT_THAT(outcome.submissions[2], IsEmpty());
  EXPECT_THAT(outcome.unfinished[2], SizeIs(2)) << "charged to the one that fails alone";
}

RungMeasurement OutOfTime() {
  RungMeasurement measurement = WithStatus(RungStatus::kTimeout);
  measurement.out_of_time = true;
  measurement.messages = {"ran for 60 s and was stopped"};
  return measurement;
}

TEST(GradePipelineTest, ARungThatRanOutOfTimeIsTriedOnceMoreAloneAndTheReportSaysSo) {
  for (const bool endless : {false, true}) {
    Stages stages = AllPass();
    std::atomic<int> running = 0, tries = 0;
    stages.judge = [&](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
      ++running;
      if (task.alone) {
        EXPECT_EQ(running, 1) << "something else runs";
      }
      std::this_thread::yield();
      --running;
      if (task.submission != 1 || task.rung->name != "v2") return WithStatus(RungStatus::kPassed);
      ++tries;
      return endless || !task.alone ? OutOfTime() : WithStatus(RungStatus::kPassed);
    };
    const GradingOutcome outcome = GradeRungs(4, kLabs, stages, {.jobs = 4});
    EXPECT_EQ(tries, 2);
    const RungMeasurement& measured = outcome.submissions[1].at("lab1").at("v2");
    if (endless) {
      EXPECT_EQ(measured.status, RungStatus::kTimeout);
      EXPECT_THAT(measured.messages, ElementsAre("ran for 60 s and was stopped",
                                                 "it ran out of time twice; the second time, nothing else was graded"));
    } else {
      EXPECT_EQ(measured.status, RungStatus::kPassed);
      EXPECT_THAT(measured.messages, ElementsAre("at the first try it ran out of time; this is the second try, while "
                                                 "nothing else was graded"));
    }
    EXPECT_THAT(outcome.submissions[0].at("lab1").at("v2").messages, IsEmpty());
  }
}

TEST(GradePipelineTest, AnEndlessKernelIsNotTriedAgainBecauseItsWorkWasCounted) {
  Stages stages = AllPass();
  std::atomic<int> tries = 0;
  stages.judge = [&](const RungTask&, const std::string&) -> Result<RungMeasurement> {
    ++tries;
    return WithStatus(RungStatus::kTimeout);
  };
  GradeRungs(1, kLabs, stages, {.jobs = 2});
  EXPECT_EQ(tries, 3);
}

TEST(GradePipelineTest, ASubmissionOfEndlessLoopsGetsTwoSecondTries) {
  const std::vector<config::Lab> labs = {LabWith("lab1", {"v1", "v2", "v3", "v4", "v5", "v6"})};
  Stages stages = AllPass();
  std::atomic<int> tries = 0;
  stages.judge = [&](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    if (task.submission == 1) return task.alone ? WithStatus(RungStatus::kPassed) : OutOfTime();
    ++tries;
    return OutOfTime();
  };
  const GradingOutcome outcome = GradeRungs(2, labs, stages, {.jobs = 2});
  EXPECT_EQ(tries, 6 + 2);
  int not_again = 0;
  for (const auto& [rung, measured] : outcome.submissions[0].at("lab1")) {
    EXPECT_EQ(measured.status, RungStatus::kTimeout);
    not_again += measured.messages.back().starts_with("it was not tried again") ? 1 : 0;
  }
  EXPECT_EQ(not_again, 4);
  for (const auto& [rung, measured] : outcome.submissions[1].at("lab1")) {
    EXPECT_EQ(measured.status, RungStatus::kPassed) << "a slow machine costs nothing, however many rungs it made late";
  }
}

TEST(GradePipelineTest, ARungThatRanOutOfTimeTogetherWithOthersIsAlwaysTriedByItself) {
  const std::vector<config::Lab> labs = {LabWith("lab1", {"v1", "v2", "v3", "v4"})};
  Stages stages = AllPass();
  stages.build = [](const RungTask& task) -> Result<Built> {
    return Built{task.rung->name, nullptr, {}, !task.alone && !task.compile_alone};
  };
  stages.counts = [](const RungTask&, const RungMeasurement& m) { return m.status == RungStatus::kPassed; };
  std::atomic<int> tries = 0;
  stages.judge = [&](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    ++tries;
    return task.alone && task.rung->name == "v4" ? WithStatus(RungStatus::kPassed) : OutOfTime();
  };
  const GradingOutcome outcome = GradeRungs(1, labs, stages, {.jobs = 1});
  EXPECT_EQ(tries, 8);
  EXPECT_EQ(outcome.submissions[0].at("lab1").at("v4").status, RungStatus::kPassed);
}

TEST(GradePipelineTest, TheSecondLookIsAtTheMeasurementThatCounts) {
  Stages stages = AllPass();
  stages.build = [](const RungTask& task) -> Result<Built> {
    return Built{task.rung->name, nullptr, {}, !task.compile_alone};
  };
  stages.judge = [](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    EXPECT_EQ(task.together, !task.compile_alone);
    RungMeasurement measured = WithStatus(RungStatus::kFailed);
    measured.cases = task.compile_alone ? 1 : 0;
    return measured;
  };
  stages.counts = [](const RungTask&, const RungMeasurement&) { return false; };
  std::atomic<int> looks = 0;
  stages.look_again = [&looks](const RungTask& task, RungMeasurement* measured) {
    ++looks;
    EXPECT_TRUE(task.compile_alone);
    measured->hint = "added";
  };
  const std::vector<config::Lab> labs = {LabWith("lab1", {"v1"})};
  const RungMeasurement measured = GradeRungs(1, labs, stages, {.jobs = 1}).submissions[0].at("lab1").at("v1");
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(measured.cases, 1);
  EXPECT_EQ(measured.hint, "added");
}

TEST(GradePipelineTest, ASecondLookThatFailsLeavesTheMeasurementAsItWas) {
  Stages stages = AllPass();
  stages.look_again = [](const RungTask&, RungMeasurement* measured) {
    measured->hint = "half done";
    throw std::bad_alloc();
  };
  const GradingOutcome outcome = GradeRungs(1, kLabs, stages, {.jobs = 1});
  EXPECT_THAT(outcome.failures, IsEmpty());
  EXPECT_EQ(outcome.submissions[0].at("lab1").begin()->second.hint, "");
}

TEST(GradePipelineTest, ARungThatRanOutOfTimeGetsNoSecondLook) {
  Stages stages = AllPass();
  stages.judge = [](const RungTask&, const std::string&) -> Result<RungMeasurement> { return OutOfTime(); };
  stages.look_again = [](const RungTask&, RungMeasurement*) { ADD_FAILURE(); };
  GradeRungs(1, kLabs, stages, {.jobs = 1});
}

TEST(GradePipelineTest, AnExceptionIsAFailureOfTheMachineAndEndsNothing) {
  Stages stages = AllPass();
  stages.judge = [](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    if (task.submission == 0) throw std::bad_alloc();
    return WithStatus(RungStatus::kPassed);
  };
  const GradingOutcome outcome = GradeRungs(2, kLabs, stages, {.jobs = 2});
  EXPECT_THAT(outcome.submissions[1], SizeIs(2));
  EXPECT_THAT(outcome.failures, ElementsAre("the grader itself failed: std::bad_alloc"));
}

TEST(GradePipelineTest, TellsEachResultButTheLastWithAllBefore) {
  std::vector<size_t> graded;
  PipelineOptions options{.jobs = 1};
  options.on_result = [&](const GradingOutcome& so_far) {
    graded.push_back(so_far.submissions[0].at("lab1").size() + so_far.submissions[0].count("lab2"));
  };
  GradeRungs(1, kLabs, AllPass(), options);
  EXPECT_THAT(graded, ElementsAre(1, 2));
}

TEST(GradePipelineTest, KeepsWhatWasFinishedBeforeAnInterrupt) {
  std::atomic<bool> cancel = false;
  Stages stages = AllPass();
  stages.judge = [&](const RungTask& task, const std::string&) -> Result<RungMeasurement> {
    if (task.submission == 1) {
      cancel = true;
      return Error{ErrorKind::kMachine, "grading was stopped"};
    }
    return WithStatus(RungStatus::kPassed);
  };
  const GradingOutcome outcome = GradeRungs(3, kLabs, stages, {.jobs = 1, .cancel = &cancel});
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_THAT(outcome.submissions[0], SizeIs(2)) << "finished before";
  EXPECT_THAT(outcome.submissions[1], IsEmpty()) << "cut short";
  EXPECT_THAT(outcome.submissions[2], IsEmpty()) << "never begun";
  EXPECT_THAT(outcome.failures, IsEmpty()) << "an interrupt is no failure of the machine";
}

TEST(GradePipelineTest, FewRungsAreJudgedAtATimeWhileOthersBuild) {
  Stages stages = AllPass();
  std::atomic<int> judging = 0, most = 0;
  stages.judged_at_once = 3;
  stages.judge = [&](const RungTask&, const std::string&) -> Result<RungMeasurement> {
    most = std::max<int>(most, ++judging);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --judging;
    return WithStatus(RungStatus::kPassed);
  };
  GradeRungs(8, kLabs, stages, {.jobs = 8});
  EXPECT_LE(most, 3);
  EXPECT_GT(most, 1);
}

TEST(GradePipelineTest, AnnouncesEveryRungWithTheNumberFinished) {
  std::vector<std::string> seen;
  PipelineOptions options{.jobs = 1};
  options.on_start = [&](int finished, int total, const RungTask& task) {
    seen.push_back(std::to_string(finished) + "/" + std::to_string(total) + " " + task.lab->name + " " +
                   task.rung->name);
  };
  GradeRungs(1, kLabs, AllPass(), options);
  EXPECT_THAT(seen, ElementsAre("0/3 lab1 v1", "1/3 lab1 v2", "2/3 lab2 v1"));
}

TEST(GradePipelineTest, JobsBeginWithDifferentLabsOrSubmissions) {
  std::vector<std::string> seen;
  PipelineOptions options{.jobs = 2};
  options.on_start = [&](int, int, const RungTask& task) {
    seen.push_back(std::to_string(task.submission) + " " + task.lab->name + " " + task.rung->name);
  };
  const std::vector<config::Lab> labs = {LabWith("lab1", {"v1", "v2", "v3"}), LabWith("lab2", {}),
                                         LabWith("lab3", {"v1"})};
  GradeRungs(2, labs, AllPass(), options);
  EXPECT_THAT(seen, ElementsAre("0 lab1 v1", "0 lab3 v1", "0 lab1 v2", "0 lab1 v3", "1 lab1 v1", "1 lab3 v1",
                                "1 lab1 v2", "1 lab1 v3"));
}

TEST(GradePipelineTest, EachSubmissionIsHandedOverWholeWhenItsLastRungHasEnded) {
  for (const int jobs : {1, 4}) {
    std::map<size_t, size_t> rungs;  // of each submission
    PipelineOptions options;
    options.jobs = jobs;
    options.on_submission = [&rungs](size_t submission, const Measurements& measured, const Reasons& unfinished) {
      EXPECT_FALSE(rungs.contains(submission)) << "once";
      for (const auto& [lab, of_lab] : measured) rungs[submission] += of_lab.size();
      EXPECT_THAT(unfinished, IsEmpty());
      return Status();
    };
    const GradingOutcome outcome = GradeRungs(20, kLabs, AllPass(), options);
    EXPECT_THAT(rungs, SizeIs(20));
    for (const auto& [submission, count] : rungs) EXPECT_EQ(count, 3u) << submission;
    for (const Measurements& submission : outcome.submissions) EXPECT_THAT(submission, IsEmpty()) << "it is forgotten";
  }
}

TEST(GradePipelineTest, WhatTheMachineFailedAtIsHandedOverAfterItsSecondTry) {
  Stages stages = AllPass();
  stages.build = [](const RungTask& task) -> Result<Built> {
    if (task.submission == 0) return Error{ErrorKind::kMachine, "no space left on device"};
    return Built{task.rung->name, nullptr, {}};
  };
  PipelineOptions options;
  std::vector<size_t> order;
  options.on_submission = [&order](size_t submission, const Measurements&, const Reasons& unfinished) {
    order.push_back(submission);
    EXPECT_EQ(unfinished.size(), submission == 0 ? 2u : 0u);
    return Status();
  };
  const GradingOutcome outcome = GradeRungs(3, kLabs, stages, options);
  EXPECT_THAT(order, ElementsAre(1, 2, 0));
  EXPECT_THAT(outcome.failures, ElementsAre("no space left on device"));
}

TEST(GradePipelineTest, AnErrorOfTheTakerEndsTheGrading) {
  PipelineOptions options;
  int taken = 0;
  options.on_submission = [&taken](size_t, const Measurements&, const Reasons&) -> Status {
    ++taken;
    return Error{ErrorKind::kMachine, "disk full"};
  };
  const GradingOutcome outcome = GradeRungs(20, kLabs, AllPass(), options);
  ASSERT_FALSE(outcome.error.ok());
  EXPECT_EQ(outcome.error.error().message, "disk full");
  EXPECT_EQ(taken, 1);
  EXPECT_FALSE(outcome.interrupted);
}

TEST(GradePipelineTest, BeginningsAndEndsAreTold) {
  PipelineOptions options;
  options.jobs = 4;
  int begun = 0, ended = 0;
  options.on_start = [&begun](int, int, const RungTask&) { ++begun; };
  options.on_end = [&](const RungTask&) { EXPECT_LE(++ended, begun); };
  GradeRungs(5, kLabs, AllPass(), options);
  EXPECT_EQ(begun, 15);
  EXPECT_EQ(ended, 15);
}

}  // namespace
}  // namespace warpgrade::cli
