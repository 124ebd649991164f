// Other right answers get full marks: labs/LAB/alternatives/RUNG__NAME.cu is handed in as RUNG.cu and gets all points
// that the emulator can measure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "tests/course/course_files.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

std::string FolderOf(const std::string& lab) { return SourcePath("labs/" + lab + "/alternatives"); }

std::vector<std::string> LabsWithAlternatives() {
  std::vector<std::string> labs = CourseLabNames();
  std::erase_if(labs, [](const std::string& lab) { return !std::filesystem::exists(FolderOf(lab)); });
  return labs;
}

class AlternativesTest : public testing::TestWithParam<std::string> {};

TEST_P(AlternativesTest, GetFullMarksOnTheEmulator) {
  const std::string& lab = GetParam();
  const TemporaryFolder folder;
  std::map<std::string, std::string> rung_of;  // by the alternative's name
  for (const auto& file : std::filesystem::directory_iterator(FolderOf(lab))) {
    const std::string name = file.path().stem(), rung = name.substr(0, name.find("__"));
    rung_of[name] = rung;
    folder.Write("class/" + name + "/" + lab + "/" + rung + ".cu", ReadText(file.path()));
  }
  ASSERT_FALSE(rung_of.empty()) << FolderOf(lab) << " is empty: write an alternative or remove the folder";
  const Graded graded = Grade(folder.Path("class"), {"--lab", lab});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const auto& [name, rung_name] : rung_of) {
    const nlohmann::json& rung = graded.Rung(name, lab, rung_name);
    EXPECT_EQ(rung.at("status"), "passed") << name << "\n" << Told(rung);
    EXPECT_EQ(rung.at("points"), rung.at("measurable_points")) << name << "\n" << Told(rung);
    EXPECT_TRUE(rung.at("findings").empty()) << name << "\n" << Told(rung);
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, AlternativesTest, testing::ValuesIn(LabsWithAlternatives()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpgrade
