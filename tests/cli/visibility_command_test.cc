// What students may not see yet is in nothing that the program writes for them; staff have it. One rung that does not
// compile, because of a line that has the secret.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/report/formats.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kSecret[] = "SeCrEt";
constexpr char kPast[] = "2020-01-01", kFuture[] = "2999-01-01";

class VisibilityCommandTest : public testing::Test {
 protected:
  VisibilityCommandTest() {
    folder_.Write("class/s1/lab2/v1_naive.cu", std::string("#error ") + kSecret + "\n");
    folder_.Write("roster.csv", "id,extension\ns1,\n");
  }

  // course.yaml with one rung. `rules` stand in line 6.
  std::string Course(const std::string& due, const std::string& published, const std::string& rules) const {
    return folder_.Write("course.yaml", "course: {name: C}\nlabs:\n  lab2:\n    title: Transpose\n    due: " + due +
                                            (published.empty() ? "" : "\n    published: " + published) + "\n    " +
                                            rules +
                                            "\n    rungs: {v1_naive: {title: T, points: {correctness: 9}}, v2_shared: "
                                            "{title: T, points: {correctness: 9}, visibility: visible}}\n");
  }

  ProgramResult Run(std::vector<std::string> command) const {
    command.insert(command.begin(), WARPGRADE_BINARY);
    return RunProgram(command);
  }
  ProgramResult Grade(const std::vector<std::string>& more) const {
    std::vector<std::string> command = {"grade",    folder_.Path("class/s1"),   "--device", "emulator",
                                        "--course", folder_.Path("course.yaml")};
    command.insert(command.end(), more.begin(), more.end());
    return Run(command);
  }
  // Grades the class into marks.db.
  void Batch(const std::string& roster) const {
    const ProgramResult batch = Run({"batch", folder_.Path("class"), "--lab", "lab2", "--device", "emulator",
                                     "--course", folder_.Path("course.yaml"), "--gradebook", folder_.Path("marks.db"),
                                     "--roster", folder_.Write("roster.csv", roster)});
    ASSERT_EQ(batch.exit_code, 0) << batch.err;
  }
  std::string Export(const std::string& format, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"export",   folder_.Path("marks.db"),   "--format", format, "--student", "s1",
                                        "--course", folder_.Path("course.yaml")};
    command.insert(command.end(), more.begin(), more.end());
    const ProgramResult result = Run(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  const TemporaryFolder folder_;
};

TEST_F(VisibilityCommandTest, GradeWritesForStaffAndWithForStudentsWhatTheyMaySee) {
  Course(kFuture, "", "visibility: after_due");
  const ProgramResult staff = Grade({"--json", folder_.Path("all.json")});
  EXPECT_EQ(staff.exit_code, 0) << staff.err;
  EXPECT_THAT(staff.out, HasSubstr(kSecret));
  EXPECT_THAT(staff.out, HasSubstr("students see this rung after the due date, 2999-01-01T23:59:59Z (after_due)"));
  EXPECT_THAT(ReadText(folder_.Path("all.json")), HasSubstr(kSecret));
  const ProgramResult students = Grade({"--json", folder_.Path("some.json"), "--for", "students"});
  EXPECT_EQ(students.exit_code, 0) << students.err;
  EXPECT_THAT(students.out, Not(HasSubstr(kSecret)));
  EXPECT_THAT(students.out, HasSubstr("lab2: v1_naive is shown after the due date, 2999-01-01T23:59:59Z"));
  EXPECT_THAT(ReadText(folder_.Path("some.json")), Not(HasSubstr(kSecret)));
  Course(kPast, "", "visibility: after_due");
  EXPECT_THAT(Grade({"--for", "students"}).out, HasSubstr(kSecret));
}

// In a workflow of GitHub Classroom the student reads the output of the step.
TEST_F(VisibilityCommandTest, TheTableIsForStudentsWhereAFileForOneOfThemIsWritten) {
  Course(kFuture, "", "visibility: hidden");
  EXPECT_THAT(Grade({"--github-classroom", folder_.Path("result.txt")}).out, Not(HasSubstr(kSecret)));
  EXPECT_THAT(Grade({"--github-classroom", folder_.Path("result.txt"), "--for", "staff"}).out, HasSubstr(kSecret));
  EXPECT_THAT(Grade({"--gradescope", folder_.Path("results.json")}).out, HasSubstr(kSecret))
      << "Gradescope shows the output of the autograder to staff only";
  const auto json = nlohmann::json::parse(ReadText(folder_.Path("results.json")));
  EXPECT_EQ(json.at("tests").at(0).at("visibility"), "hidden");
  EXPECT_EQ(json.at("tests").at(1).at("visibility"), "visible");
}

TEST_F(VisibilityCommandTest, CheckIsForTheStudent) {
  const std::string course = Course(kFuture, "", "visibility: after_due");
  const std::vector<std::string> command = {
      "check", "lab2", "v1", "--submission", folder_.Path("class/s1"), "--device", "emulator", "--course", course};
  const ProgramResult check = Run(command);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, Not(HasSubstr(kSecret)));
  EXPECT_THAT(check.out, HasSubstr("v1_naive is shown after the due date"));
  std::vector<std::string> part = command;
  part.insert(part.end(), {"--part", "correctness"});
  const ProgramResult skipped = Run(part);
  EXPECT_EQ(skipped.exit_code, 77) << "as a test that is skipped";
  EXPECT_THAT(skipped.out, Not(HasSubstr(kSecret)));
  Course(kPast, "", "visibility: after_due");
  EXPECT_THAT(Run(command).out, HasSubstr(kSecret));
}

TEST_F(VisibilityCommandTest, EveryExportObeysItAndWhatCourseYamlSaysNowCounts) {
  Course(kFuture, "", "visibility: after_publication");
  Batch("id\ns1\n");
  for (const report::Format& format : report::Formats()) {
    if (format.flag == "--gradescope") continue;
    const std::string name = format.flag.substr(2);
    const auto readable = [&](const std::string& text) {
      return name == "github-classroom" ? std::string() : text;  // base64; tests/report/visibility_test.cc reads it
    };
    if (format.reader == score::Reader::kStudents) {
      EXPECT_THAT(readable(Export(name)), Not(HasSubstr(kSecret))) << name;
    }
    EXPECT_THAT(readable(Export(name, {"--for", "students"})), Not(HasSubstr(kSecret))) << name;
  }
  EXPECT_THAT(Export("json"), HasSubstr(kSecret));
  EXPECT_THAT(Export("csv"), HasSubstr("students do not see v1_naive"));
  EXPECT_THAT(Export("canvas"), HasSubstr("Possible,,,,,18\r\ns1,,s1,,,\r\n"));
  // Publication needs no new grading.
  Course(kFuture, kPast, "visibility: after_publication");
  EXPECT_THAT(Export("junit"), HasSubstr(kSecret));
  EXPECT_THAT(Export("canvas"), HasSubstr("Possible,,,,,18\r\ns1,,s1,,,0\r\n"));
}

TEST_F(VisibilityCommandTest, TheBookShowsStaffEverythingAndSaysWhatIsHidden) {
  const std::string course = Course(kFuture, "", "visibility: hidden");
  Batch("id\ns1\n");
  const ProgramResult show = Run({"book", "show", folder_.Path("marks.db"), "s1", "--course", course});
  EXPECT_THAT(show.out, HasSubstr(kSecret));
  EXPECT_THAT(show.out, HasSubstr("students never see this rung (hidden)"));
  const ProgramResult appeal =
      Run({"book", "appeal", folder_.Path("marks.db"), "s1", "--course", course, "--output", folder_.Path("appeal")});
  ASSERT_EQ(appeal.exit_code, 0) << appeal.err;
  EXPECT_THAT(ReadText(folder_.Path("appeal/result.txt")), HasSubstr(kSecret));
  EXPECT_THAT(ReadText(folder_.Path("appeal/README.txt")),
              HasSubstr("Do not give this folder to the student now. By course.yaml:\n"
                        "  v1_naive: students never see this rung (hidden)\n"));
}

TEST_F(VisibilityCommandTest, AStudentWithAnExtensionWaitsForItsEnd) {
  Course(kPast, "", "visibility: after_due");
  Batch("id,extension\ns1,2999-01-01\n");
  EXPECT_THAT(Export("junit"), Not(HasSubstr(kSecret)));
  EXPECT_THAT(Export("junit"), HasSubstr("2999-01-01T23:59:59Z"));
  Batch("id,extension\ns1,\n");
  EXPECT_THAT(Export("junit"), HasSubstr(kSecret));
}

TEST_F(VisibilityCommandTest, WhatACaseShowsIsLeftOutAndTheRungStays) {
  // The matrix as it was: wrong in the public cases and in the hidden ones.
  std::string wrong = ReadText(SourcePath("solutions/lab2/v1_naive.cu"));
  const std::string right = "d_out[column * rows + row]";
  ASSERT_NE(wrong.find(right), std::string::npos);
  wrong.replace(wrong.find(right), right.size(), "d_out[row * columns + column]");
  folder_.Write("class/s1/lab2/v1_naive.cu", wrong);
  Course(kFuture, "", "case_visibility: {public_cases: hidden, hidden_cases: hidden}");
  const ProgramResult students = Grade({"--json", folder_.Path("some.json"), "--for", "students", "--rung", "v1"});
  EXPECT_EQ(students.exit_code, 0) << students.err;
  EXPECT_THAT(students.out, HasSubstr(" are not shown"));
  const auto rung = nlohmann::json::parse(ReadText(folder_.Path("some.json")))
                        .at("submissions")
                        .at(0)
                        .at("labs")
                        .at(0)
                        .at("rungs")
                        .at(0);
  EXPECT_EQ(rung.at("status"), "failed");
  EXPECT_EQ(rung.at("findings").size(), 0u);
  EXPECT_EQ(rung.at("correctness").at("failures").size(), 0u);
  Course(kFuture, "", "case_visibility: {hidden_cases: hidden}");
  ASSERT_EQ(Grade({"--json", folder_.Path("some.json"), "--for", "students", "--rung", "v1"}).exit_code, 0);
  const auto seen = nlohmann::json::parse(ReadText(folder_.Path("some.json")))
                        .at("submissions")
                        .at(0)
                        .at("labs")
                        .at(0)
                        .at("rungs")
                        .at(0);
  EXPECT_GT(seen.at("findings").size() + seen.at("correctness").at("failures").size(), 0u) << "of the public cases";
  for (const auto& failure : seen.at("correctness").at("failures")) EXPECT_TRUE(failure.at("case_number").is_number());
}

TEST_F(VisibilityCommandTest, MistakesHaveTheirPlace) {
  const std::string course = Course(kFuture, "", "visibility: after_du");
  const ProgramResult word = Grade({});
  EXPECT_EQ(word.exit_code, 2);
  EXPECT_THAT(word.err, HasSubstr(course + ":6:17: lab2.visibility is 'after_du'; did you mean 'after_due'? the words "
                                           "are visible, after_due, after_publication and hidden"));
  Course(kFuture, "", "case_visibility: {'33 x 34, flot': hidden}");
  const ProgramResult name = Grade({});
  EXPECT_EQ(name.exit_code, 2);
  EXPECT_THAT(name.err, HasSubstr(course + ":6:23: there is no public case '33 x 34, flot'"));
  const ProgramResult reader = Grade({"--for", "everyone"});
  EXPECT_EQ(reader.exit_code, 2);
  EXPECT_THAT(reader.err, HasSubstr("write one of staff, students"));
}

}  // namespace
}  // namespace warpgrade
