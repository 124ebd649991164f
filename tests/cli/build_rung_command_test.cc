// `warpgrade build-rung`: what `make LAB` compiles a rung with, so that `check` finds it built.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr char kRight[] = R"(#include "labs/lab2/lab2.h"
template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) { NOT_WRITTEN_YET(); }
LAB2_INSTANTIATE();
)";

class BuildRungCommandTest : public testing::Test {
 protected:
  ProgramResult Build(const std::string& source) {
    const std::string file = folder_.Write("s1/lab2/v1_naive.cu", source);
    return RunProgram({WARPGRADE_BINARY, "build-rung", "lab2", "v1_naive", "--source", file, "--object", object_},
                      here_);
  }

  // The executables built so far: each one's place on the disk, which changes when it is built again. Objects and
  // warnings lie beside them.
  std::set<ino_t> Executables() const {
    std::set<ino_t> executables;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.Path("cache/warpgrade/rungs"))) {
      struct stat info;
      if (!fs::exists(entry.path().string() + ".object") || stat(entry.path().c_str(), &info) != 0) continue;
      executables.insert(info.st_ino);
    }
    return executables;
  }

  const TemporaryFolder folder_;
  const std::string object_ = folder_.Path("v1.o");
  const std::vector<std::string> here_ = {"XDG_CACHE_HOME=" + folder_.Path("cache")};
};

TEST_F(BuildRungCommandTest, LeavesTheObjectAndCheckDoesNotBuildAgain) {
  const ProgramResult built = Build(kRight);
  EXPECT_EQ(built.exit_code, 0) << built.err;
  EXPECT_THAT(built.out, IsEmpty());
  EXPECT_THAT(ReadText(object_), StartsWith("\x7f"
                                            "ELF"));
  const std::set<ino_t> executables = Executables();
  ASSERT_EQ(executables.size(), 1u);

  const ProgramResult checked = RunProgram(
      {WARPGRADE_BINARY, "check", "lab2", "v1", "--submission", folder_.Path("s1"), "--device", "emulator"}, here_);
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("not written yet"));
  EXPECT_THAT(checked.err, HasSubstr("v1_naive.cu still has the line NOT_WRITTEN_YET(); delete it"));
  EXPECT_EQ(Executables(), executables);
}

TEST_F(BuildRungCommandTest, ACompileErrorNamesTheFileByItsPath) {
  const ProgramResult built = Build(std::string(kRight) + "int broken = ;\n");
  EXPECT_EQ(built.exit_code, 1) << built.err;
  EXPECT_THAT(built.out, AllOf(StartsWith(folder_.Path("s1/lab2/v1_naive.cu") + "(5): error"),
                               HasSubstr("expected an expression")));
  EXPECT_FALSE(fs::exists(object_));
}

// The student's own headers and functions that no submission may use: `make LAB` compiles these without the kit.
TEST_F(BuildRungCommandTest, WhatOnlyASubmissionMayNotDoIsLeftToTheCaller) {
  folder_.Write("s1/lab2/mine.h", "");
  EXPECT_EQ(Build("#include \"mine.h\"\n" + std::string(kRight)).exit_code, 3);
  EXPECT_EQ(Build("#include <fstream>\n" + std::string(kRight)).exit_code, 3);
  EXPECT_FALSE(fs::exists(object_));
}

}  // namespace
}  // namespace warpgrade
