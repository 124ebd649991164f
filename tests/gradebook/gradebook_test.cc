// The file itself, students and overrides.
#include "grader/gradebook/gradebook.h"

#include <filesystem>
#include <thread>

#include "tests/gradebook/book_of_test.h"

namespace warpgrade::gradebook {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

using GradebookTest = BookTest;

TEST_F(GradebookTest, TheLastCourseIsRemembered) {
  EXPECT_EQ(*Open().CourseYaml(), "");
  ASSERT_TRUE(Open().PutCourseYaml("/a/course.yaml").ok());
  ASSERT_TRUE(Open().PutCourseYaml("/b/course.yaml").ok());
  EXPECT_EQ(*Open(Access::kRead).CourseYaml(), "/b/course.yaml");
  EXPECT_EQ(*Open().Seed(), *Open().Seed()) << "the other setting is still there";
}

TEST_F(GradebookTest, AnOverrideKeepsWhetherItsPointsAreAdded) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "one"));
  const config::Points points = config::Points::FromHundredths(-250);
  ASSERT_TRUE(book.AddOverride({"s1", "lab1", "", points, "why", "Eve", "t", true}).ok());
  ASSERT_TRUE(book.AddOverride({"s1", "lab1", "", points, "why", "Eve", "t"}).ok());
  const std::vector<Override> overrides = *book.Overrides("s1");
  EXPECT_TRUE(overrides.at(0).is_change);
  EXPECT_EQ(overrides.at(0).points, points);
  EXPECT_FALSE(overrides.at(1).is_change);
}

TEST_F(GradebookTest, AttemptsAreCountedByStudentAndLab) {
  Gradebook book = Open();
  Grade(&book, AHandIn("s1", "one", 1));
  Grade(&book, AHandIn("s1", "two", 2));
  PlanOf(&book, {AHandIn("s2", "one", 1, "lab2")});
  const std::map<std::string, std::map<std::string, int>> expected = {{"s1", {{"lab1", 2}}}, {"s2", {{"lab2", 1}}}};
  EXPECT_EQ(*book.AttemptCounts(), expected);
}

TEST_F(GradebookTest, AFileThatIsNotThereIsAnErrorExceptToABatch) {
  for (const Access access : {Access::kRead, Access::kWrite}) {
    const Result<Gradebook> book = Gradebook::Open(Path(), access, "0.1.0");
    ASSERT_FALSE(book.ok());
    EXPECT_THAT(book.error().message, HasSubstr("marks.db: there is no such file"));
    EXPECT_EQ(book.error().kind, ErrorKind::kUsage);
    EXPECT_FALSE(std::filesystem::exists(Path()));
  }
  const Result<Gradebook> nowhere = Gradebook::Open(folder_.Path("no/such/marks.db"), Access::kCreate, "0.1.0");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_THAT(nowhere.error().message, HasSubstr("marks.db: the folder of this file does not exist"));
}

TEST_F(GradebookTest, TheSeedIsDrawnOnceAndDiffersBetweenGradebooks) {
  const uint64_t seed = *Open().Seed();
  EXPECT_EQ(*Open().Seed(), seed);
  const Result<Gradebook> other = Gradebook::Open(folder_.Path("other.db"), Access::kCreate, "0.1.0");
  EXPECT_NE(*const_cast<Gradebook&>(*other).Seed(), seed);
}

TEST_F(GradebookTest, TheLastRosterSaysWhoIsEnrolledAndNobodyIsForgotten) {
  Gradebook book = Open();
  ASSERT_TRUE(book.PutRoster({{"s1", "Ada", "ada@example.org", "A", "2"}, {"s2", "Bob", "", "", ""}}).ok());
  ASSERT_TRUE(book.PutRoster({{"s1", "Ada L.", "ada@example.org", "B", ""}}).ok());
  const std::vector<Student> students = *book.Students();
  ASSERT_EQ(students.size(), 2u);
  EXPECT_EQ(students[0].name, "Ada L.");
  EXPECT_EQ(students[0].section, "B");
  EXPECT_TRUE(students[0].enrolled);
  EXPECT_EQ(students[1].name, "Bob");
  EXPECT_FALSE(students[1].enrolled);
}

TEST_F(GradebookTest, OverridesStayInTheirOrder) {
  Gradebook book = Open();
  ASSERT_TRUE(book.PutRoster({{"s1", "", "", "", ""}, {"s2", "", "", "", ""}}).ok());
  ASSERT_TRUE(book.AddOverride({"s1", "lab1", "v1", config::Points::FromHundredths(750), "why", "Eve", "t1"}).ok());
  ASSERT_TRUE(book.AddOverride({"s2", "lab1", "", config::Points::FromHundredths(100), "why", "Eve", "t2"}).ok());
  ASSERT_TRUE(book.AddOverride({"s1", "lab1", "v1", std::nullopt, "wrong student", "Eve", ""}).ok());
  EXPECT_THAT(*book.Overrides("s1"),
              ElementsAre(Field(&Override::reason, "why"), Field(&Override::reason, "wrong student")));
  EXPECT_EQ(book.Overrides("s1")->at(0).points, config::Points::FromHundredths(750));
  EXPECT_EQ(book.Overrides("s1")->at(1).points, std::nullopt);
  EXPECT_THAT(book.Overrides("s1")->at(1).made_at, testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(book.Overrides("")->size(), 3u);
}

TEST_F(GradebookTest, ManyMayMakeTheFileAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const std::string path = folder_.Path("round" + std::to_string(round) + ".db");
    std::vector<std::string> errors(6);
    {
      std::vector<std::jthread> threads;
      for (std::string& error : errors) {
        threads.emplace_back([&error, &path] {
          const Result<Gradebook> book = Gradebook::Open(path, Access::kCreate, "0.1.0");
          if (!book.ok()) error = book.error().message;
        });
      }
    }
    EXPECT_THAT(errors, testing::Each("")) << "round " << round;
  }
}

TEST_F(GradebookTest, TwoWritersAtOnceLoseNothing) {
  constexpr int kEach = 25;
  Open();
  const auto write = [this](const std::string& who) {
    Gradebook book = Open();
    for (int i = 0; i < kEach; ++i) Grade(&book, AHandIn(who + std::to_string(i), "text"));
  };
  { const std::jthread one(write, "a"), other(write, "b"); }
  Gradebook book = Open(Access::kRead);
  const std::vector<Attempt> attempts = *book.Attempts("", "");
  EXPECT_EQ(attempts.size(), 2u * kEach);
  for (const Attempt& attempt : attempts) EXPECT_TRUE(attempt.grading.has_value()) << attempt.student;
}

}  // namespace
}  // namespace warpgrade::gradebook
