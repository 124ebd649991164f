#include "grader/build/toolchain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/build/temporary_folder.h"

namespace warpgrade::build {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class ToolchainTest : public testing::Test {
 protected:
  std::string FakeNvcc(const std::string& name, const std::string& version) {
    return folder_.Write(name + "/bin/nvcc",
                         "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V" + version + "'\n", true);
  }
  TemporaryFolder folder_;
};

TEST_F(ToolchainTest, TakesTheFirstThatRunsAndIsNewEnough) {
  const std::string old = FakeNvcc("old", "12.4.131"),
                    broken = folder_.Write("broken/bin/nvcc", "#!/bin/sh\nexit 1\n", true);
  const std::string good = FakeNvcc("good", "13.1.5"), other = FakeNvcc("other", "13.9.9");
  folder_.Write("good/lib/libcudart.so.13", "");
  const auto toolchain = FirstUsableToolchain({"/nowhere/nvcc", old, broken, good, other});
  ASSERT_TRUE(toolchain) << toolchain.error().message;
  EXPECT_EQ(toolchain->nvcc, good);
  EXPECT_THAT(toolchain->version, AllOf(HasSubstr("nvcc 13.1.5"), HasSubstr("g++")));
  EXPECT_THAT(toolchain->cudart_library, HasSubstr("good/lib/libcudart.so.13"));
  EXPECT_THAT(toolchain->include_dirs, Contains("/usr/include"));
}

TEST_F(ToolchainTest, HasGoldWhereItStandsBesideTheHostCompiler) {
  const std::string nvcc = FakeNvcc("good", "13.1.5");
  const std::string host = folder_.Write("host/g++", "#!/bin/sh\necho 'gcc version 12.2.0 (Debian)' >&2\n", true);
  setenv("NVCC_CCBIN", host.c_str(), 1);
  const auto without = FirstUsableToolchain({nvcc});
  folder_.Write("host/ld.gold", "#!/bin/sh\n", true);
  const auto with = FirstUsableToolchain({nvcc});
  unsetenv("NVCC_CCBIN");
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_FALSE(without->has_gold);
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_TRUE(with->has_gold);
}

// Some machines have a script on PATH that calls an nvcc elsewhere: the headers are where that one is.
TEST_F(ToolchainTest, BehindAScriptTheToolkitIsTheOneThatItCalls) {
  const std::string folder = (folder_.path() / "real/bin").string();
  const std::string real = folder_.Write("real/bin/nvcc",
                                         "#!/bin/sh\nif [ \"$1\" = --dryrun ]; then echo '#$ _HERE_=" + folder +
                                             "' >&2; else echo 'Cuda compilation tools, release 13.0, V13.0.88'; fi\n",
                                         true);
  const std::string script = folder_.Write("scripts/nvcc", "#!/bin/sh\nexec '" + real + "' \"$@\"\n", true);
  folder_.Write("scripts/nvcc.profile", "beside nvcc itself, and here beside a script");
  folder_.Write("links/nvcc.profile", "here beside a link");
  const std::string link = (folder_.path() / "links/nvcc").string();
  std::filesystem::create_symlink(script, link);
  for (const std::string& named : {script, link}) {
    const auto toolchain = FirstUsableToolchain({named});
    ASSERT_TRUE(toolchain) << toolchain.error().message;
    EXPECT_EQ(toolchain->nvcc, real);
    EXPECT_EQ(toolchain->root, (folder_.path() / "real").string());
  }
}

// A sandbox cannot show a folder that is not there, and a toolkit of Python wheels has no targets/.
TEST_F(ToolchainTest, OnlyFoldersThatAreThereAreNamed) {
  const std::string wheels = FakeNvcc("wheels", "13.0.88"), whole = FakeNvcc("whole", "13.0.88");
  folder_.Write("wheels/include/cuda.h", "");
  folder_.Write("whole/targets/x86_64-linux/include/cuda.h", "");
  EXPECT_THAT(FirstUsableToolchain({wheels})->include_dirs,
              Not(Contains((folder_.path() / "wheels/targets").string())));
  EXPECT_THAT(FirstUsableToolchain({whole})->include_dirs, Contains((folder_.path() / "whole/targets").string()));
}

TEST_F(ToolchainTest, AToolkitWithoutARuntimeSaysSo) {
  const auto toolchain = FirstUsableToolchain({FakeNvcc("bare", "13.0.88")});
  ASSERT_TRUE(toolchain);
  EXPECT_EQ(toolchain->cudart_library, "");
  EXPECT_EQ(toolchain->cudart_dir(), "");
}

TEST_F(ToolchainTest, WithoutNvccTheErrorSaysWhatToInstall) {
  const auto toolchain = FirstUsableToolchain({"/nowhere/nvcc"});
  ASSERT_FALSE(toolchain);
  EXPECT_EQ(toolchain.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(toolchain.error().message,
              AllOf(HasSubstr("no nvcc found"), HasSubstr("install the CUDA Toolkit 13"), HasSubstr("CUDACXX")));
}

TEST_F(ToolchainTest, AnNvccThatIsTooOldIsNamedWithItsVersion) {
  const std::string old = FakeNvcc("old", "12.4.131");
  const auto toolchain = FirstUsableToolchain({old});
  ASSERT_FALSE(toolchain);
  EXPECT_THAT(toolchain.error().message, HasSubstr(old + " has version 12.4.131"));
}

TEST_F(ToolchainTest, WhatTheCompilersSaidBeforeGivesTheSameToolchain) {
  const std::string cache = (folder_.path() / "cache").string();
  const auto asked = FindToolchain("");
  ASSERT_TRUE(asked) << asked.error().message;
  for (const char* time : {"first", "second"}) {
    const auto kept = FindToolchain("", cache);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(kept->version, asked->version) << time;
    EXPECT_EQ(kept->nvcc, asked->nvcc) << time;
    EXPECT_EQ(kept->include_dirs, asked->include_dirs) << time;
  }
  EXPECT_THAT(asked->version, testing::ContainsRegex("^nvcc [0-9.]+, g[+][+].*: .* version [0-9]"));
}

TEST_F(ToolchainTest, TheEnvironmentGoesBeforeThePath) {
  const std::string chosen = FakeNvcc("chosen", "13.0.1"), home = FakeNvcc("home", "13.0.2");
  setenv("CUDA_HOME", (folder_.path() / "home").c_str(), 1);
  auto toolchain = FindToolchain("");
  ASSERT_TRUE(toolchain);
  EXPECT_EQ(toolchain->nvcc, home);
  setenv("CUDACXX", chosen.c_str(), 1);
  toolchain = FindToolchain("");
  unsetenv("CUDACXX");
  unsetenv("CUDA_HOME");
  ASSERT_TRUE(toolchain);
  EXPECT_EQ(toolchain->nvcc, chosen);
}

}  // namespace
}  // namespace warpgrade::build
