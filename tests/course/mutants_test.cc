// Every wrong answer of labs/LAB/mutants loses exactly what its row in mutants.yaml says, and the student is told why.
//
//   rung     the rung that the file is handed in as
//   lost     correctness: all points of the rung. technique: the points of the limits on `metrics`, and nothing else.
//            nothing: it is wrong where the emulator has no time to look; the comment above its row says who sees it
//   message  a regular expression, case ignored, that something that the student is told must match
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;

struct Mutant {
  std::string rung, file, lost, message;
  std::set<std::string> metrics;
  std::string id() const { return std::filesystem::path(file).stem(); }
};

std::vector<Mutant> ReadMutants(const std::string& lab) {
  std::vector<Mutant> mutants;
  for (const YAML::Node& row : YAML::LoadFile(SourcePath("labs/" + lab + "/mutants/mutants.yaml"))["mutants"]) {
    Mutant mutant{row["rung"].as<std::string>(),
                  row["file"].as<std::string>(),
                  row["lost"].as<std::string>(),
                  row["message"].as<std::string>(),
                  {}};
    for (const YAML::Node& metric : row["metrics"]) mutant.metrics.insert(metric.as<std::string>());
    mutants.push_back(mutant);
  }
  return mutants;
}

int64_t Hundredths(const json& points) { return std::llround(points.get<double>() * 100); }

void ExpectLosesAsStated(const Mutant& mutant, const json& rung) {
  const int64_t points = Hundredths(rung.at("points"));
  if (mutant.lost == "correctness") {
    EXPECT_EQ(points, 0);
    EXPECT_NE(rung.at("status"), "passed");
    EXPECT_NE(rung.at("status"), "compile_error") << "a mutant must be wrong, not broken";
    return;
  }
  if (mutant.lost == "nothing") {
    EXPECT_EQ(rung.at("status"), "passed");
    EXPECT_EQ(points, Hundredths(rung.at("measurable_points"))) << "it is seen now: say so in mutants.yaml";
    return;
  }
  ASSERT_EQ(mutant.lost, "technique") << "mutants.yaml: lost is correctness, technique or nothing";
  EXPECT_EQ(rung.at("status"), "passed") << "its answers are right";
  int64_t lost = 0;
  std::set<std::string> missed;
  for (const json& limit : rung.at("technique")) {
    if (limit.at("passed").get<bool>()) continue;
    missed.insert(limit.at("metric").get<std::string>());
    lost += Hundredths(limit.at("max_points"));
  }
  EXPECT_EQ(missed, mutant.metrics) << "the limits that it misses";
  EXPECT_GT(lost, 0) << "the limits that it misses are worth nothing";
  EXPECT_EQ(points, Hundredths(rung.at("measurable_points")) - lost);
}

class MutantsTest : public testing::TestWithParam<std::string> {};

TEST_P(MutantsTest, EachLosesExactlyWhatItStatesAndIsToldWhy) {
  const std::string& lab = GetParam();
  const std::vector<Mutant> mutants = ReadMutants(lab);
  const TemporaryFolder folder;
  for (const Mutant& mutant : mutants) {
    folder.Write("class/" + mutant.id() + "/" + lab + "/" + mutant.rung + ".cu",
                 ReadText(SourcePath("labs/" + lab + "/mutants/" + mutant.file)));
  }
  const Graded graded = Grade(folder.Path("class"), {"--lab", lab});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const Mutant& mutant : mutants) {
    const json& rung = graded.Rung(mutant.id(), lab, mutant.rung);
    const std::string told = Told(rung);
    SCOPED_TRACE(lab + " " + mutant.file + " is told:\n" + told);
    ExpectLosesAsStated(mutant, rung);
    EXPECT_TRUE(std::regex_search(told, std::regex(mutant.message, std::regex::icase)))
        << "nothing that it is told matches: " << mutant.message;
  }
}

TEST_P(MutantsTest, EveryFileIsInTheTableAndEveryRungHasTwoWrongAnswers) {
  const std::string& lab = GetParam();
  std::set<std::string> listed;
  std::map<std::string, int> of_rung;
  for (const Mutant& mutant : ReadMutants(lab)) {
    EXPECT_TRUE(listed.insert(mutant.file).second) << mutant.file << " is listed twice";
    ++of_rung[mutant.rung];
  }
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath("labs/" + lab + "/mutants"))) {
    if (entry.path().extension() != ".cu") continue;
    EXPECT_TRUE(listed.erase(entry.path().filename())) << entry.path() << " is not in mutants.yaml";
  }
  EXPECT_THAT(listed, testing::IsEmpty()) << "listed, but there is no such file";
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath("solutions/" + lab))) {
    if (entry.path().extension() != ".cu") continue;
    EXPECT_GE(of_rung[entry.path().stem()], 2) << entry.path();
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, MutantsTest, testing::ValuesIn(LabsWithMutants()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
