// run_autograder in a folder that stands for /autograder, with good, wrong, empty and hostile submissions, in both
// sandboxes, and where the kit itself fails. debian_root_test.sh does the same at the real paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/autograder/unpacked.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kMetadata = R"({"id": 1, "created_at": "2026-11-22T10:15:00.123456-08:00",
  "assignment": {"title": "Histogram", "total_points": "120.0", "due_date": "2026-11-23T00:00:00-08:00"},
  "users": [{"email": "Ada@Example.org", "id": 7, "name": "Ada \ud83d\ude00 Lovelace"}],
  "previous_submissions": [{"score": 1.0, "results": {"output": "x"}}]})";

class RunAutograderTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "skipped: an autograder is root in its container, and this test is not";
    autograder_.emplace("lab7");
    ASSERT_EQ(autograder_->setup().exit_code, 0) << autograder_->setup().out;
    autograder_->Write("submission_metadata.json", kMetadata);
  }
  // In the sandbox of this test's parameter.
  json Run() { return autograder_->Run(GetParam() ? std::vector<std::string>() : WithoutNamespaces()); }

  static const json& TestOf(const json& results, const std::string& name) {
    for (const json& test : results.at("tests")) {
      if (test.at("name") == name) return test;
    }
    throw std::runtime_error("there is no test " + name + " in " + results.dump(2));
  }

  std::optional<UnpackedAutograder> autograder_;
};

INSTANTIATE_TEST_SUITE_P(Sandboxes, RunAutograderTest, testing::Bool(),
                         [](const auto& with) { return with.param ? "Bubblewrap" : "NoNamespaces"; });

TEST_P(RunAutograderTest, GoodAndWrongRungsGetTheirPointsAndMessages) {
  autograder_->Write("submission/lab7/v1_global.cu", ReadText(SourcePath("solutions/lab7/v1_global.cu")));
  autograder_->Write("submission/lab7/v2_shared.cu", MutantText("lab7", "v2_shared__no_barrier_after_counting"));
  autograder_->Write("submission/lab7/v3_warp.cu", "int x = ;\n");
  const json results = Run();
  const std::string said = autograder_->last().out + autograder_->last().err;
  EXPECT_EQ(autograder_->last().exit_code, 0);
  ASSERT_TRUE(results.contains("score")) << results.dump(2) << said;
  EXPECT_EQ(TestOf(results, "lab7.v1_global").at("status"), "passed") << results.dump(2);
  EXPECT_EQ(results.at("score"), TestOf(results, "lab7.v1_global").at("score"));
  EXPECT_EQ(TestOf(results, "lab7.v2_shared").at("score"), 0);
  EXPECT_THAT(TestOf(results, "lab7.v2_shared").at("output"), HasSubstr("v2_shared.cu:"));
  EXPECT_THAT(TestOf(results, "lab7.v3_warp").at("output"), HasSubstr("v3_warp.cu(1): error"));
  EXPECT_THAT(results.at("output"), HasSubstr("Ada")) << "the id is the part of the e-mail address before the @";
  EXPECT_THAT(said, HasSubstr("The assignment has 120 points on Gradescope, and lab7 has 110 points in course.yaml."));
  EXPECT_EQ(said.find("This machine allows no namespaces") == std::string::npos, GetParam()) << said;
}

TEST_P(RunAutograderTest, AnEmptySubmissionHasZeroPoints) {
  fs::create_directories(autograder_->Path("submission"));
  const json results = Run();
  EXPECT_EQ(results.value("score", -1), 0) << results.dump(2) << autograder_->last().err;
}

// What the folders are called does not make several students of one.
TEST_P(RunAutograderTest, FoldersInTheSubmissionAreNotStudents) {
  const std::string solution = ReadText(SourcePath("solutions/lab7/v1_global.cu"));
  autograder_->Write("submission/mine/lab7/v1_global.cu", solution);
  autograder_->Write("submission/notes/readme.txt", "hello");
  const json results = Run();
  ASSERT_TRUE(results.contains("score")) << results.dump(2) << autograder_->last().err;
  EXPECT_GT(results.at("score"), 0);
}

// It prints what it can read, writes where points are, and asks for the network. Only its rung loses.
TEST_P(RunAutograderTest, AHostileProgramReadsNoSecretsAndWritesNoPoints) {
  const std::string root = autograder_->Path(".");
  const std::string solution = ReadText(SourcePath("solutions/lab7/v1_global.cu"));
  std::string attack = R"cpp(
#include <cstdio>
#include <string>
    namespace {
    // A system call that leaves no symbol behind.
    long Raw(long number, long a, long b, long c) {
      long result;
      asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
      return result;
    }
    bool Opens(const std::string& path, long how) { return Raw(2, reinterpret_cast<long>(path.c_str()), how, 0) >= 0; }
    struct Attack {
      Attack() {
        const std::string root = "@";
        for (const char* file :
             {"/source/kit/share/warpgrade/course.yaml", "/source/kit/share/warpgrade/labs/lab7/quiz.yaml",
              "/source/kit/bin/warpgrade", "/submission_metadata.json", "/results/results.json"}) {
          if (Opens(root + file, 0)) std::printf("CAN READ %s\n", file);
        }
        for (const char* file :
             {"/results/results.json", "/run_autograder", "/source/kit/lib/warpgrade/liblab7_adapter.a"}) {
          if (Opens(root + file, 1)) std::printf("CAN WRITE %s\n", file);
        }
        if (Raw(41, 2, 1, 0) >= 0) std::printf("CAN MAKE A SOCKET\n");
        std::printf("ATTACK IS DONE\n");
        std::fflush(stdout);
        __builtin_trap();
      }
    } attack;
    }  // namespace
  )cpp";
  attack.replace(attack.find('@'), 1, root);
  autograder_->Write("submission/lab7/v1_global.cu", solution + attack);
  autograder_->Write("submission/lab7/v4_open.cu", ReadText(SourcePath("solutions/lab7/v4_open.cu")));
  const json results = Run();
  ASSERT_TRUE(results.contains("score")) << results.dump(2) << autograder_->last().err;
  const json& attacked = TestOf(results, "lab7.v1_global");
  EXPECT_EQ(attacked.at("score"), 0);
  EXPECT_THAT(attacked.at("output").get<std::string>(), AllOf(HasSubstr("ATTACK IS DONE"), Not(HasSubstr("CAN "))));
  EXPECT_EQ(TestOf(results, "lab7.v4_open").at("status"), "passed");
}

TEST_P(RunAutograderTest, AProgramThatUsesUpTheMemoryOrNeverEndsCostsOnlyItsRung) {
  autograder_->Write("submission/lab7/v1_global.cu", ReadText(SourcePath("solutions/lab7/v1_global.cu")));
  autograder_->Write("submission/lab7/v2_shared.cu", ReadText(SourcePath("solutions/lab7/v2_shared.cu")) + R"cpp(
#include <vector>
    static std::vector<std::vector<char>> hog = [] {
      std::vector<std::vector<char>> all;
      while (true) all.emplace_back(8 << 20, 'x');
      return all;
    }();
  )cpp");
  const json results = Run();
  ASSERT_TRUE(results.contains("score")) << results.dump(2) << autograder_->last().err;
  EXPECT_EQ(TestOf(results, "lab7.v1_global").at("status"), "passed");
  EXPECT_EQ(TestOf(results, "lab7.v2_shared").at("score"), 0);
}

// The rest does not depend on the sandbox.
class FailingAutograderTest : public RunAutograderTest {
 protected:
  // No points, and a sentence for students that begins like this and has `why`.
  void ExpectNoPoints(const json& results, const std::string& why) {
    ASSERT_TRUE(results.is_object()) << autograder_->last().err;
    EXPECT_FALSE(results.contains("score")) << results.dump(2);
    EXPECT_FALSE(results.contains("tests")) << results.dump(2);
    EXPECT_THAT(
        results.at("output").get<std::string>(),
        AllOf(HasSubstr("The grader failed, not your program. Please tell your instructors: "), HasSubstr(why)));
    EXPECT_THAT(autograder_->last().out, HasSubstr("NOT GRADED"));
    EXPECT_EQ(autograder_->last().exit_code, 0);
  }
};

INSTANTIATE_TEST_SUITE_P(All, FailingAutograderTest, testing::Values(true));

TEST_P(FailingAutograderTest, WithoutItsPartsThereAreNoPointsAndAReason) {
  autograder_->Write("submission/lab7/v1_global.cu", "");
  fs::remove(autograder_->Path("source/kit/lib/warpgrade/liblab7_adapter.a"));
  ExpectNoPoints(Run(), "liblab7_adapter.a");
  fs::remove(autograder_->Path("source/kit/bin/warpgrade"));
  ExpectNoPoints(Run(), "the grader ended with exit status 127");
}

TEST_P(FailingAutograderTest, WithoutASandboxThereAreNoPointsAndAReason) {
  autograder_->Write("submission/lab7/v1_global.cu", ReadText(SourcePath("solutions/lab7/v1_global.cu")));
  std::vector<std::string> before = WithoutNamespaces();
  before[1] += ",-setuid";
  before[2] += ",-setuid";
  ExpectNoPoints(autograder_->Run(before), "there is no sandbox in which the program could run");
}

TEST_P(FailingAutograderTest, WithoutMetadataThereAreNoPointsBecauseTheQuizWouldBeMarkedWrong) {
  fs::create_directories(autograder_->Path("submission"));
  fs::remove(autograder_->Path("submission_metadata.json"));
  ExpectNoPoints(Run(), "submission_metadata.json: it cannot be read");
}

TEST_P(FailingAutograderTest, AGraderThatIsKilledLeavesAReason) {
  fs::create_directories(autograder_->Path("submission"));
  autograder_->Write("source/kit/bin/warpgrade", "#!/bin/sh\nkill -KILL $$\n");
  ExpectNoPoints(Run(), "too little memory");
}

}  // namespace
}  // namespace warpgrade
