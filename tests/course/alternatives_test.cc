// Other right answers: labs/LAB/alternatives/RUNG__name.cu, handed in as RUNG, gets all that can be measured here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

TEST(AlternativesTest, GetFullMarksOnTheEmulator) {
  const TemporaryFolder folder;
  struct Alternative {
    std::string id, lab, rung;
  };
  std::vector<Alternative> alternatives;
  for (const auto& lab : std::filesystem::directory_iterator(SourcePath("labs"))) {
    if (!std::filesystem::exists(lab.path() / "alternatives")) continue;
    for (const auto& file : std::filesystem::directory_iterator(lab.path() / "alternatives")) {
      const std::string id = file.path().stem(), name = lab.path().filename();
      alternatives.push_back({id, name, id.substr(0, id.find("__"))});
      folder.Write("class/" + id + "/" + name + "/" + alternatives.back().rung + ".cu", ReadText(file.path()));
    }
  }
  ASSERT_FALSE(alternatives.empty());
  const Graded graded = Grade(folder.Path("class"));
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const Alternative& a : alternatives) {
    const nlohmann::json& rung = graded.Rung(a.id, a.lab, a.rung);
    EXPECT_EQ(rung.at("status"), "passed") << a.id << "\n" << Told(rung);
    EXPECT_EQ(rung.at("points"), rung.at("measurable_points")) << a.id << "\n" << Told(rung);
    EXPECT_TRUE(rung.at("findings").empty()) << a.id << "\n" << Told(rung);
  }
}

}  // namespace
}  // namespace warpgrade
