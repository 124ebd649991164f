#include "grader/slurm/rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::slurm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using Keys = std::vector<std::string>;
using Chunks = std::vector<Keys>;

constexpr double kLater = kSettleSeconds + 1;

Rounds RoundsOf(const Keys& keys, size_t chunk = 2, int tries = 2) {
  return Rounds(keys, {chunk, tries, [](const Array&, const Task& task) { return "it was " + task.word; }});
}

Array ArrayOf(int number, const Chunks& tasks) { return {number, "array" + std::to_string(number), "7", tasks}; }

Task Told(int array, size_t number, const std::string& word) {
  Task task;
  task.name = "array" + std::to_string(array);
  task.number = number;
  task.word = word;
  task.state = word == "RUNNING"   ? Task::State::kRunning
               : word == "PENDING" ? Task::State::kWaiting
                                   : Task::State::kEnded;
  task.node = word == "PENDING" ? "" : "n1";
  task.why = word == "PENDING" ? "Resources" : "";
  return task;
}

TEST(RoundsTest, KeysAreDealtOutInChunksInTheirOrder) {
  Rounds rounds = RoundsOf({"e", "d", "c", "b", "a"});
  EXPECT_THAT(rounds.Open(0), ElementsAre(ElementsAre("e", "d"), ElementsAre("c", "b"), ElementsAre("a")));
  EXPECT_FALSE(rounds.done());
}

TEST(RoundsTest, AClassForWhichAnArrayIsTooShortGetsLargerChunks) {
  Keys keys;
  for (size_t i = 0; i < 2 * kMostTasks + 1; ++i) keys.push_back(std::to_string(i));
  const Chunks chunks = RoundsOf(keys, 1).Open(0);
  EXPECT_LE(chunks.size(), kMostTasks);
  EXPECT_THAT(chunks[0], SizeIs(3));
}

TEST(RoundsTest, WhatArrivesIsDoneAndNotSubmittedAgain) {
  Rounds rounds = RoundsOf({"a", "b"});
  rounds.Submitted(ArrayOf(1, {{"a", "b"}}));
  EXPECT_THAT(rounds.Open(0), IsEmpty());
  rounds.Saw({Told(1, 0, "RUNNING")}, 0);
  rounds.Arrived("a");
  rounds.Arrived("b");
  rounds.Saw({Told(1, 0, "COMPLETED")}, 1);
  EXPECT_THAT(rounds.Open(kLater + 1), IsEmpty());
  EXPECT_TRUE(rounds.done());
  EXPECT_THAT(rounds.GivenUp(), IsEmpty());
}

TEST(RoundsTest, ATaskThatWaitsOrRunsLosesNothingHoweverLongItTakes) {
  Rounds rounds = RoundsOf({"a", "b"}, 1);
  rounds.Submitted(ArrayOf(1, {{"a"}, {"b"}}));
  for (double now = 0; now < 1e6; now += 1e5) {
    rounds.Saw({Told(1, 0, "RUNNING"), Told(1, 1, "PENDING")}, now);
    EXPECT_THAT(rounds.Open(now), IsEmpty());
  }
  const Rounds::Counts counts = rounds.Count();
  EXPECT_EQ(counts.running, 1u);
  EXPECT_EQ(counts.waiting, 1u);
  EXPECT_EQ(counts.why_waiting, "Resources");
  EXPECT_THAT(rounds.Alive(), ElementsAre("array1"));
}

TEST(RoundsTest, OnlyWhatALostTaskHadNotFinishedIsSubmittedAgainEachByItself) {
  Rounds rounds = RoundsOf({"a", "b", "c"}, 3);
  rounds.Submitted(ArrayOf(1, {{"a", "b", "c"}}));
  rounds.Arrived("b");
  rounds.Saw({Told(1, 0, "NODE_FAIL")}, 10);
  EXPECT_THAT(rounds.Open(10), IsEmpty()) << "a result may still become visible";
  EXPECT_THAT(rounds.Open(10 + kLater), ElementsAre(ElementsAre("a"), ElementsAre("c")));
  EXPECT_THAT(rounds.TakeNewLosses(), ElementsAre(Pair("it was NODE_FAIL", 2)));
  EXPECT_THAT(rounds.TakeNewLosses(), IsEmpty());
}

TEST(RoundsTest, AResultThatBecomesVisibleLateIsNotLost) {
  Rounds rounds = RoundsOf({"a"});
  rounds.Submitted(ArrayOf(1, {{"a"}}));
  rounds.Saw({Told(1, 0, "COMPLETED")}, 0);
  rounds.Arrived("a");
  EXPECT_THAT(rounds.Open(kLater), IsEmpty());
  EXPECT_TRUE(rounds.done());
}

TEST(RoundsTest, WhatIsLostTooOftenIsGivenUpWithTheLastReason) {
  Rounds rounds = RoundsOf({"a"}, 2, 2);
  rounds.Submitted(ArrayOf(1, {{"a"}}));
  rounds.Saw({Told(1, 0, "NODE_FAIL")}, 0);
  EXPECT_THAT(rounds.Open(kLater), SizeIs(1));
  rounds.Submitted(ArrayOf(2, {{"a"}}));
  rounds.Saw({Told(1, 0, "NODE_FAIL"), Told(2, 0, "TIMEOUT")}, 20);
  EXPECT_THAT(rounds.Open(20 + kLater), IsEmpty());
  EXPECT_TRUE(rounds.done());
  EXPECT_THAT(rounds.GivenUp(), ElementsAre(Pair("a", "it was TIMEOUT")));
  EXPECT_EQ(rounds.Count().lost, 1u);
}

TEST(RoundsTest, AResultOfALostTaskThatComesAfterAllStillCounts) {
  Rounds rounds = RoundsOf({"a"}, 1, 1);
  rounds.Submitted(ArrayOf(1, {{"a"}}));
  rounds.Saw({}, 0);
  EXPECT_THAT(rounds.Open(kLater), IsEmpty());
  rounds.Arrived("a");
  EXPECT_THAT(rounds.GivenUp(), IsEmpty());
  EXPECT_TRUE(rounds.done());
}

TEST(RoundsTest, WhatAPersonCancelsIsNotSubmittedAgain) {
  Rounds rounds = RoundsOf({"a"}, 1, 3);
  rounds.Submitted(ArrayOf(1, {{"a"}}));
  rounds.Saw({Told(1, 0, "CANCELLED")}, 0);
  EXPECT_THAT(rounds.Open(kLater), IsEmpty());
  EXPECT_THAT(rounds.GivenUp(), ElementsAre(Pair("a", "it was CANCELLED")));
}

TEST(RoundsTest, ATaskThatSlurmHasForgottenHasEndedAsItWasLastSeen) {
  Rounds rounds = RoundsOf({"a"}, 1, 2);
  rounds.Submitted(ArrayOf(1, {{"a"}}));
  rounds.Saw({Told(1, 0, "TIMEOUT")}, 0);
  rounds.Saw({}, 1);
  EXPECT_THAT(rounds.Open(kLater), ElementsAre(ElementsAre("a")));
  EXPECT_THAT(rounds.TakeNewLosses(), ElementsAre(Pair("it was TIMEOUT", 1)));
}

TEST(RoundsTest, AResultThatSaysThatTheMachineFailedIsALossOfThisSubmissionAlone) {
  Rounds rounds = RoundsOf({"a", "b"}, 2, 2);
  rounds.Submitted(ArrayOf(1, {{"a", "b"}}));
  rounds.Saw({Told(1, 0, "RUNNING")}, 0);
  rounds.Failed("a", "the disk is full");
  EXPECT_THAT(rounds.Open(0), ElementsAre(ElementsAre("a")));
  rounds.Submitted(ArrayOf(2, {{"a"}}));
  rounds.Failed("a", "the disk is still full");
  EXPECT_THAT(rounds.Open(0), IsEmpty());
  EXPECT_THAT(rounds.GivenUp(), ElementsAre(Pair("a", "the disk is still full")));
  EXPECT_FALSE(rounds.done()) << "b runs";
}

TEST(RoundsTest, AnArrayThatWasNeverAcceptedIsNoTry) {
  Rounds rounds = RoundsOf({"a"}, 1, 1);
  rounds.Submitted(ArrayOf(1, {{"a"}}));
  rounds.NeverSubmitted(1);
  EXPECT_THAT(rounds.Open(0), ElementsAre(ElementsAre("a")));
  EXPECT_THAT(rounds.Alive(), IsEmpty());
}

TEST(RoundsTest, AnEarlierArrayOfTheFolderGoesOnAndItsOtherKeysDoNotMatter) {
  Rounds rounds = RoundsOf({"a", "b"}, 2);
  rounds.Submitted(ArrayOf(3, {{"old", "a"}}));
  EXPECT_THAT(rounds.Open(0), ElementsAre(ElementsAre("b"))) << "a is in a task already";
  rounds.Saw({Told(3, 0, "RUNNING")}, 0);
  EXPECT_TRUE(rounds.WasSeen(3));
  EXPECT_FALSE(rounds.WasSeen(4));
}

}  // namespace
}  // namespace warpgrade::slurm
