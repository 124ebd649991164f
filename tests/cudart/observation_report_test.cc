#include "grader/cudart/observation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpgrade::cudart {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string RaceName() { return emulator::Name(emulator::FindingKind::kSharedRace); }

emulator::Finding Race() {
  emulator::Finding finding;
  finding.kind = emulator::FindingKind::kSharedRace;
  finding.kernel = "reduce<float>(float const*)";
  finding.file = "v3.cu";
  finding.line = 27;
  finding.block = {2, 0, 0};
  finding.thread = {33, 1, 0};
  finding.count = 62;
  finding.message = "reads what thread (1,0,0) writes";
  return finding;
}

TEST(ObservationReportTest, StartsAFindingWithThePlaceThatEditorsJumpTo) {
  const std::string text = FormatFinding(Race());
  EXPECT_THAT(text, StartsWith("v3.cu:27: " + RaceName() + ": reads what thread (1,0,0) writes\n"));
  EXPECT_THAT(text, HasSubstr("in reduce<float>(float const*), block (2,0,0), thread (33,1,0); seen 62 times\n"));
}

TEST(ObservationReportTest, NamesThePtxLineWhereTheProgramHasNoLineInformation) {
  emulator::Finding finding = Race();
  finding.file = "";
  finding.ptx_line = 120;
  EXPECT_THAT(FormatFinding(finding), StartsWith("line 120 of the PTX (compile with -lineinfo): " + RaceName() + ": "));
}

TEST(ObservationReportTest, WritesAFindingAsOneLineOfJson) {
  emulator::Finding finding = Race();
  finding.message = "quotes \" and \n lines and \xFF bytes";
  const std::string line = FindingAsJson(finding);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json["kind"], RaceName());
  EXPECT_EQ(json["file"], "v3.cu");
  EXPECT_EQ(json["line"], 27);
  EXPECT_EQ(json["thread"], nlohmann::json::array({33, 1, 0}));
  EXPECT_EQ(json["count"], 62);
  EXPECT_EQ(json["fatal"], false);
}

TEST(ObservationReportTest, WritesEveryLaunchWithItsLinesAndTheMetricsOfAll) {
  emulator::LaunchRecord launch;
  launch.kernel = "k()";
  launch.grid = {4, 1, 1};
  launch.block = {32, 2, 1};
  launch.counters.fadd = 128;
  launch.lines.push_back({"k.cu", 3, {}});
  launch.lines.back().counters.fadd = 128;
  const nlohmann::json json = nlohmann::json::parse(CountersAsJson({launch, launch}));
  EXPECT_EQ(json["schema"], "warpgrade.counters/1");
  ASSERT_EQ(json["launches"].size(), 2u);
  EXPECT_EQ(json["launches"][0]["kernel"], "k()");
  EXPECT_EQ(json["launches"][0]["block"], nlohmann::json::array({32, 2, 1}));
  EXPECT_EQ(json["launches"][0]["counters"]["fadd"], 128);
  EXPECT_EQ(json["launches"][0]["lines"][0]["line"], 3);
  EXPECT_TRUE(json["metrics"].contains("fadd"));
  EXPECT_EQ(json["copies"]["global_store_bytes"], 0);
}

TEST(ObservationReportTest, CountsCopiesOnTheDeviceAmongTheGlobalAccesses) {
  emulator::Counters copies;
  copies.global_store_bytes = 4;
  copies.global_store_sectors = 1;
  const nlohmann::json json = nlohmann::json::parse(CountersAsJson({}, copies));
  EXPECT_EQ(json["copies"]["global_store_bytes"], 4);
  EXPECT_EQ(json["metrics"]["global_store_bytes"], 4);
  EXPECT_EQ(json["metrics"]["global_store_efficiency"], 0.125);
}

}  // namespace
}  // namespace warpgrade::cudart
