// The course.yaml that comes with warpgrade, compared with the kit's folders. It states no lab, rung or number of
// points itself, so a new rung needs no change here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "grader/config/course.h"
#include "grader/config/yaml_tree.h"

namespace warpgrade::config {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAreArray;

class KitCourseFileTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<Course> course = LoadCourse(WARPGRADE_SOURCE_DIR "/course.yaml", MetricNames());
    ASSERT_TRUE(course) << course.error().message;
    course_ = std::move(*course);
  }

  Course course_;
};

const YamlNode* Find(const YamlNode& map, const std::string& key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

TEST_F(KitCourseFileTest, HasEachLabOfTheKit) {
  std::vector<std::string> of_kit, of_course;
  for (const auto& entry : fs::directory_iterator(WARPGRADE_SOURCE_DIR "/labs")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("lab") && fs::exists(entry.path() / "CMakeLists.txt")) of_kit.push_back(name);
  }
  for (const Lab& lab : course_.labs) of_course.push_back(lab.name);
  EXPECT_THAT(of_kit, Not(IsEmpty()));
  EXPECT_THAT(of_course, UnorderedElementsAreArray(of_kit))
      << "the folders labs/lab* and the labs of course.yaml differ";
}

TEST_F(KitCourseFileTest, HasARungForEachSolutionAndASolutionForEachRung) {
  for (const Lab& lab : course_.labs) {
    const std::string folder = "solutions/" + lab.name + "/";
    for (const auto& entry : fs::directory_iterator(WARPGRADE_SOURCE_DIR "/" + folder)) {
      if (entry.path().extension() != ".cu") continue;
      const std::string name = entry.path().stem().string();
      const auto is_it = [&name](const Rung& rung) { return rung.name == name; };
      EXPECT_TRUE(std::any_of(lab.rungs.begin(), lab.rungs.end(), is_it))
          << "course.yaml has no rung " << name << " in " << lab.name << ", but there is " << folder << name
          << ".cu: add the rung";
    }
    for (const Rung& rung : lab.rungs) {
      EXPECT_TRUE(fs::exists(WARPGRADE_SOURCE_DIR "/" + folder + rung.name + ".cu"))
          << "course.yaml has the rung " << rung.name << " of " << lab.name << ": write " << folder << rung.name
          << ".cu";
    }
  }
}

TEST_F(KitCourseFileTest, NumbersTheRungsOfALabInOrder) {
  for (const Lab& lab : course_.labs) {
    for (size_t i = 0; i < lab.rungs.size(); ++i) {
      EXPECT_TRUE(lab.rungs[i].name.starts_with("v" + std::to_string(i + 1) + "_"))
          << lab.name << " " << lab.rungs[i].name;
    }
  }
}

TEST_F(KitCourseFileTest, StatesThePointsOfEachLab) {
  Problems problems("course.yaml");
  const auto tree = ReadYamlFile(WARPGRADE_SOURCE_DIR "/course.yaml", &problems);
  ASSERT_TRUE(tree);
  for (const Lab& lab : course_.labs) {
    const YamlNode* const points = Find(*Find(*Find(*tree, "labs"), lab.name), "points");
    ASSERT_NE(points, nullptr) << lab.name << " has no `points: TOTAL` in course.yaml, which guards against a slip";
    EXPECT_EQ(lab.Total().ToString(), points->text) << lab.name;
    EXPECT_EQ(lab.quiz.has_value(), fs::exists(WARPGRADE_SOURCE_DIR "/labs/" + lab.name + "/quiz.yaml")) << lab.name;
  }
}

TEST_F(KitCourseFileTest, FindsEachTargetByTheNameOfItsGpu) {
  EXPECT_THAT(course_.targets, Not(IsEmpty()));
  for (const Target& target : course_.targets) {
    const Target* const found = course_.FindTarget(target.match);
    ASSERT_NE(found, nullptr) << target.id;
    EXPECT_EQ(found->id, target.id);
  }
}

}  // namespace
}  // namespace warpgrade::config
