// `warpgrade what-if` with the built kit: its marks are those of a full regrade. With WARPGRADE_TEST_REGRADE=1 in the
// environment, a class is graded and regraded for that, which takes half a minute; tests/gradebook/rescore_test.cc
// compares the same with results that are made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "grader/gradebook/gradebook.h"
#include "tests/course/graded.h"
#include "tests/report/sample_report.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

class WhatIfCommandTest : public testing::Test {
 protected:
  // s3 does not compile.
  void GradeAClass() const {
    folder_.Write("class/s3/lab2/v1_naive.cu", "int x = ;\n");
    folder_.Write("course.yaml", Course("{correctness: 9, technique: 1}", "max: 36"));
    const ProgramResult batch =
        Run({"batch", folder_.Path("class"), "--lab", "lab2", "--gradebook", folder_.Path("marks.db"), "--course",
             folder_.Path("course.yaml"), "--device", "emulator"});
    ASSERT_EQ(batch.exit_code, 0) << batch.err;
  }

  static std::string Course(const std::string& points, const std::string& bound, const std::string& limits = "") {
    return "course: {name: C, term: 2027}\n" + limits + "labs:\n  lab2:\n    title: T\n    rungs:\n      v1_naive:\n" +
           "        title: T\n        points: " + points + "\n        technique: [{metric: global_bytes_per_element, " +
           bound + "}]\n";
  }
  static ProgramResult Run(std::vector<std::string> command) {
    command.insert(command.begin(), WARPGRADE_BINARY);
    return RunProgram(command);
  }
  ProgramResult WhatIf(const std::string& course, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"what-if", folder_.Write("new.yaml", course), "--gradebook",
                                        folder_.Path("marks.db")};
    command.insert(command.end(), more.begin(), more.end());
    return Run(command);
  }
  std::map<std::string, double> Marks() const {
    std::map<std::string, double> marks;
    const ProgramResult result = Run({"export", folder_.Path("marks.db"), "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto report = nlohmann::json::parse(result.out);
    for (const auto& one : report["submissions"]) marks[one["id"]] = one["points"];
    return marks;
  }

  const TemporaryFolder folder_;
};

TEST_F(WhatIfCommandTest, SaysWhoseMarksChangeAsAFullRegradeDoes) {
  if (std::getenv("WARPGRADE_TEST_REGRADE") == nullptr) {
    GTEST_SKIP() << "set WARPGRADE_TEST_REGRADE=1";
  }
  folder_.Write("class/s1/lab2/v1_naive.cu", ReadText(SourcePath("solutions/lab2/v1_naive.cu")));
  folder_.Write("class/s2/lab2/v1_naive.cu", MutantText("lab2", "v1_naive__both_scattered"));
  GradeAClass();
  const std::string course = Course("{correctness: 8, technique: 4}", "max: 1000");
  const ProgramResult text = WhatIf(course);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("10/10 -> 12/12         +2   v1_naive 10 -> 12\n"));
  EXPECT_THAT(text.out, HasSubstr("2 of 3 students change: 2 marks higher, 0 lower, of 3 marks\n"));
  std::map<std::string, double> marks = Marks();
  EXPECT_EQ(marks, (std::map<std::string, double>{{"s1", 10}, {"s2", 9}, {"s3", 0}}));
  const auto predicted = nlohmann::json::parse(WhatIf(course, {"--json"}).out);
  EXPECT_TRUE(predicted["not_known"].empty());
  for (const auto& change : predicted["changes"]) {
    EXPECT_EQ(marks.at(change["student"]), change["now"]);
    marks[change["student"]] = change["then"];
  }
  const ProgramResult regrade = Run({"book", "regrade", folder_.Path("marks.db"), "--all", "--device", "emulator",
                                     "--course", folder_.Path("new.yaml")});
  ASSERT_EQ(regrade.exit_code, 0) << regrade.err;
  EXPECT_EQ(Marks(), marks);
}

TEST_F(WhatIfCommandTest, NamesAttemptsThatMustRunAgainAndMistakes) {
  GradeAClass();
  const ProgramResult limits =
      WhatIf(Course("{correctness: 9, technique: 1}", "max: 36", "limits: {run: {instructions: 1000}}\n"));
  EXPECT_THAT(limits.out, HasSubstr("0 of 1 student change"));
  EXPECT_THAT(limits.out, HasSubstr("s3 lab2 attempt 1: v1_naive: `limits` have changed\n"));
  EXPECT_THAT(limits.out, HasSubstr("`warpgrade book regrade " + folder_.Path("marks.db") + " --changed --course "));
  const ProgramResult wrong = WhatIf(Course("{correctness: 9, technique: 2}", "maxi: 36"));
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("new.yaml:9:56: unknown key 'maxi'"));
  EXPECT_EQ(WhatIf(Course("{correctness: 9, technique: 1}", "max: 36"), {"--lab", "lab77"}).exit_code, 2);
}

// A class of 200, whose results are made and not measured. How long it takes is in BENCHMARKS.md.
TEST(WhatIfOfAClassTest, ScoresEachSubmissionAnewWithoutRunningIt) {
  const TemporaryFolder folder;
  const auto run = [](std::vector<std::string> command) {
    command.insert(command.begin(), WARPGRADE_BINARY);
    return RunProgram(command);
  };
  const auto course = [](const std::string& bound) {
    std::string text = "course: {name: C, term: 2027}\nlabs:\n  lab2:\n    title: T\n    rungs:\n";
    for (const char* rung : {"v1_naive", "v2_shared", "v3_padded", "v4_unrolled", "v5_open"}) {
      text += std::string("      ") + rung +
              ": {title: T, points: {correctness: 8, technique: 4}, technique: [{metric: "
              "global_load_sectors_per_request, " +
              bound + "}]}\n";
    }
    return text;
  };
  const std::string old_course = folder.Write("course.yaml", course("max: 4.5"));
  const std::string new_course = folder.Write("new.yaml", course("max: 32"));
  // One attempt without files: then the gradebook knows the rules.
  folder.Write("class/s0/lab2/notes.txt", "");
  const std::string path = folder.Path("marks.db");
  ASSERT_EQ(run({"batch", folder.Path("class"), "--lab", "lab2", "--gradebook", path, "--course", old_course,
                 "--device", "emulator"})
                .exit_code,
            0);
  auto book = gradebook::Gradebook::Open(path, gradebook::Access::kWrite, "0.1.0");
  ASSERT_TRUE(book.ok());
  const gradebook::Conditions conditions = book->Attempts("", "")->at(0).grading->conditions;
  std::vector<gradebook::HandIn> hand_ins(200);
  for (size_t i = 0; i < hand_ins.size(); ++i) {
    hand_ins[i].student = "t" + std::to_string(i);
    hand_ins[i].lab = "lab2";
    hand_ins[i].files["lab2/v1_naive.cu"] = "// " + std::to_string(i);
    hand_ins[i].handed_in = "2026-11-22T10:15:00Z";
  }
  const auto plan = book->Plan(hand_ins, conditions, false, "batch");
  ASSERT_TRUE(plan.ok());
  for (size_t i = 0; i < hand_ins.size(); ++i) {
    const score::GradingReport report =
        report::EmulatorReport({report::Submission(hand_ins[i].student, {report::EmulatorLab()})});
    ASSERT_TRUE(book->AddGrading(plan->at(i), conditions, report, "batch", "").ok());
  }
  const ProgramResult result = run({"what-if", new_course, "--gradebook", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // v2 misses the limit of then and meets that of now.
  EXPECT_THAT(result.out, HasSubstr("200 of 201 students change: 200 marks higher, 0 lower, of 201 marks\n"))
      << result.out.substr(0, 1000);
  EXPECT_THAT(result.out, Not(HasSubstr("must be graded again")));
}

}  // namespace
}  // namespace warpgrade
