// The workflow for GitHub Classroom: its YAML is read, and the `run:` lines of its steps are run in their order, as a
// runner does. The steps of other people's actions are only compared with what these actions document. Nothing here
// checks what GitHub itself would say about the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/config/yaml_tree.h"
#include "tests/cli/program.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using config::YamlNode;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const YamlNode& At(const YamlNode& map, const std::string& key) {
  static const YamlNode kNothing;
  for (const config::YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return entry.value;
  }
  return kNothing;
}

std::string FromBase64(const std::string& text) {
  const ProgramResult result =
      RunProgram({"/usr/bin/env", "python3", "-c",
                  "import base64, sys\nprint(base64.b64decode(sys.argv[1], validate=True).decode())", text});
  return result.out;
}

class ClassroomTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::permissions(folder_.Path("."), fs::perms(0755));  // programs of root run as another user
    const ProgramResult made = RunProgram({WARPGRADE_BINARY, "autograder", "--lab", "lab2", "--for-this-machine",
                                           "--github-classroom", folder_.Path("clone")});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    config::Problems problems("classroom.yml");
    auto workflow = config::ParseYaml(ReadText(folder_.Path("clone/.github/workflows/classroom.yml")), &problems);
    ASSERT_TRUE(workflow) << problems.ToError(ErrorKind::kUsage).message;
    workflow_ = std::move(*workflow);
    for (const char* program : {"sudo", "apt-get"}) {
      const std::string path = folder_.Write(
          std::string("bin/") + program, program == std::string("sudo") ? "#!/bin/sh\nexec \"$@\"\n" : "#!/bin/sh\n");
      fs::permissions(path, fs::perms(0755));
    }
    fs::create_directories(folder_.Path("temp"));
  }

  const YamlNode& Job() const { return At(At(workflow_, "jobs"), "run-autograding-tests"); }

  // Runs the steps and returns the value that the step with the id "warpgrade" gives as `result`.
  std::string RunSteps() {
    std::string result;
    for (const YamlNode& step : At(Job(), "steps").items) {
      const std::string& uses = At(step, "uses").text;
      if (uses.starts_with("actions/cache@")) RestoreCache(step);
      const std::string& script = At(step, "run").text;
      if (script.empty()) continue;
      const std::string output = folder_.Write("output", "");
      const ProgramResult ran =
          RunProgram({"/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c",
                      "PATH=\"$1:$PATH\"\ncd \"$GITHUB_WORKSPACE\"\n" + script, "step", folder_.Path("bin")},
                     {"RUNNER_TEMP=" + folder_.Path("temp"), "GITHUB_WORKSPACE=" + folder_.Path("clone"),
                      "GITHUB_OUTPUT=" + output, "STUDENT=ada"});
      EXPECT_EQ(ran.exit_code, 0) << script << ran.out << ran.err;
      log_ += ran.out + ran.err;
      const std::string outputs = ReadText(output);
      if (At(step, "id").text == "warpgrade" && outputs.starts_with("result=")) {
        result = outputs.substr(7, outputs.find('\n') - 7);
        EXPECT_EQ(outputs, "result=" + result + "\n") << "one output of one line";
      }
    }
    return result;
  }

  // As if an earlier push had kept the compiler.
  void RestoreCache(const YamlNode& step) {
    EXPECT_EQ(At(At(step, "with"), "path").text, "${{ runner.temp }}/warpgrade/cuda");
    const ProgramResult linked = RunProgram({"/bin/bash", "-c",
                                             "ln -sfn \"$(dirname \"$(dirname \"$(readlink -f \"$(command -v nvcc || "
                                             "echo /usr/local/cuda/bin/nvcc)\")\")\")\" "
                                             "\"$1\"",
                                             "restore", folder_.Path("temp/warpgrade/cuda")});
    EXPECT_EQ(linked.exit_code, 0) << linked.err;
  }

  const TemporaryFolder folder_;
  YamlNode workflow_;
  std::string log_;
};

TEST_F(ClassroomTest, EachStepHasWhatItsActionNeeds) {
  EXPECT_THAT(At(Job(), "if").text, HasSubstr("github-classroom[bot]")) << "the bot's own pushes are not graded";
  EXPECT_EQ(At(At(workflow_, "permissions"), "checks").text, "write") << "the reporter writes a check";
  EXPECT_EQ(At(Job(), "runs-on").text, "ubuntu-24.04");
  std::vector<std::string> actions;
  for (const YamlNode& step : At(Job(), "steps").items) {
    EXPECT_NE(At(step, "name").text, "");
    EXPECT_NE(At(step, "uses").text.empty(), At(step, "run").text.empty()) << "a step either uses or runs";
    if (!At(step, "uses").text.empty()) actions.push_back(At(step, "uses").text);
  }
  EXPECT_THAT(actions, ElementsAre("actions/checkout@v4", "actions/cache@v4",
                                   "classroom-resources/autograding-grading-reporter@v1"));
  // The reporter looks for NAME_RESULTS of each of its runners.
  const YamlNode& report = At(Job(), "steps").items.back();
  EXPECT_EQ(At(At(report, "with"), "runners").text, "warpgrade");
  EXPECT_EQ(At(At(report, "env"), "WARPGRADE_RESULTS").text, "${{ steps.warpgrade.outputs.result }}");
}

// Students can read the zip: the repository is theirs.
TEST_F(ClassroomTest, TheZipHasNoSecrets) {
  const ProgramResult unpacked = RunProgram({"/usr/bin/env", "python3", "-m", "zipfile", "-e",
                                             folder_.Path("clone/.github/warpgrade.zip"), folder_.Path("unpacked")});
  ASSERT_EQ(unpacked.exit_code, 0) << unpacked.err;
  const ProgramResult searched = RunProgram({"/usr/bin/env", "python3", SourcePath("tests/release/find_secrets.py"),
                                             folder_.Path("unpacked"), SourcePath("")});
  EXPECT_EQ(searched.exit_code, 0) << searched.out << searched.err;
  EXPECT_THAT(ReadText(SourcePath("labs/lab2/quiz.yaml")), HasSubstr("how the kit computes the answers"));
  EXPECT_THAT(ReadText(folder_.Path("unpacked/kit/share/warpgrade/labs/lab2/quiz.yaml")),
              testing::Not(HasSubstr("how the kit computes the answers")))
      << "a comment for the staff";
  fs::permissions(folder_.Path("unpacked/kit/bin/warpgrade"), fs::perms(0755));
  EXPECT_THAT(RunProgram({folder_.Path("unpacked/kit/bin/warpgrade"), "--version"}).out,
              HasSubstr("students' edition"));
}

TEST_F(ClassroomTest, ItsStepsGradeAPush) {
  if (geteuid() != 0) GTEST_SKIP() << "skipped: the workflow's sudo makes it root, and this test is not root";
  folder_.Write("clone/lab2/v1_naive.cu", ReadText(SourcePath("solutions/lab2/v1_naive.cu")));
  folder_.Write("clone/lab2/v3_padded.cu", "int x = ;\n");
  const json result = json::parse(FromBase64(RunSteps()), nullptr, false);
  ASSERT_TRUE(result.is_object()) << log_;
  EXPECT_EQ(result.at("version"), 1);
  EXPECT_EQ(result.at("status"), "fail") << "not all points";
  EXPECT_EQ(result.at("max_score"), 110);
  double points = 0;
  std::string messages;
  for (const json& test : result.at("tests")) {
    points += test.at("score").get<double>();
    messages += test.at("name").get<std::string>() + test.at("message").get<std::string>();
  }
  EXPECT_EQ(points, 9) << log_;
  EXPECT_THAT(log_, HasSubstr("points on the public cases. Your course also grades with hidden cases."));
  EXPECT_THAT(messages, HasSubstr("ada lab2.v1_naive")) << "the id is the name on GitHub";
  EXPECT_THAT(messages, HasSubstr("v3_padded.cu(1): error"));
}

TEST_F(ClassroomTest, AFailureOfTheGraderReportsNoPoints) {
  if (geteuid() != 0) GTEST_SKIP() << "skipped: the workflow's sudo makes it root, and this test is not root";
  // The last step that writes a file before the grading is a good place to break the kit.
  folder_.Write("bin/apt-get", "#!/bin/sh\nrm -f \"$RUNNER_TEMP\"/warpgrade/kit/lib/warpgrade/liblab2_adapter.a\n");
  fs::permissions(folder_.Path("bin/apt-get"), fs::perms(0755));
  const json result = json::parse(FromBase64(RunSteps()), nullptr, false);
  ASSERT_TRUE(result.is_object()) << log_;
  EXPECT_EQ(result.at("status"), "error");
  EXPECT_EQ(result.at("max_score"), 0) << "the reporter reports no points then";
  ASSERT_EQ(result.at("tests").size(), 1u);
  EXPECT_EQ(result.at("tests")[0].at("score"), 0);
  EXPECT_THAT(result.at("tests")[0].at("message"), HasSubstr("liblab2_adapter.a"));
}

}  // namespace
}  // namespace warpgrade
