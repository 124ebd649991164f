// Which hand-in is a new attempt, and which attempt must be graded.
#include "tests/gradebook/book_of_test.h"

namespace warpgrade::gradebook {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

using AttemptsTest = BookTest;

// "number handed_in_second" of each attempt of the student.
std::vector<std::string> NumbersAndSeconds(Gradebook* book, const std::string& student) {
  std::vector<std::string> texts;
  const std::vector<Attempt> attempts = *book->Attempts(student, "");
  for (const Attempt& attempt : attempts) {
    texts.push_back(std::to_string(attempt.number) + " " + attempt.handed_in.substr(17, 2));
  }
  return texts;
}

TEST_F(AttemptsTest, WhatIsHandedInForTheFirstTimeMustBeGraded) {
  Gradebook book = Open();
  const Planned planned = PlanOf(&book, {AHandIn("s1", "text")}).at(0);
  EXPECT_TRUE(planned.is_new);
  EXPECT_FALSE(planned.is_graded);
  EXPECT_EQ(planned.number, 1);
  const Attempt attempt = book.Attempts("", "")->at(0);
  EXPECT_EQ(attempt.student, "s1");
  EXPECT_EQ(attempt.handed_in, "2026-11-22T10:15:00Z");
  EXPECT_EQ(attempt.came_from, "s1.zip");
  EXPECT_FALSE(attempt.grading.has_value());
}

TEST_F(AttemptsTest, TheSourcesComeBackByteForByte) {
  Gradebook book = Open();
  HandIn hand_in = AHandIn("s1", std::string("int x;\0\xff\r\n", 10));
  hand_in.notes = {"lab1/v2.cu: too large", "another"};
  hand_in.marked_late = true;
  PlanOf(&book, {hand_in});
  const Attempt attempt = Open(Access::kRead).Attempts("s1", "lab1")->at(0);
  EXPECT_EQ(attempt.notes, hand_in.notes);
  EXPECT_EQ(attempt.marked_late, true);
  const Result<HandIn> back = book.Read(attempt);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->files, hand_in.files);
  EXPECT_EQ(back->notes, hand_in.notes);
}

TEST_F(AttemptsTest, AnUnchangedHandInThatWasGradedIsDone) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "text"));
  const Planned again = PlanOf(&book, {AHandIn("s1", "text")}).at(0);
  EXPECT_FALSE(again.is_new);
  EXPECT_TRUE(again.is_graded);
  EXPECT_FALSE(again.repeats);
  EXPECT_EQ(book.Attempts("", "")->size(), 1u);
}

TEST_F(AttemptsTest, AHandInThatWasNotGradedBeforeAKillIsStillToBeGraded) {
  {
    Gradebook book = Open();
    PlanOf(&book, {AHandIn("s1", "text"), AHandIn("s2", "text")});
    Grade(&book, AHandIn("s1", "text"));
  }
  Gradebook book = Open();
  const std::vector<Planned> plan = PlanOf(&book, {AHandIn("s1", "text"), AHandIn("s2", "text")});
  EXPECT_THAT(plan, ElementsAre(Field(&Planned::is_graded, true), Field(&Planned::is_graded, false)));
  EXPECT_FALSE(plan[1].is_new);
}

TEST_F(AttemptsTest, OtherRulesAnotherKitOrAnotherDeviceMeanGradingAgain) {
  Gradebook book = Open();
  const HandIn hand_in = AHandIn("s1", "text");
  Grade(&book, hand_in);
  const auto is_graded = [&](Conditions conditions) {
    return book.Plan({hand_in}, conditions, false, "batch")->at(0).is_graded;
  };
  EXPECT_TRUE(is_graded(SomeConditions()));
  Conditions kit = SomeConditions(), device = SomeConditions();
  kit.kit_version = "0.2.0";
  device.device_kind = "gpu";
  EXPECT_FALSE(is_graded(kit));
  EXPECT_FALSE(is_graded(device));
  EXPECT_FALSE(is_graded(SomeConditions(2)));
}

TEST_F(AttemptsTest, FreshMeansGradingAgain) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "text"));
  EXPECT_FALSE(PlanOf(&book, {AHandIn("s1", "text")}, 1, true).at(0).is_graded);
}

TEST_F(AttemptsTest, OtherSourcesAreANewAttempt) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "one", 1));
  const Planned second = PlanOf(&book, {AHandIn("s1", "two", 2)}).at(0);
  EXPECT_TRUE(second.is_new);
  EXPECT_EQ(second.number, 2);
  EXPECT_FALSE(second.is_graded);
  EXPECT_THAT(NumbersAndSeconds(&book, "s1"), ElementsAre("1 01", "2 02"));
}

TEST_F(AttemptsTest, AFileThatWasOnlyCopiedIsNoNewAttempt) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "text", 1));
  EXPECT_FALSE(PlanOf(&book, {AHandIn("s1", "text", 30)}).at(0).is_new);
  EXPECT_THAT(NumbersAndSeconds(&book, "s1"), ElementsAre("1 01"));
}

TEST_F(AttemptsTest, GoingBackToOlderSourcesIsANewAttemptThatRepeatsTheirResult) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "one", 1));
  Grade(&book, AHandIn("s1", "two", 2));
  const Planned third = PlanOf(&book, {AHandIn("s1", "one", 3)}).at(0);
  EXPECT_TRUE(third.is_new);
  EXPECT_EQ(third.number, 3);
  EXPECT_TRUE(third.is_graded);
  EXPECT_TRUE(third.repeats);
  const std::vector<Attempt> attempts = *book.Attempts("s1", "");
  EXPECT_EQ(attempts[2].grading->measured, attempts[0].grading->measured);
  EXPECT_NE(attempts[2].grading->key, attempts[0].grading->key);
  EXPECT_EQ(book.Report(attempts[2].grading->measured)->submissions.at(0).id, "s1");
}

TEST_F(AttemptsTest, GoingBackToOlderRulesRepeatsTheirResult) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "text"), 1);
  Grade(&book, AHandIn("s1", "text"), 2);
  const Planned back = PlanOf(&book, {AHandIn("s1", "text")}, 1).at(0);
  EXPECT_TRUE(back.is_graded);
  EXPECT_TRUE(back.repeats);
  EXPECT_EQ(book.Attempts("s1", "")->at(0).grading->conditions.rules, "rules 1");
  EXPECT_EQ(book.Gradings(back.attempt)->size(), 3u);
}

TEST_F(AttemptsTest, EqualSourcesOfAnotherStudentAreGradedForThisOne) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "text"));
  EXPECT_FALSE(PlanOf(&book, {AHandIn("s2", "text")}).at(0).is_graded) << "the quiz asks each student something else";
}

TEST_F(AttemptsTest, AttemptsOfOneBatchAreNumberedByTheirTimesWhateverTheirOrder) {
  Gradebook book = Open();
  const std::vector<Planned> plan =
      PlanOf(&book, {AHandIn("s1", "third", 3), AHandIn("s1", "first", 1), AHandIn("s1", "second", 2)});
  EXPECT_THAT(plan, ElementsAre(Field(&Planned::number, 3), Field(&Planned::number, 1), Field(&Planned::number, 2)));
  // The same folder again: each is known by its time, although only the last one has the sources of the last attempt.
  for (const Planned& planned :
       PlanOf(&book, {AHandIn("s1", "third", 3), AHandIn("s1", "first", 1), AHandIn("s1", "second", 2)})) {
    EXPECT_FALSE(planned.is_new);
  }
}

TEST_F(AttemptsTest, TheSameHandedInTwiceIsOneAttempt) {
  Gradebook book = Open();
  const std::vector<Planned> plan = PlanOf(&book, {AHandIn("s1", "text", 1), AHandIn("s1", "text", 2)});
  EXPECT_EQ(plan[0].attempt, plan[1].attempt);
  EXPECT_EQ(book.Attempts("s1", "")->size(), 1u);
}

TEST_F(AttemptsTest, LabsAreCountedEachForItself) {
  Gradebook book = Open();
  PlanOf(&book, {AHandIn("s1", "text", 0, "lab1"), AHandIn("s1", "text", 0, "lab2")});
  EXPECT_EQ(book.Attempts("s1", "lab2")->at(0).number, 1);
  EXPECT_EQ(book.Attempts("s1", "")->size(), 2u);
}

TEST_F(AttemptsTest, NamesAreDataWhateverTheySay) {
  const std::vector<std::string> names = {"=cmd|' /C calc'!A0",  "Robert'); DROP TABLE attempt;--",
                                          "\xF0\x9F\x90\xA7",    "a,\"b\"\xE2\x80\x8F",
                                          std::string(300, 'x'), std::string("nul\0byte", 8)};
  Gradebook book = Open();
  for (const std::string& name : names) Grade(&book, AHandIn(name, "text"));
  for (const std::string& name : names) {
    const std::vector<Attempt> attempts = *book.Attempts(name, "");
    ASSERT_EQ(attempts.size(), 1u) << name;
    EXPECT_EQ(attempts[0].student, name);
  }
}

TEST_F(AttemptsTest, SourcesThatWereChangedInTheFileAreNoticed) {
  Gradebook book = Open();
  PlanOf(&book, {AHandIn("s1", "text")});
  Attempt attempt = book.Attempts("s1", "")->at(0);
  PlanOf(&book, {AHandIn("s2", "other")});
  attempt.sources = book.Attempts("s2", "")->at(0).sources;
  EXPECT_EQ(book.Read(attempt)->files.begin()->second, "other");
  attempt.sources = "no such hash";
  const Result<HandIn> lost = book.Read(attempt);
  ASSERT_FALSE(lost.ok());
  EXPECT_THAT(lost.error().message, HasSubstr("has lost its sources"));
}

}  // namespace
}  // namespace warpgrade::gradebook
