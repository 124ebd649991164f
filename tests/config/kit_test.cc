#include "grader/config/kit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warpgrade::config {
namespace {

namespace fs = std::filesystem;

// A prefix with an executable, labs and course.yaml, as 'cmake --install' lays it out.
class KitTest : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("WARPGRADE_KIT");
    prefix_ = fs::path(testing::TempDir()) / ("warpgrade_kit_" + std::to_string(getpid()) + "_" +
                                              testing::UnitTest::GetInstance()->current_test_info()->name());
    Write("bin/warpgrade", "");
    Write("share/warpgrade/course.yaml", "");
    fs::create_directories(prefix_ / "share/warpgrade/labs");
  }
  void TearDown() override {
    unsetenv("WARPGRADE_KIT");
    fs::remove_all(prefix_);
  }
  void Write(const std::string& path, const std::string& text) const {
    fs::create_directories((prefix_ / path).parent_path());
    std::ofstream(prefix_ / path) << text;
  }
  void WriteKit(const std::string& path = "share/warpgrade/kit.yaml", const std::string& up = "") const {
    Write(path, "labs: " + up + "share/warpgrade/labs\ncourse: " + up +
                    "share/warpgrade/course.yaml\nsolutions: share/warpgrade/solutions\n"
                    "starter: share/warpgrade/starter\nemulator_library: lib/warpgrade\n"
                    "worker: lib/warpgrade/libworker.a\ncalibrator: lib/warpgrade/calibrator\nadapter: "
                    "\"lib/warpgrade/lib{lab}_adapter.a\"\n"
                    "include: [share/warpgrade/include, /opt/include]\n");
  }
  std::string In(const std::string& path) const { return (prefix_ / path).string(); }

  fs::path prefix_;
};

TEST_F(KitTest, IsFoundBesideTheExecutable) {
  WriteKit();
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_TRUE(kit) << kit.error().message;
  EXPECT_EQ(kit->root, prefix_.string());
  EXPECT_EQ(kit->labs_dir, In("share/warpgrade/labs"));
  EXPECT_EQ(kit->course_yaml, In("share/warpgrade/course.yaml"));
  EXPECT_EQ(kit->worker_archive, In("lib/warpgrade/libworker.a"));
  EXPECT_EQ(kit->calibrator, In("lib/warpgrade/calibrator"));
  EXPECT_EQ(kit->adapter_archive("lab1"), In("lib/warpgrade/liblab1_adapter.a"));
  EXPECT_EQ(kit->include_dirs, (std::vector<std::string>{In("share/warpgrade/include"), "/opt/include"}));
}

TEST_F(KitTest, IsFoundThroughALinkToTheExecutable) {
  WriteKit();
  fs::create_symlink(prefix_ / "bin/warpgrade", prefix_ / "link");
  EXPECT_TRUE(FindKit(In("link")));
}

TEST_F(KitTest, IsFoundThroughTheEnvironmentFirst) {
  WriteKit();
  setenv("WARPGRADE_KIT", prefix_.c_str(), 1);
  EXPECT_TRUE(FindKit("/nowhere/bin/warpgrade"));
}

TEST_F(KitTest, IsFoundInTheBuildFolderOfASourceTree) {
  WriteKit("build/share/warpgrade/kit.yaml", "../");
  setenv("WARPGRADE_KIT", prefix_.c_str(), 1);
  const Result<Kit> kit = FindKit("/nowhere/bin/warpgrade");
  ASSERT_TRUE(kit) << kit.error().message;
  EXPECT_EQ(kit->root, In("build"));
  EXPECT_EQ(kit->labs_dir, In("share/warpgrade/labs"));
}

TEST_F(KitTest, SaysWhatWasLookedForWhere) {
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_FALSE(kit);
  EXPECT_EQ(kit.error().kind, ErrorKind::kMachine);
  EXPECT_EQ(kit.error().message,
            In("bin/warpgrade") + " does not find its files: looked for " + In("share/warpgrade/kit.yaml") +
                "; run it in its build folder or installed prefix, or set WARPGRADE_KIT to one of them");
}

TEST_F(KitTest, SaysThatTheEnvironmentIsWrong) {
  setenv("WARPGRADE_KIT", "/nowhere", 1);
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_FALSE(kit);
  EXPECT_EQ(kit.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(kit.error().message,
            "WARPGRADE_KIT=/nowhere is not a kit: looked for /nowhere/share/warpgrade/kit.yaml and "
            "/nowhere/build/share/warpgrade/kit.yaml; set it to an installed prefix or a build folder, or unset it");
}

TEST_F(KitTest, SaysThatTheTreeWasMoved) {
  WriteKit();
  fs::remove(prefix_ / "share/warpgrade/course.yaml");
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_FALSE(kit);
  EXPECT_EQ(kit.error().message, In("share/warpgrade/kit.yaml") + ": names " + In("share/warpgrade/course.yaml") +
                                     ", which does not exist; if the source tree or the installed kit was moved, "
                                     "configure or install it again");
}

TEST_F(KitTest, PointsAtAMistakeInKitYaml) {
  Write("share/warpgrade/kit.yaml",
        "labs: a\ncourse: b\nsolutions: c\nstarter: d\nemulator_library: e\nworker: f\ncalibrator: i\nadapter: "
        "g\ninclude: h\n"
        "extra: i\n");
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_FALSE(kit);
  const std::string file = In("share/warpgrade/kit.yaml");
  EXPECT_EQ(kit.error().message,
            file + ":9:10: include is not a list; write [PATH, PATH]\n" + file +
                ":10:1: unknown key 'extra' in the file; the keys are labs, course, solutions, "
                "starter, emulator_library, worker, calibrator, adapter, include and students_edition");
}

TEST_F(KitTest, HasTheRungsOfItsStarterFilesAndSolutions) {
  WriteKit();
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_TRUE(kit);
  EXPECT_TRUE(kit->Rungs().empty());
  Write("share/warpgrade/labs/lab1/lab1.h", "");
  Write("share/warpgrade/labs/lab2/lab2.h", "");
  Write("share/warpgrade/labs/support/arrays.h", "");
  Write("share/warpgrade/starter/lab1/v2_b.cu", "");
  Write("share/warpgrade/starter/lab1/answers.yaml", "");
  Write("share/warpgrade/solutions/lab1/v1_a.cu", "");
  EXPECT_EQ(kit->Rungs(), (KitRungs{{"lab1", {"v1_a", "v2_b"}}, {"lab2", {}}}));
}

TEST_F(KitTest, NamesWhatIsNotBuilt) {
  WriteKit();
  const Result<Kit> kit = FindKit(In("bin/warpgrade"));
  ASSERT_TRUE(kit);
  EXPECT_EQ(kit->CheckBuilt({"lab1"}).error().message,
            "these files are not built: " + In("lib/warpgrade/libworker.a") + ", " + In("lib/warpgrade/calibrator") +
                ", " + In("lib/warpgrade/libcudart.so.13") + ", " + In("lib/warpgrade/liblab1_adapter.a") +
                "; run `cmake --build .` in the build folder, or install the kit again");
  Write("lib/warpgrade/libworker.a", "");
  Write("lib/warpgrade/calibrator", "");
  Write("lib/warpgrade/libcudart.so.13", "");
  Write("lib/warpgrade/liblab1_adapter.a", "");
  EXPECT_TRUE(kit->CheckBuilt({"lab1"}));
}

}  // namespace
}  // namespace warpgrade::config
