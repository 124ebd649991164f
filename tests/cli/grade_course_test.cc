// What `grade` does with a course.yaml or a kit in which one lab is wrong: it says where the mistake is, and it grades
// the labs that can be graded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string CourseWith(const std::string& lab, const std::string& rung) {
  return "course: {name: C}\nlabs:\n  " + lab + ":\n    title: T\n    rungs:\n      " + rung +
         ": {title: T, points: {correctness: 9}}\n";
}

TEST(GradeCourseTest, AMistypedLabOrRungIsAMistakeAndNotAMissingFile) {
  const TemporaryFolder folder;
  folder.Write("s1/lab2/v1_naive.cu", "");
  const auto grade = [&folder](const std::string& course) {
    return RunProgram({WARPGRADE_BINARY, "grade", folder.Path("s1"), "--device", "emulator", "--course",
                       folder.Write("course.yaml", course)});
  };
  const ProgramResult rung = grade(CourseWith("lab2", "v1_naiv"));
  EXPECT_EQ(rung.exit_code, 2);
  EXPECT_THAT(rung.err, HasSubstr("course.yaml:6:7: lab2 of the kit has no rung 'v1_naiv'; did you mean 'v1_naive'?"));
  const ProgramResult lab = grade(CourseWith("lap2", "v1_naive"));
  EXPECT_EQ(lab.exit_code, 2);
  EXPECT_THAT(lab.err, HasSubstr("course.yaml:3:3: the kit has no lab 'lap2'; did you mean 'lab2'?"));
}

TEST(GradeCourseTest, ALabThatIsNotBuiltCostsOnlyItsOwnRungs) {
  const TemporaryFolder folder;
  std::string kit =
      ReadText(fs::path(WARPGRADE_BINARY).parent_path().parent_path().string() + "/share/warpgrade/kit.yaml");
  const std::string adapter = "{lab}_adapter.a";
  const size_t end = kit.find(adapter) + adapter.size();
  const size_t begin = kit.rfind('"', end - 1) + 1;
  std::string built = kit.substr(begin, end - begin);
  built.replace(built.find("{lab}"), 5, "lab2");
  kit.replace(begin, end - begin, folder.Path("lib{lab}_adapter.a"));
  folder.Write("share/warpgrade/kit.yaml", kit);
  fs::create_symlink(built, folder.Path("liblab2_adapter.a"));
  folder.Write("s1/lab1/v1_interleaved_modulo.cu", "#error\n");
  folder.Write("s1/lab2/v1_naive.cu", "#error\n");
  const auto grade = [&folder](std::vector<std::string> labs) {
    std::vector<std::string> command = {WARPGRADE_BINARY, "grade",  folder.Path("s1"),          "--device",
                                        "emulator",       "--json", folder.Path("results.json")};
    for (const std::string& lab : labs) command.insert(command.end(), {"--lab", lab});
    return RunProgram(command, {"WARPGRADE_KIT=" + folder.Path("")});
  };
  const ProgramResult both = grade({"lab1", "lab2"});
  EXPECT_EQ(both.exit_code, 3) << both.err;
  EXPECT_THAT(both.err, HasSubstr("lab1 cannot be graded: these files are not built: " +
                                  folder.Path("liblab1_adapter.a") + "; run `cmake --build .`"));
  const auto submission = nlohmann::json::parse(ReadText(folder.Path("results.json")))["submissions"][0];
  ASSERT_EQ(submission["labs"].size(), 1U);
  EXPECT_EQ(submission["labs"][0]["lab"], "lab2");
  EXPECT_EQ(submission["labs"][0]["rungs"][0]["status"], "compile_error");
  EXPECT_EQ(submission["unfinished"][0]["lab"], "lab1");
  const ProgramResult alone = grade({"lab1"});
  EXPECT_EQ(alone.exit_code, 3);
  EXPECT_THAT(alone.err, HasSubstr("these files are not built: "));
}

}  // namespace
}  // namespace warpgrade
