// What a new lab, rung and question change in the text of a lab. tests/cli/author_test.cc grades what comes out.
#include "grader/desk/new_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"

namespace warpgrade::desk {
namespace {

using testing::HasSubstr;

std::string Added(const std::string& text, const std::string& key, const std::string& entry) {
  const auto added = WithEntry(text, key, entry, "f.yaml");
  return added ? *added : added.error().message;
}

TEST(WithEntryTest, AnEntryStandsAtTheEndOfItsBlockAndAllElseStays) {
  EXPECT_EQ(Added("a: 1\nrungs:\n  x: 1  # one\n\n  y: 2\n\n# about b\nb: 3\n", "rungs", "  z: 3\n"),
            "a: 1\nrungs:\n  x: 1  # one\n\n  y: 2\n  z: 3\n\n# about b\nb: 3\n");
  EXPECT_EQ(Added("rungs:  # all\n  x: 1", "rungs", "  z: 3\n"), "rungs:  # all\n  x: 1\n  z: 3\n");
  EXPECT_EQ(Added("rungs:\n", "rungs", "  z: 3\n"), "rungs:\n  z: 3\n");
  EXPECT_EQ(Added("rungs:", "rungs", "  z: 3\n"), "rungs:\n  z: 3\n");
}

TEST(WithEntryTest, AKeyThatIsNotThereComesLast) {
  EXPECT_EQ(Added("a: 1", "rungs", "  z: 3\n"), "a: 1\n\nrungs:\n  z: 3\n");
  EXPECT_EQ(Added("  rungs: 1\n", "rungs", "  z: 3\n"), "  rungs: 1\n\nrungs:\n  z: 3\n");
}

TEST(WithEntryTest, ABlockInOneLineIsAnErrorWithItsPlace) {
  EXPECT_THAT(Added("a: 1\nrungs: {x: 1}\n", "rungs", "  z: 3\n"),
              HasSubstr("f.yaml:2:1: 'rungs' is written in one line, so that nothing can be added"));
}

// A lab on disk, as NewLab made it, with lab.yaml changed.
struct WrittenLab {
  explicit WrittenLab(const std::string& old = "", const std::string& instead = "") {
    const auto files = NewLab("mine");
    for (const auto& [name, text] : *files) folder.Write("mine/" + name, text);
    std::string lab_yaml = files->at("lab.yaml");
    if (!old.empty()) lab_yaml.replace(lab_yaml.find(old), old.size(), instead);
    folder.Write("mine/lab.yaml", lab_yaml);
    const std::string course_yaml = folder.Path("mine/course.yaml");
    const auto course = config::LoadCourse(course_yaml, {"global_bytes_per_element"});
    EXPECT_TRUE(course) << course.error().message;
    if (course) lab = course->labs.at(0);
    const auto read = described::ReadDescription(folder.Path("mine"));
    EXPECT_TRUE(read) << read.error().message;
    if (read) description = *read;
  }
  TemporaryFolder folder;
  config::Lab lab;
  described::Description description;
};

TEST(NewFilesTest, ANewLabIsReadWithoutAMistakeAndSaysWhereTheAuthorGoesOn) {
  const WrittenLab written;
  EXPECT_EQ(written.lab.Total().ToString(), "20");
  EXPECT_TRUE(written.description.has_hidden);
  for (const char* name : {"lab.yaml", "reference.cc", "README.md", "quiz.yaml", "solutions/mine/v1_each.cu"}) {
    EXPECT_THAT(ReadText(written.folder.Path(std::string("mine/") + name)), HasSubstr("TODO")) << name;
  }
}

TEST(NewFilesTest, ANewRungAddsItsFilesAndKeepsTheCommentsAndTheOrderOfLabYaml) {
  const WrittenLab written;
  const auto files = NewRung({written.description, written.lab}, "v2_next");
  ASSERT_TRUE(files) << files.error().message;
  const std::string before = ReadText(written.folder.Path("mine/lab.yaml")), after = files->at("lab.yaml");
  EXPECT_THAT(after, HasSubstr("points: 30             # the sum of all rungs and the quiz"));
  EXPECT_THAT(after, HasSubstr("  v2_next:\n    title: TODO\n    points: {correctness: 10}\n\nquiz: {points: 6}\n"));
  EXPECT_EQ(after.size(),
            before.size() + std::string("  v2_next:\n    title: TODO\n    points: {correctness: 10}\n").size());
  EXPECT_THAT(files->at("solutions/mine/v2_next.cu"), HasSubstr("TODO(v2)"));
  EXPECT_THAT(files->at("mutants/v2_next__writes_nothing.cu"), HasSubstr("size_t n, float a, cudaStream_t stream) {}"));
  EXPECT_THAT(files->at("mutants/mutants.yaml"), HasSubstr("{name: v2_next__writes_nothing, lost: correctness"));
  EXPECT_THAT(files->at("README.md"), HasSubstr("| `v2_next` | TODO | 10 | 0 | 0 |"));
}

TEST(NewFilesTest, PointsOfMoreDigitsAreReplacedAsAWhole) {
  const WrittenLab written("points: 20 ", "points: 20.00 ");
  const auto files = NewRung({written.description, written.lab}, "v2_next");
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(files->at("lab.yaml"), HasSubstr("points: 30  "));
}

TEST(NewFilesTest, WhatIsThereAlreadyAndWhatIsNoNameIsRefused) {
  const WrittenLab written;
  EXPECT_THAT(NewRung({written.description, written.lab}, "v1_each").error().message,
              HasSubstr("it has a rung 'v1_each' already"));
  written.folder.Write("mine/mutants/v2_next__writes_nothing.cu", "");
  EXPECT_THAT(NewRung({written.description, written.lab}, "v2_next").error().message,
              HasSubstr("writes_nothing.cu: it is there already"));
  for (const char* name : {"", "2x", "a b", "a__b", "../x", "_x"})
    EXPECT_FALSE(NewRung({written.description, written.lab}, name)) << name;
  EXPECT_FALSE(NewLab("a/b"));
  EXPECT_THAT(NewQuestion(written.folder.Path("mine"), "idle").error().message,
              HasSubstr("it has a question 'idle' already"));
}

TEST(NewFilesTest, ANewQuestionIsTheLastOneOfTheQuiz) {
  const WrittenLab written;
  const auto files = NewQuestion(written.folder.Path("mine"), "traffic");
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(files->at("quiz.yaml"), testing::StartsWith(ReadText(written.folder.Path("mine/quiz.yaml"))));
  EXPECT_THAT(files->at("quiz.yaml"), HasSubstr("\n  traffic:\n    text: >-\n      TODO"));
}

TEST(NewFilesTest, TheTableOfPointsIsReplacedBetweenItsMarksOnly) {
  const WrittenLab written;
  const std::string readme = "before\n<!-- table: points -->\nold\n<!-- end of table -->\nafter\n";
  const std::string fresh = WithPointsTable(readme, written.lab);
  EXPECT_THAT(fresh, testing::StartsWith("before\n<!-- table: points -->\n\n| rung |"));
  EXPECT_THAT(fresh, testing::EndsWith("|\n\n<!-- end of table -->\nafter\n"));
  EXPECT_EQ(WithPointsTable(fresh, written.lab), fresh);
  EXPECT_EQ(WithPointsTable("no marks\n", written.lab), "no marks\n");
}

}  // namespace
}  // namespace warpgrade::desk
