// `warpgrade validate` as an instructor meets it: each mistake of seeded_mistakes.yaml is found at its place and with
// its advice, and nothing is found in the files that the kit ships.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/config/yaml_tree.h"
#include "grader/report/json.h"
#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string SourcePath(const std::string& path) { return std::string(WARPGRADE_SOURCE_DIR) + "/" + path; }

ProgramResult Validate(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "validate", "--today", "2026-11-26"});
  return RunProgram(arguments, environment);
}

const config::YamlNode* Find(const config::YamlNode& map, const std::string& key) {
  for (const config::YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

std::string Text(const config::YamlNode& map, const std::string& key) {
  const config::YamlNode* value = Find(map, key);
  EXPECT_NE(value, nullptr) << "line " << map.place.line << " of seeded_mistakes.yaml has no " << key;
  return value == nullptr ? "" : value->text;
}

class ValidateCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    config::Problems problems("seeded_mistakes.yaml");
    seeded_ = config::ReadYamlFile(SourcePath("tests/cli/seeded_mistakes.yaml"), &problems);
    ASSERT_TRUE(seeded_) << problems.ToError(ErrorKind::kUsage).message;
    course_ = Text(*seeded_, "course");
    measured_ = folder_.Write("solutions.json", report::JsonText(MeasuredOnAnH200()));
  }

  // What `grade solutions --json` could write on the course's GPU.
  static score::GradingReport MeasuredOnAnH200() {
    score::RungScore sequential, naive;
    sequential.rung = "v3_sequential";
    sequential.measurement.metrics = {
        {"shared_bank_conflicts", 0}, {"shared_atomics", 0}, {"threads", 262144}, {"global_load_efficiency", 1}};
    sequential.measurement.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
    sequential.measurement.throughput.value = 850;
    naive.rung = "v1_naive";
    naive.measurement.metrics = {{"global_bytes_per_element", 36}};
    score::LabScore lab1, lab2;
    lab1.lab = "lab1";
    lab1.rungs = {sequential};
    lab2.lab = "lab2";
    lab2.rungs = {naive};
    score::GradingReport report;
    report.device.kind = "gpu";
    report.device.name = "NVIDIA H200";
    report.submissions.emplace_back();
    report.submissions.back().labs = {lab1, lab2};
    return report;
  }

  const TemporaryFolder folder_;
  std::optional<config::YamlNode> seeded_;
  std::string course_, measured_;
};

// "LINE:COLUMN" of `at` in `text`.
std::string PlaceOf(const std::string& text, std::string at) {
  size_t inside = at.find('|');
  if (inside == std::string::npos) {
    inside = 0;
  } else {
    at.erase(inside, 1);
  }
  const size_t begin = text.find(at);
  EXPECT_NE(begin, std::string::npos) << at;
  const std::string before = text.substr(0, begin + inside);
  const size_t last_line = before.rfind('\n') + 1;  // npos + 1 is 0
  return std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ":" +
         std::to_string(before.size() - last_line + 1);
}

TEST_F(ValidateCommandTest, FindsEachSeededMistakeAtItsPlaceWithTheRightAdvice) {
  const std::vector<config::YamlNode>& mistakes = Find(*seeded_, "mistakes")->items;
  EXPECT_GE(mistakes.size(), 40U);
  for (const config::YamlNode& mistake : mistakes) {
    std::string text = course_;
    const std::string find = Text(mistake, "find"), put = Text(mistake, "put");
    const size_t where = text.find(find);
    ASSERT_NE(where, std::string::npos) << find;
    text.replace(where, find.size(), put);
    const std::string path = folder_.Write("course.yaml", text);
    const ProgramResult result = Validate({path, "--measured", measured_});
    const bool is_error = Text(mistake, "kind") == "error";
    const std::string line = path + ":" + PlaceOf(text, Text(mistake, "at")) + ": " + Text(mistake, "kind") + ": ";
    const size_t at = result.out.find(line);
    const std::string said = at == std::string::npos ? "" : result.out.substr(at, result.out.find('\n', at) - at);
    EXPECT_THAT(said, HasSubstr(Text(mistake, "says")))
        << "'" << find << "' became '" << put << "', wanted at " << line << "\n"
        << result.out << result.err;
    EXPECT_EQ(result.exit_code, is_error ? 2 : 0) << result.out;
  }
}

TEST_F(ValidateCommandTest, FindsNothingInARightCourse) {
  const ProgramResult result = Validate({folder_.Write("course.yaml", course_), "--measured", measured_, "--strict"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("course.yaml: 0 errors, 0 warnings\nTechnique limits and thresholds for NVIDIA "
                                    "H200 were compared with the solutions, as " +
                                    measured_));
}

TEST_F(ValidateCommandTest, FindsNothingInTheFilesOfTheKit) {
  const ProgramResult shipped = Validate({"--strict"});
  EXPECT_EQ(shipped.exit_code, 0) << shipped.out;
  EXPECT_THAT(shipped.out, HasSubstr(": 0 errors, 0 warnings\nLimits and thresholds were not compared"));
  const ProgramResult small = Validate({SourcePath("tests/docs/small_course.yaml"), "--strict"});
  EXPECT_EQ(small.exit_code, 0) << small.out;
}

TEST_F(ValidateCommandTest, WarningsFailOnlyAStrictCheck) {
  std::string text = course_;
  text.erase(text.find("    points: 30\n"), 15);
  const std::string path = folder_.Write("course.yaml", text);
  EXPECT_EQ(Validate({path}).exit_code, 0);
  EXPECT_EQ(Validate({path, "--strict"}).exit_code, 2);
}

TEST_F(ValidateCommandTest, PrintsAListForPrograms) {
  std::string text = course_;
  text.replace(text.find("v2_shared:"), 10, "v2_sharde:");
  const std::string path = folder_.Write("course.yaml", text);
  const auto list = nlohmann::json::parse(Validate({path, "--json"}).out);
  ASSERT_EQ(list.size(), 1U) << list;
  EXPECT_EQ(list[0]["file"], path);
  EXPECT_EQ(std::to_string(list[0]["line"].get<int>()) + ":" + std::to_string(list[0]["column"].get<int>()),
            PlaceOf(text, "v2_sharde:"));
  EXPECT_EQ(list[0]["kind"], "error");
}

TEST_F(ValidateCommandTest, NamesARungWithoutAMutantOrASolution) {
  // A kit with the labs' headers, but with mutants and solutions of lab1 only.
  std::string kit = ReadText(std::filesystem::path(WARPGRADE_BINARY).parent_path().parent_path().string() +
                             "/share/warpgrade/kit.yaml");
  const auto point_to = [&kit](const std::string& key, const std::string& folder) {
    const size_t at = kit.find("\n" + key + ": \"") + key.size() + 4;
    kit.replace(at, kit.find('"', at) - at, folder);
  };
  for (const char* file : {"labs/lab1/lab1.h", "labs/lab2/lab2.h", "labs/lab1/mutants/v3_sequential__wrong.cu",
                           "solutions/lab1/v3_sequential.cu"}) {
    folder_.Write(file, "");
  }
  folder_.Write("labs/lab1/quiz.yaml", ReadText(SourcePath("labs/lab1/quiz.yaml")));
  point_to("labs", folder_.Path("labs"));
  point_to("solutions", folder_.Path("solutions"));
  folder_.Write("share/warpgrade/kit.yaml", kit);
  const std::string path = folder_.Write("course.yaml", course_);
  const ProgramResult result = Validate({path}, {"WARPGRADE_KIT=" + folder_.Path("")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string place = path + ":" + PlaceOf(course_, "v1_naive:");
  EXPECT_THAT(result.out,
              HasSubstr(place + ": warning: lab2.v1_naive has no solution, so nothing shows that its points "
                                "can be reached; write solutions/lab2/v1_naive.cu"));
  EXPECT_THAT(result.out, HasSubstr(place + ": warning: lab2.v1_naive has no mutant, so nothing shows that wrong "
                                            "programs lose points; add one to labs/lab2/mutants/"));
  EXPECT_THAT(result.out, Not(HasSubstr("lab1.v3_sequential has no")));
}

TEST_F(ValidateCommandTest, RefusesResultsThatAreNone) {
  const ProgramResult result = Validate({"--measured", folder_.Write("marks.csv", "id,points\n")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("marks.csv: this is not a complete report"));
  EXPECT_EQ(Validate({"--today", "soon"}).exit_code, 2);
}

}  // namespace
}  // namespace warpgrade
