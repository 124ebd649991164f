// Builds with the real nvcc, against the toy lab in kit/.
#include "grader/build/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <thread>

#include "grader/sandbox/process.h"
#include "tests/build/build_fixture.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(BuildTest, ARightFileBecomesAWorkerThatFindsItsRuntimeThroughTheLibraryPath) {
  const BuildResult result = Built(kRight);
  ASSERT_EQ(result.status, BuildResult::Status::kOk) << result.diagnostics;
  EXPECT_THAT(result.diagnostics, IsEmpty());
  EXPECT_EQ(Run({result.executable}, {"LD_LIBRARY_PATH=" + options_.toolchain.cudart_dir()}),
            "answer 42, runtime 13\n");
  const std::string dynamic = Run({"/usr/bin/readelf", "-d", result.executable});
  EXPECT_THAT(dynamic, AllOf(HasSubstr("[libcudart.so.13]"), Not(HasSubstr("RUNPATH")), Not(HasSubstr("RPATH"))));
}

TEST_F(BuildTest, TheExecutableLivesAsLongAsItsResultAndNothingElseIsKept) {
  std::string executable;
  {
    const BuildResult result = Built(kRight);
    executable = result.executable;
    const auto entries = fs::directory_iterator(fs::path(executable).parent_path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  }
  EXPECT_FALSE(fs::exists(executable));
}

TEST_F(BuildTest, AnObjectLivesAsLongAsItsResult) {
  Builder builder(options_);
  BuildRequest request = Request(kRight);
  request.keep_object = true;
  std::string object;
  {
    const auto result = builder.Build(request);
    ASSERT_TRUE(result) << result.error().message;
    object = result->object;
    EXPECT_TRUE(fs::exists(object));
  }
  EXPECT_FALSE(fs::exists(object));
}

TEST_F(BuildTest, MachineCodeIsAddedForAGpu) {
  Builder builder(options_);
  BuildRequest request = Request(kRight);
  request.gpu_arch = 90;
  const auto result = builder.Build(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->status, BuildResult::Status::kOk) << result->diagnostics;
  const std::string cuobjdump = options_.toolchain.root + "/bin/cuobjdump";
  if (!fs::exists(cuobjdump)) return;
  EXPECT_THAT(Run({cuobjdump, "--list-elf", "--list-ptx", result->executable}),
              AllOf(HasSubstr("sm_90.cubin"), HasSubstr("sm_75.ptx")));
}

TEST_F(BuildTest, ACompileErrorNamesTheStudentsFileAndLine) {
  const BuildResult result = Built("#include \"labs/toy/toy.h\"\nint answer() { return forty_two; }\n");
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_THAT(result.diagnostics, HasSubstr("v1_toy.cu(2): error: identifier \"forty_two\" is undefined"));
  EXPECT_THAT(result.diagnostics, Not(HasSubstr(folder_.path().string())));
}

// <cmath> of libstdc++ brings them to each file, and they take a third of a small file's time.
TEST_F(BuildTest, ARightFileIsCompiledWithoutTheSpecialFunctionsOfTheStandardLibrary) {
  const BuildResult result =
      Built(std::string(kRight) + "#ifdef __cpp_lib_math_special_functions\n#warning all headers\n#endif\n");
  ASSERT_EQ(result.status, BuildResult::Status::kOk) << result.diagnostics;
  EXPECT_THAT(result.diagnostics, IsEmpty());
}

TEST_F(BuildTest, AFileMayUseWhateverNvccIncludesByItself) {
  const BuildResult result =
      Built(std::string(kRight) +
            "double more(double x) { return std::beta(x, 2.0) + std::numeric_limits<float>::max() "
            "+ std::max(x, 1.0); }\n");
  ASSERT_EQ(result.status, BuildResult::Status::kOk) << result.diagnostics;
  EXPECT_THAT(result.diagnostics, IsEmpty());
}

TEST_F(BuildTest, AnErrorIsThatOfACompilationWithAllHeaders) {
  const BuildResult result =
      Built(std::string(kRight) + "double more(double x) { return std::max(x, 1.0); }\nint wrong = forty_two;\n");
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_THAT(result.diagnostics, HasSubstr("v1_toy.cu(10): error: identifier \"forty_two\" is undefined"));
  EXPECT_THAT(result.diagnostics, Not(HasSubstr("max")));
}

TEST_F(BuildTest, AMissingFunctionIsNamed) {
  const BuildResult result = Built(
      "#include \"labs/toy/toy.h\"\ntemplate <typename T> void twice(const T*, T*) {}\n"
      "template void twice<int>(const int*, int*);\ntemplate void twice<float>(const float*, float*);\n");
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_EQ(result.diagnostics,
            "v1_toy.cu: does not define answer(); keep the name and the parameters that labs/toy/toy.h declares\n");
}

TEST_F(BuildTest, AFunctionThatTheStudentUsesButForgotIsNamed) {
  const BuildResult result = Built(std::string(kRight) + "int helper(int);\nint more() { return helper(1); }\n");
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_EQ(result.diagnostics, "v1_toy.cu: uses helper(int), which is not defined; define it in this file\n");
}

TEST_F(BuildTest, AMainOfTheStudentsIsRefusedAndDoesNotTakeTheWorkersPlace) {
  const BuildResult result = Built(std::string(kRight) + "int main() { return 0; }\n");
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_THAT(result.diagnostics, HasSubstr("v1_toy.cu: defines main()"));
}

// What the assembler writes into the object is all that a student can reach: these try to hide a symbol from the check,
// or to hand intermediate code to a compiler that the linker starts.
TEST_F(BuildTest, NoAsmStatementGetsASymbolPastTheCheckOrACompilerIntoTheLinker) {
  const auto refusal = [this](const std::string& text) {
    const BuildResult result = Built(std::string(kRight) + text);
    EXPECT_EQ(result.status, BuildResult::Status::kRefused) << text << "\n" << result.diagnostics;
    return result.diagnostics;
  };
  EXPECT_THAT(refusal("asm(\".section .gnu.lto_main.1,\\\"e\\\",@progbits\\n.string \\\"x\\\"\\n.text\");\n"),
              HasSubstr("makes the section .gnu.lto_main.1"));
  EXPECT_THAT(refusal("extern \"C\" int fake(int, void*) { return 0; }\n"
                      "asm(\".symver fake, clock_gettime@@GLIBC_2.17\");\n"),
              HasSubstr("defines clock_gettime"));
  EXPECT_THAT(refusal("asm(\".symver hidden, system@GLIBC_2.2.5\\n.data\\n.quad hidden\\n.text\");\n"),
              HasSubstr("uses system"));
  EXPECT_THAT(refusal("asm(\".globl clock_gettime\\nclock_gettime = answer_alias\\nanswer_alias:\");\n"),
              HasSubstr("defines clock_gettime"));
  EXPECT_THAT(refusal("asm(\".section .dynsym,\\\"\\\",@11\\n.quad 0\\n.data\\n.quad system\\n.text\");\n"),
              HasSubstr("uses system"));
}

TEST_F(BuildTest, AnEmptyFileIsACompileErrorThatNamesWhatIsMissing) {
  const BuildResult result = Built("");
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_THAT(result.diagnostics,
              AllOf(HasSubstr("does not define answer()"), HasSubstr("does not define void twice<int>")));
}

TEST_F(BuildTest, WarningsAreShownWhenItBuilds) {
  const BuildResult result = Built(std::string(kRight) + "int no_return() { int unused; }\n");
  EXPECT_EQ(result.status, BuildResult::Status::kOk);
  EXPECT_THAT(result.diagnostics, HasSubstr("v1_toy.cu(9): warning"));
}

TEST_F(BuildTest, SolutionsAndJudgesHeadersAreOutOfReach) {
  for (const char* name : {"solutions/toy/v1_toy.cu", "labs/toy/toy_judge.h"}) {
    const BuildResult result = Built("#include \"" + std::string(name) + "\"\n" + kRight);
    EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
    EXPECT_THAT(result.diagnostics, AllOf(HasSubstr(name), HasSubstr("No such file or directory")));
  }
}

TEST_F(BuildTest, PathsThatLeaveTheWorkDirectoryAreRefused) {
  for (const char* line : {"#include \"/etc/passwd\"", "  #  include <../../etc/passwd>",
                           "#include \"labs/toy/../../../../../../etc/passwd\""}) {
    const BuildResult result = Built(std::string("\n") + line + "\n" + kRight);
    EXPECT_EQ(result.status, BuildResult::Status::kRefused) << line;
    EXPECT_THAT(result.diagnostics, HasSubstr("v1_toy.cu:2: includes a file that is not allowed")) << line;
  }
}

TEST_F(BuildTest, AnIncludeHiddenInAMacroIsRefusedAndNotQuoted) {
  const std::string secret = folder_.Write("secret.h", "the secret of the other student\n");
  const BuildResult result = Built("#define FILE \"" + secret + "\"\n#include FILE\n" + kRight);
  EXPECT_EQ(result.status, BuildResult::Status::kRefused);
  EXPECT_THAT(result.diagnostics, Not(HasSubstr("the secret")));
}

TEST_F(BuildTest, AnEndlessTemplateIsStopped) {
  options_.limits.cpu_s = 3;
  // Doubles with every level, 60 levels deep: more instances than any compiler finishes.
  const BuildResult result = Built(
      "template <int N, long long P> struct Tree {\n"
      "  static constexpr int value = Tree<N - 1, 2 * P>::value + Tree<N - 1, 2 * P + 1>::value; };\n"
      "template <long long P> struct Tree<0, P> { static constexpr int value = 1; };\n"
      "int answer() { return Tree<60, 1>::value; }\n");
  EXPECT_EQ(result.status, BuildResult::Status::kTimeout) << result.diagnostics;
  EXPECT_THAT(result.diagnostics, HasSubstr("v1_toy.cu: compiling was stopped after"));
}

TEST_F(BuildTest, AFloodOfMessagesIsCutShort) {
  std::string source = "#include \"labs/toy/toy.h\"\n";
  for (int i = 0; i < 50; ++i) source += "int f" + std::to_string(i) + "() { return unknown; }\n";
  const BuildResult result = Built(source);
  EXPECT_EQ(result.status, BuildResult::Status::kCompileError);
  EXPECT_THAT(result.diagnostics, HasSubstr("and 45 more errors"));
}

TEST_F(BuildTest, TooMuchCompilerOutputIsALimit) {
  options_.limits.output_kb = 1;
  std::string source;
  for (int i = 0; i < 50; ++i) source += "int f" + std::to_string(i) + "() { return unknown; }\n";
  EXPECT_EQ(Built(source).status, BuildResult::Status::kLimit);
}

TEST_F(BuildTest, AMissingPartOfTheKitIsAMachineErrorThatNamesIt) {
  Builder builder(options_);
  BuildRequest request = Request(kRight);
  request.lab = "lab77";
  auto result = builder.Build(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kMachine);
  EXPECT_THAT(result.error().message, HasSubstr("labs/lab77/lab77.h: not found"));

  options_.worker_archive = "/nowhere/libworker.a";
  result = Builder(options_).Build(Request(kRight));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("/nowhere/libworker.a: not found"));
}

TEST_F(BuildTest, CancellingStopsTheCompiler) {
  std::atomic<bool> cancel = true;
  Builder builder(options_);
  const auto result = builder.Build(Request(kRight), &cancel);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("interrupted"));
}

class BuildCacheTest : public BuildTest {
 protected:
  BuildCacheTest() { options_.cache_dir = (folder_.path() / "cache dir").string(); }
};

TEST_F(BuildCacheTest, TheSameSourceIsCompiledOnceAndAnyChangeAgain) {
  Builder builder(options_);
  const auto first = builder.Build(Request(kRight));
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->from_cache);
  EXPECT_EQ(Run({first->executable}, {"LD_LIBRARY_PATH=" + options_.toolchain.cudart_dir()}),
            "answer 42, runtime 13\n");
  const auto second = Builder(options_).Build(Request(kRight));
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(second->executable, first->executable);

  EXPECT_FALSE(Built(std::string(kRight) + "// changed\n").from_cache);
  BuildRequest renamed = Request(kRight);
  renamed.rung = "v2_toy";
  EXPECT_FALSE(builder.Build(renamed)->from_cache);
}

TEST_F(BuildCacheTest, AnObjectIsKeptWithTheWarningsForThoseWhoWantIt) {
  const std::string source = std::string(kRight) + "__global__ void unused() { int never_used; }\n";
  BuildRequest with_object = Request(source);
  with_object.keep_object = true;
  ASSERT_FALSE(Built(source).from_cache);
  const auto first = Builder(options_).Build(with_object);
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->from_cache) << "nobody had asked for the object so far";
  EXPECT_TRUE(fs::exists(first->object));
  EXPECT_THAT(first->diagnostics, HasSubstr("never_used"));
  const auto second = Builder(options_).Build(with_object);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(second->object, first->object);
  EXPECT_EQ(second->diagnostics, first->diagnostics);
  EXPECT_TRUE(Built(source).from_cache);
}

TEST_F(BuildCacheTest, AChangedHeaderOfTheLabCompilesAgain) {
  ASSERT_FALSE(Built(kRight).from_cache);
  const fs::path kit = folder_.path() / "other kit";
  fs::create_directories(kit);
  fs::copy(fs::path(BUILD_TEST_KIT) / "labs", kit / "labs", fs::copy_options::recursive);
  options_.include_dirs = {kit.string()};
  EXPECT_TRUE(Built(kRight).from_cache);  // the same headers elsewhere
  folder_.Write("other kit/labs/toy/number.h", "#pragma once\nusing Number = long;\n");
  EXPECT_FALSE(Built(kRight).from_cache);
}

TEST_F(BuildCacheTest, FailuresAreNotKept) {
  ASSERT_EQ(Built("broken").status, BuildResult::Status::kCompileError);
  EXPECT_EQ(Built("broken").status, BuildResult::Status::kCompileError);
}

TEST_F(BuildCacheTest, WhatDependsOnTheDayIsNotKept) {
  const std::string source = std::string(kRight) + "const char* kWhen = __DATE__;\n";
  ASSERT_FALSE(Built(source).from_cache);
  EXPECT_FALSE(Built(source).from_cache);
}

TEST_F(BuildCacheTest, AFolderThatOthersMayWriteToIsNotUsed) {
  fs::create_directories(options_.cache_dir);
  fs::permissions(options_.cache_dir, fs::perms::all);
  ASSERT_EQ(Built(kRight).status, BuildResult::Status::kOk);
  EXPECT_TRUE(fs::is_empty(options_.cache_dir));
}

TEST_F(BuildCacheTest, ThreadsThatAskForTheSameGetOneCompilation) {
  Builder builder(options_);
  std::atomic<int> compiled = 0, found = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        const auto result = builder.Build(Request(kRight));
        if (result && result->status == BuildResult::Status::kOk) ++(result->from_cache ? found : compiled);
      });
    }
  }
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(found, 5);
}

TEST_F(BuildCacheTest, ThreadsMayBuildDifferentThingsAtOnce) {
  Builder builder(options_);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        std::string source = kRight;
        source.replace(source.find("42"), 2, std::to_string(50 + i));
        const auto result = builder.Build(Request(source));
        if (!result || result->status != BuildResult::Status::kOk) return;
        const std::string said = Run({result->executable}, {"LD_LIBRARY_PATH=" + options_.toolchain.cudart_dir()});
        if (said == "answer " + std::to_string(50 + i) + ", runtime 13\n") ++right;
      });
    }
  }
  EXPECT_EQ(right, 3);
}

}  // namespace
}  // namespace warpgrade::build
