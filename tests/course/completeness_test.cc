// Each lab and each rung of course.yaml has all of its parts. Every failure names the file to write.
// tests/config/course_file_test.cc compares course.yaml itself with the folders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <map>
#include <set>

#include "labs/labs.h"
#include "tests/course/course_files.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

constexpr int kMutantsOfARung = 2;  // the least

bool Exists(const std::string& name) { return fs::exists(SourcePath(name)); }

std::set<std::string> NamesOf(const CourseLab& lab) {
  std::set<std::string> names;
  for (const CourseRung& rung : lab.rungs) names.insert(rung.name);
  return names;
}

// The rungs' wrong answers by the table of the lab, which need not exist.
std::map<std::string, int> CountMutants(const std::string& lab) {
  std::map<std::string, int> of_rung;
  const std::string table = "labs/" + lab + "/mutants/mutants.yaml";
  if (!Exists(table)) return of_rung;
  for (const YAML::Node& row : YAML::LoadFile(SourcePath(table))["mutants"]) {
    const std::string name = row["name"].as<std::string>();
    ++of_rung[name.substr(0, name.find("__"))];
  }
  return of_rung;
}

class CompletenessTest : public testing::TestWithParam<std::string> {};

TEST_P(CompletenessTest, TheLabHasItsFiles) {
  const std::string& lab = GetParam();
  for (const char* file : {"CMakeLists.txt", "README.md", "adapter.cc", "cases.yaml", "hidden.cc", "hints.cc",
                           "quiz.yaml", "tests.cc", "mutants/mutants.yaml"}) {
    EXPECT_TRUE(Exists("labs/" + lab + "/" + file)) << "write labs/" << lab << "/" << file;
  }
  EXPECT_EQ(Exists("labs/" + lab + "/bench.cc"), FindCourseLab(lab).IsTimed())
      << "labs/" << lab << "/bench.cc is for the labs with rungs that have points for throughput";
  for (const std::string& file : {lab + ".h", lab + "_judge.h"}) {
    EXPECT_TRUE(Exists("labs/" + lab + "/" + file)) << "write labs/" << lab << "/" << file;
  }
  const std::string unit_tests = "tests/course/" + lab + "/CMakeLists.txt";
  EXPECT_TRUE(Exists(unit_tests)) << "write " << unit_tests << ", with tests of the lab's judge";
  EXPECT_NE(FindLab(lab), nullptr) << lab << "'s name() in labs/" << lab << "/lab.cc must be \"" << lab << "\"";
}

TEST_P(CompletenessTest, EachRungHasHints) {
  const std::string& lab = GetParam();
  const Lab* const judge = FindLab(lab);
  ASSERT_NE(judge, nullptr);
  for (const CourseRung& rung : FindCourseLab(lab).rungs) {
    std::vector<std::string> could_be_missed = rung.metrics;
    could_be_missed.push_back("correctness");
    for (const std::string& what : could_be_missed) {
      EXPECT_NE(judge->Hint(rung.name, what), "")
          << "labs/" << lab << "/hints.cc has no row {\"" << rung.name << "\", \"" << what << "\", ...}: add one";
    }
  }
}

TEST_P(CompletenessTest, EachRungHasTwoWrongAnswers) {
  const std::string& lab = GetParam();
  const CourseLab& of_course = FindCourseLab(lab);
  const std::string folder = "labs/" + lab + "/mutants/";
  const std::map<std::string, int> mutants = CountMutants(lab);
  for (const CourseRung& rung : of_course.rungs) {
    const auto found = mutants.find(rung.name);
    const int count = found == mutants.end() ? 0 : found->second;
    EXPECT_GE(count, kMutantsOfARung) << lab << " " << rung.name << " has " << count
                                      << (count == 1 ? " wrong answer" : " wrong answers") << ", but needs "
                                      << kMutantsOfARung << ": write " << folder << rung.name
                                      << "__WHAT_IS_WRONG.diff (labs/mutant.sh explains the form) and add a row to "
                                      << folder << "mutants.yaml";
  }
  const std::set<std::string> names = NamesOf(of_course);
  for (const auto& [rung, count] : mutants) {
    EXPECT_TRUE(names.contains(rung)) << folder << "mutants.yaml has rows for " << rung << ", which is no rung of "
                                      << lab;
  }
}

TEST_P(CompletenessTest, TheHandoutNamesEachRung) {
  const std::string& lab = GetParam();
  const std::string handout = ReadText(SourcePath("labs/" + lab + "/README.md"));
  for (const CourseRung& rung : FindCourseLab(lab).rungs) {
    EXPECT_NE(handout.find(rung.name), std::string::npos)
        << "labs/" << lab << "/README.md does not mention " << rung.name << ": describe the rung there";
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, CompletenessTest, testing::ValuesIn(CourseLabNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
