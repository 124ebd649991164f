// What students get of course.yaml: the same rules without comments, and without what only the staff may see.
#include "grader/config/students_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warpgrade::config {
namespace {

using testing::HasSubstr;
using testing::Not;

YamlNode Parsed(const std::string& text) {
  Problems problems("file");
  const auto tree = ParseYaml(text, &problems);
  EXPECT_TRUE(tree) << text << "\n" << (problems.empty() ? "" : problems.ToError(ErrorKind::kUsage).message);
  return tree.value_or(YamlNode());
}

// Whether two trees say the same. A number in quotes is text, so quotes count where there are no blanks.
bool SameTrees(const YamlNode& a, const YamlNode& b) {
  if (a.quoted != b.quoted && a.text.find_first_of(" \n\t") == std::string::npos) return false;
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size()) {
    return false;
  }
  for (size_t i = 0; i < a.items.size(); ++i) {
    if (!SameTrees(a.items[i], b.items[i])) return false;
  }
  for (size_t i = 0; i < a.entries.size(); ++i) {
    if (!SameTrees(a.entries[i].key, b.entries[i].key) || !SameTrees(a.entries[i].value, b.entries[i].value)) {
      return false;
    }
  }
  return true;
}

std::string FileWith(const std::string& text) {
  const std::string path = testing::TempDir() + "/students_text_" + std::to_string(getpid()) + ".yaml";
  std::ofstream(path) << text;
  return path;
}

TEST(StudentsTextTest, TextThatIsWrittenIsReadAsTheSameTree) {
  for (const std::string text :
       {"a: {b: [1, -2, 1e9, 5min, 2%, 1:2, a#b], c: \"8\", d: 'it''s', e: ~}\n",
        "text: >-\n  two lines: with {braces}\n  # here\n", "list:\n  - {metric: m, max: 0}\n  - [a, b]\n  - - 1\n",
        "empty: {}\nnone: []\nq: \"- a\"\nr: \"a\\tb\\\\c\\n\"\n", "\"33 x 33, int\": visible\n"}) {
    const YamlNode tree = Parsed(text);
    EXPECT_TRUE(SameTrees(tree, Parsed(YamlText(tree)))) << YamlText(tree);
  }
}

TEST(StudentsTextTest, TheFilesOfTheCourseStayWhatTheyAre) {
  const std::string source = WARPGRADE_SOURCE_DIR;
  Problems problems("file");
  const auto course = ReadYamlFile(source + "/course.yaml", &problems);
  ASSERT_TRUE(course);
  const auto text = CourseForStudents(source + "/course.yaml");
  ASSERT_TRUE(text);
  EXPECT_TRUE(SameTrees(*course, Parsed(*text))) << "course.yaml has nothing that students must not see";
  for (const auto& entry : std::filesystem::directory_iterator(source + "/labs")) {
    const std::string path = entry.path().string() + "/quiz.yaml";
    if (!std::filesystem::exists(path)) continue;
    const auto quiz = QuizForStudents(path);
    ASSERT_TRUE(quiz) << path;
    EXPECT_TRUE(SameTrees(*ReadYamlFile(path, &problems), Parsed(*quiz))) << path;
  }
}

TEST(StudentsTextTest, CommentsAndTheClusterAreLeftOut) {
  const auto text =
      CourseForStudents(FileWith("# a secret remark\ncourse: {name: C, term: T}\nslurm: {account: staff17}\n"
                                 "labs:\n  lab1:  # another\n    case_visibility: {\"33 x 33, int\": hidden}\n"));
  ASSERT_TRUE(text);
  for (const char* secret : {"secret", "another", "slurm", "staff17"}) EXPECT_THAT(*text, Not(HasSubstr(secret)));
  EXPECT_THAT(*text, HasSubstr("labs: {lab1: {case_visibility: {\"33 x 33, int\": hidden}}}"));
}

TEST(StudentsTextTest, AFileThatIsNoYamlIsAMistakeWithItsPlace) {
  const auto text = CourseForStudents(FileWith("course: {name: [}\n"));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(text.error().message, HasSubstr("yaml:1:"));
}

TEST(StudentsTextTest, ALabOutsideOfTheKitComesFromLabs) {
  const std::string course = FileWith("course: {name: C}\nlabs: {mine: {from: /home/staff17/mine, due: 2026-11-22}}\n");
  for (const auto& text : {CourseForStudents(course), CourseWithItsLabs(course)}) {
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("{mine: {from: labs/mine, due: 2026-11-22}}"));
    EXPECT_THAT(*text, Not(HasSubstr("staff17")));
  }
  EXPECT_THAT(*CourseForACopy(course), HasSubstr("{from: /home/staff17/mine, due: 2026-11-22}"));
  const std::string relative = FileWith("course: {name: C}\nlabs: {mine: {from: my/lab}}\n");
  const std::string folder = std::filesystem::path(relative).parent_path().string();
  EXPECT_THAT(*CourseForACopy(relative), HasSubstr("{from: " + folder + "/my/lab}"));
  const std::string without = "course: {name: C}  # a comment\nlabs: {lab1: {title: A}}\n";
  EXPECT_EQ(*CourseWithItsLabs(FileWith(without)), without);
  EXPECT_EQ(*CourseForACopy(FileWith(without)), without);
}

TEST(StudentsTextTest, AScalarIsInQuotesOnlyWhereItMustBe) {
  EXPECT_EQ(YamlScalar("/a/b c"), "/a/b c");
  EXPECT_EQ(YamlScalar("/a: b"), "\"/a: b\"");
  EXPECT_EQ(YamlScalar("a, b"), "\"a, b\"");
}

}  // namespace
}  // namespace warpgrade::config
