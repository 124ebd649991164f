// An audit of the technique limits in course.yaml: the simplest code that gives right answers is handed in as every
// later rung, and meets none of their limits. This code is the solution of the first rung with the same function. A new
// rung or limit is looked at without a change here. What the limits say about decoys, dilution and other tricks is in
// tests/attacks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/course/course_files.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;

std::string SolutionOf(const std::string& lab, const std::string& rung) {
  return ReadText(SourcePath("solutions/" + lab + "/" + rung + ".cu"));
}

// "transpose": the last function of the file that begins at the left margin and is no kernel.
std::string FunctionOf(const std::string& source) {
  static const std::regex function(R"((?:^|\n)(?:void|int) (\w+)\()");
  std::string found;
  for (std::sregex_iterator it(source.begin(), source.end(), function), end; it != end; ++it) found = (*it)[1];
  return found;
}

// Limits that the simplest code meets on purpose, with the reason.
bool MayMeet(const std::string& limit) {
  static const std::set<std::string> limits = {
      // v1 loads in rows too. A student of v2 whose stores are still scattered must not be told to look at the loads.
      "lab2 v2_shared global_load_sectors_per_request",
  };
  return limits.count(limit) != 0;
}

class AuditTest : public testing::TestWithParam<std::string> {};

TEST_P(AuditTest, TheSimplestCodeMeetsNoLimitOfALaterRung) {
  const std::string& lab = GetParam();
  const TemporaryFolder folder;
  const std::string folder_of_lab = "class/simplest/" + lab + "/";
  std::map<std::string, std::string> simplest;   // the first rung's name, by function
  std::map<std::string, std::string> handed_in;  // that name, by the later rung's
  for (const CourseRung& rung : FindCourseLab(lab).rungs) {
    const std::string function = FunctionOf(SolutionOf(lab, rung.name));
    ASSERT_NE(function, "") << lab << " " << rung.name << ": this test does not see the student's function";
    const auto [first, is_new] = simplest.emplace(function, rung.name);
    if (is_new || rung.metrics.empty()) continue;
    handed_in[rung.name] = first->second;
    folder.Write(folder_of_lab + rung.name + ".cu", WithHeadersOfAllRungs(lab, SolutionOf(lab, first->second)));
  }
  for (const auto& file : std::filesystem::directory_iterator(SourcePath("solutions/" + lab))) {
    if (file.path().extension() != ".h") continue;
    folder.Write(folder_of_lab + file.path().filename().string(), ReadText(file.path()));
  }
  ASSERT_FALSE(handed_in.empty()) << lab << " has no two rungs with the same function";
  const Graded graded = Grade(folder.Path("class"), {"--lab", lab, "--believe-together", "--technique-alone"});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const auto& [rung_name, simplest_name] : handed_in) {
    const std::string id = simplest_name + " as " + rung_name;
    const json& rung = graded.Rung("simplest", lab, rung_name);
    SCOPED_TRACE(lab + " " + id + " is told:\n" + Told(rung));
    EXPECT_EQ(rung.at("status"), "passed") << "the answers of the case for technique are right";
    EXPECT_FALSE(rung.at("technique").empty());
    for (const json& limit : rung.at("technique")) {
      const std::string metric = limit.at("metric");
      EXPECT_FALSE(limit.at("value").is_null()) << metric << " was not measured";
      const bool met = limit.at("passed");
      if (MayMeet(lab + " " + rung_name + " " + metric)) {
        EXPECT_TRUE(met) << metric << " is no exception any more: take it out of MayMeet in this file";
        continue;
      }
      EXPECT_FALSE(met) << "course.yaml: " << lab << " " << rung_name << " gives " << limit.at("max_points")
                        << " points for " << metric << ", and " << id << " gets them with " << limit.at("value")
                        << ". Bind them with `provided` to a number that only the technique reaches";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, AuditTest, testing::ValuesIn(LabsWithLimits()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
