// Submissions as each platform exports them find their students.
#include "grader/roster/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::roster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MatchTest : public testing::Test {
 protected:
  // A class of three.
  std::vector<Student> roster_ = {
      {"s1", "Ada Lovelace", "ada@example.org", "A", "", "77", "ada-l"},
      {"s2", "Babbage, Charles", "charles@example.org", "A", "", "", ""},
      {"s3", "Grace Brewster Hopper", "grace@example.org", "B", "", "", "hopper"},
  };

  void Add(const std::string& name) {
    submission::Submission one;
    one.id = one.student = name;
    one.source = folder_.Write(name, "x");
    submissions_.push_back(one);
  }

  Matched Match(bool with_roster = true) {
    Result<Matched> matched = roster::Match(submissions_, "lab3", with_roster ? &roster_ : nullptr);
    EXPECT_TRUE(matched.ok()) << matched.error().message;
    return matched.ok() ? std::move(*matched) : Matched();
  }

  // "0 s1" for each match.
  static std::vector<std::string> Owners(const Matched& matched) {
    std::vector<std::string> owners;
    for (const Owned& owned : matched.owned) owners.push_back(std::to_string(owned.submission) + " " + owned.student);
    return owners;
  }

  const TemporaryFolder folder_;
  std::vector<submission::Submission> submissions_;
};

TEST_F(MatchTest, PlainNamesAreIdsOrAddresses) {
  for (const char* name : {"S1.zip", "charles@example.org", "grace.tar.gz"}) Add(name);
  const Matched matched = Match();
  EXPECT_THAT(Owners(matched), ElementsAre("0 s1", "1 s2", "2 s3"));
  EXPECT_THAT(matched.unmatched, IsEmpty());
  EXPECT_THAT(matched.handed_nothing, IsEmpty());
  EXPECT_EQ(matched.owned[0].time_from, "file time");
  EXPECT_THAT(matched.owned[0].handed_in, testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST_F(MatchTest, OfTwoIdsThatDifferOnlyInCaseTheExactOneIsMeant) {
  roster_.push_back({"S1", "Zed Zorn", "", "A", "", "", ""});
  for (const char* name : {"s1.zip", "S1.tar.gz", "S2.zip"}) Add(name);
  EXPECT_THAT(Owners(Match()), ElementsAre("0 s1", "1 S1", "2 s2"));
}

TEST_F(MatchTest, CanvasNamesAreFoundByNumberOrByName) {
  for (const char* name :
       {"someone_77_900_lab3.zip", "babbagecharles_LATE_12_901_lab3.zip", "hoppergracebrewster_13_902_lab3.zip"}) {
    Add(name);
  }
  const Matched matched = Match();
  EXPECT_THAT(Owners(matched), ElementsAre("0 s1", "1 s2", "2 s3"));
  EXPECT_EQ(matched.owned[0].marked_late, false);
  EXPECT_EQ(matched.owned[1].marked_late, true);
}

TEST_F(MatchTest, ClassroomFoldersAreFoundByTheNameOnGitHub) {
  for (const char* name : {"lab3-ada-l", "lab3-hopper", "lab3-s2"}) Add(name);
  EXPECT_THAT(Owners(Match()), ElementsAre("0 s1", "1 s3", "2 s2"));
}

TEST_F(MatchTest, AnAccountCalledLikeAnotherStudentHandsInForNobody) {
  for (const char* name : {"lab3-s1", "lab3-grace", "lovelaceada_78_900_lab3.zip", "lab3-s2"}) Add(name);
  const Matched matched = Match();
  EXPECT_THAT(Owners(matched), ElementsAre("3 s2")) << "whose account is not known";
  ASSERT_EQ(matched.unmatched.size(), 3u);
  EXPECT_THAT(matched.unmatched[0].why, testing::HasSubstr("meant for s1, but the roster gives this student another"));
}

TEST_F(MatchTest, GradescopesFoldersHaveTheirSubmittersAndTimes) {
  for (const char* name : {"submission_1", "submission_2", "submission_3"}) Add(name);
  folder_.Write("submission_metadata.yml",
                "submission_1:\n  :submitters:\n  - {':sid': s1, ':email': x@example.org}\n"
                "  :created_at: 2026-11-22 10:15:00 Z\n"
                "submission_2:\n  :submitters:\n  - {':sid': '', ':email': charles@example.org}\n  - {':sid': s3}\n"
                "submission_3:\n  :submitters:\n  - {':sid': s9, ':email': nobody@example.org}\n");
  const Matched matched = Match();
  EXPECT_THAT(Owners(matched), ElementsAre("0 s1", "1 s2", "1 s3")) << "a group's submission is each one's";
  EXPECT_EQ(matched.owned[0].handed_in, "2026-11-22T10:15:00Z");
  EXPECT_EQ(matched.owned[0].time_from, "the platform");
  ASSERT_EQ(matched.unmatched.size(), 1u);
  EXPECT_EQ(matched.unmatched[0].why, "the roster has no student s9");
}

TEST_F(MatchTest, ABrokenListOfGradescopesIsAnError) {
  Add("submission_1");
  folder_.Write("submission_metadata.yml", "submission_1: [\n");
  const Result<Matched> matched = roster::Match(submissions_, "lab3", &roster_);
  ASSERT_FALSE(matched.ok());
  EXPECT_THAT(matched.error().message, HasSubstr("submission_metadata.yml:"));
}

TEST_F(MatchTest, WhatNobodyHandedInAndWhoHandedNothingInAreListed) {
  Add("s1");
  Add("stranger");
  const Matched matched = Match();
  EXPECT_THAT(Owners(matched), ElementsAre("0 s1"));
  ASSERT_EQ(matched.unmatched.size(), 1u);
  EXPECT_EQ(matched.unmatched[0].submission, 1u);
  EXPECT_EQ(matched.unmatched[0].why, "the roster has no student stranger");
  EXPECT_THAT(matched.handed_nothing, ElementsAre("s2", "s3"));
}

TEST_F(MatchTest, WhatMayBeTwoStudentsIsNobodys) {
  submission::Submission one;
  one.source = folder_.Write("liwei_12_900_lab3.zip", "x");
  const std::vector<Student> twins = {{"s1", "Wei Li", "", "", "", "", ""}, {"s2", "Li Wei", "", "", "", "", ""}};
  const Result<Matched> matched = roster::Match({one}, "lab3", &twins);
  ASSERT_TRUE(matched.ok());
  EXPECT_THAT(matched->owned, IsEmpty());
  EXPECT_EQ(matched->unmatched.at(0).why, "liwei-12 may be s1 or s2");
}

TEST_F(MatchTest, WithoutARosterTheIdComesFromTheName) {
  for (const char* name : {"s1042.zip", "lovelaceada_77_900_lab3.zip", "lab3-ada-l", "submission_1"}) Add(name);
  folder_.Write("submission_metadata.yml", "submission_1:\n  :submitters:\n  - {':email': ada@example.org}\n");
  submissions_[0].id = "s1042";
  const Matched matched = Match(false);
  EXPECT_THAT(Owners(matched), ElementsAre("0 s1042", "1 lovelaceada-77", "2 ada-l", "3 ada@example.org"));
  EXPECT_THAT(matched.handed_nothing, IsEmpty());
}

TEST_F(MatchTest, ASlashAtTheEndOfAFolderIsNoPartOfItsName) {
  submission::Submission one;
  folder_.Write("s1/lab3/v1.cu", "x");
  one.source = folder_.Path("s1/");
  const Result<Matched> matched = roster::Match({one}, "lab3", &roster_);
  EXPECT_THAT(Owners(*matched), ElementsAre("0 s1"));
}

}  // namespace
}  // namespace warpgrade::roster
