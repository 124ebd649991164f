// The solutions of each lab, with the answers to its quiz, get all points that the emulator can measure. An untouched
// starter gets none, and the student reads "not written yet".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "grader/build/includes.h"
#include "grader/build/rung_compiler.h"
#include "grader/build/rungs_together.h"
#include "tests/course/course_files.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;

// The rungs of a graded lab in order, "quiz" the last.
// Without the row not_counted, which a lab with a bonus has.
std::vector<json> RungsIn(const json& lab) {
  std::vector<json> rungs = lab.at("rungs");
  std::erase_if(rungs, [](const json& rung) { return rung.at("rung") == "not_counted"; });
  return rungs;
}

std::vector<std::string> RungNames(const json& lab) {
  std::vector<std::string> names;
  for (const json& rung : RungsIn(lab)) names.push_back(rung.at("rung"));
  return names;
}

// What the bonus rungs give on top of the lab's points.
double BonusPoints(const json& lab) {
  double points = 0;
  for (const json& rung : RungsIn(lab)) {
    if (rung.value("counts", "") == "bonus") points += rung.at("points").get<double>();
  }
  return points;
}

std::vector<std::string> ExpectedRungNames(const std::string& lab) {
  std::vector<std::string> names;
  for (const CourseRung& rung : FindCourseLab(lab).rungs) names.push_back(rung.name);
  names.push_back("quiz");
  return names;
}

class SolutionsTest : public testing::TestWithParam<std::string> {};

TEST_P(SolutionsTest, GetFullMarksOnTheEmulator) {
  const Graded graded = Grade(SourcePath("solutions"), {"--lab", GetParam()});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  const json& submission = graded.Submission("solutions");
  ASSERT_EQ(submission.at("labs").size(), 1u);
  const json& lab = submission.at("labs").front();
  EXPECT_EQ(RungNames(lab), ExpectedRungNames(GetParam()));
  for (const json& rung : RungsIn(lab)) {
    const std::string name = rung.at("rung");
    EXPECT_EQ(rung.at("status"), "passed") << name << "\n" << Told(rung);
    EXPECT_EQ(rung.at("points"), rung.at("measurable_points")) << name << "\n" << Told(rung);
    EXPECT_EQ(rung.at("throughput").at("status"), "not_measured") << name;
    EXPECT_TRUE(rung.at("findings").empty()) << name << "\n" << Told(rung);
    EXPECT_GT(rung.at("correctness").at("cases"), name == "quiz" ? 3 : 8) << name;
  }
  EXPECT_EQ(submission.at("points"), submission.at("measurable_points").get<double>() + BonusPoints(lab));
  EXPECT_GT(submission.at("points"), 0);
  if (FindCourseLab(GetParam()).IsTimed()) {
    EXPECT_LT(submission.at("measurable_points"), submission.at("max_points")) << "throughput is not earned here";
  } else {
    EXPECT_EQ(submission.at("measurable_points"), submission.at("max_points"));
  }
  EXPECT_THAT(graded.program.out, HasSubstr("not here")) << "the table says where throughput is measured";
}

INSTANTIATE_TEST_SUITE_P(Labs, SolutionsTest, testing::ValuesIn(CourseLabNames()),
                         [](const auto& info) { return info.param; });

class StarterTest : public testing::TestWithParam<std::string> {};

bool IsToBeWritten(const std::string& rung_file) { return rung_file.find("NOT_WRITTEN_YET();") != std::string::npos; }

// What the compiler says of the files, with as few runs of it as the grader needs: in units of several files each.
std::string WarningsOf(const std::vector<build::BuildRequest>& files, const TemporaryFolder& folder) {
  const auto tools = build::FindToolchain("");
  const auto headers = build::LabHeaders(files.at(0).lab, {SourcePath("")});
  if (!tools || !headers) return (!tools ? tools.error() : headers.error()).message;
  std::map<std::set<std::string>, std::vector<const build::BuildRequest*>> units;
  for (const build::BuildRequest& file : files) {
    EXPECT_TRUE(build::CanBeTogether(file)) << file.rung;
    units[build::HeadersOf(file, *headers)].push_back(&file);
  }
  std::string told;
  for (const auto& [names, unit] : units) {
    const std::string directory = "unit_" + build::UnitTag(unit);
    std::map<std::string, std::string> texts = build::HeadersOfUnit(files[0].lab, *headers);
    texts[build::kUnitName] = build::UnitOf(unit, *headers);
    for (const build::BuildRequest* file : unit) texts[file->rung + ".cu"] = file->source;
    for (const auto& [name, text] : texts) folder.Write(std::string(directory).append("/").append(name), text);
    std::vector<std::string> command = {"env", "-C", folder.Path(directory)};
    for (std::string& word :
         build::CompileCommand(*tools, 0, build::kUnitName, "unit.o", build::StandardHeaders::kFew)) {
      command.push_back(std::move(word));
    }
    const ProgramResult compiled = RunProgram(command);
    EXPECT_EQ(compiled.exit_code, 0);
    told += compiled.out + compiled.err;
  }
  return told;
}

// A starter file that is to be written is neither compiled nor judged when it is handed in as it is; with a comment, it
// is. A starter file without NOT_WRITTEN_YET() is a program with a fault, which is judged and found.
TEST_P(StarterTest, GetsNothingIsNotWrittenYetAndCompilesWithoutAWarning) {
  const TemporaryFolder folder;
  std::set<std::string> submissions, faulty;
  std::vector<build::BuildRequest> compiled;
  for (const auto& file : std::filesystem::directory_iterator(SourcePath("starter/" + GetParam()))) {
    if (file.path().extension() != ".cu") continue;
    const auto hand_in = [&](const std::string& submission, const std::string& text) {
      folder.Write("class/" + submission + "/" + GetParam() + "/" + file.path().filename().string(), text);
      submissions.insert(submission);
    };
    const std::string text = ReadText(file.path());
    hand_in("as_given", text);
    if (IsToBeWritten(text)) {
      hand_in("with_a_comment", text + "// I will do this later.\n");
    } else {
      faulty.insert(file.path().stem());
    }
    compiled.push_back({GetParam(), file.path().stem().string(), text});
  }
  ASSERT_FALSE(compiled.empty());
  EXPECT_EQ(WarningsOf(compiled, folder), "");
  const Graded graded = Grade(folder.Path("class"), {"--lab", GetParam(), "--believe-together"});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const std::string& submission : submissions) {
    const json& lab = graded.Submission(submission).at("labs").front();
    EXPECT_EQ(RungNames(lab), ExpectedRungNames(GetParam()));
    for (const json& rung : RungsIn(lab)) {
      const std::string name = rung.at("rung"), status = rung.at("status");
      const bool is_faulty = faulty.contains(name) && submission == "as_given";
      if (is_faulty) {
        EXPECT_THAT(status, AnyOf("failed", "timeout")) << name << "\n" << Told(rung);
      } else {
        EXPECT_EQ(status, name == "quiz" || faulty.contains(name) ? "missing" : "not_written")
            << name << ": if its starter file is missing, run ./warpgrade make-starter\n"
            << Told(rung);
      }
      EXPECT_EQ(rung.at("findings").empty(), !is_faulty) << name << "\n" << Told(rung);
      EXPECT_EQ(rung.at("points"), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, StarterTest, testing::ValuesIn(CourseLabNames()),
                         [](const auto& info) { return info.param; });

TEST(CourseTest, OneCommandGradesAllLabs) {
  const Graded graded = Grade(SourcePath("solutions"), WithSmallCases({"--rung", "v1"}));
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  const json& labs = graded.Submission("solutions").at("labs");
  ASSERT_EQ(labs.size(), CourseLabs().size());
  for (size_t i = 0; i < labs.size(); ++i) {
    EXPECT_EQ(labs[i].at("lab"), CourseLabs()[i].name);
    EXPECT_EQ(labs[i].at("rungs").front().at("status"), "passed") << CourseLabs()[i].name;
  }
}

TEST(CourseTest, TheStarterIsWhatTheSolutionsGive) {
  const ProgramResult check = RunProgram({WARPGRADE_BINARY, "make-starter", "--check"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
}

TEST(CourseTest, GradingTwiceGivesTheSameResult) {
  const std::vector<std::string> one_rung = {"--lab", "lab2", "--rung", "v3"};
  const auto graded = [&one_rung] {
    json report = Grade(SourcePath("solutions"), one_rung).report;
    // Counts for a size that is drawn.
    for (json& rung : report.at("submissions").at(0).at("labs").at(0).at("rungs")) rung.erase("answer_metrics");
    return report;
  };
  const json first = graded(), second = graded();
  EXPECT_EQ(first, second) << "metrics and points do not depend on the values drawn";
}

}  // namespace
}  // namespace warpgrade
