#include "grader/build/allowance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::build {
namespace {

using testing::Contains;

std::string Forbidden(const ObjectSymbols& symbols, const config::Allowance& allow = {}) {
  const auto found = FindForbiddenSymbol(symbols, allow);
  return found ? found->name : "";
}

TEST(AllowanceTest, WhatAKernelIsWrittenWithIsAllowed) {
  EXPECT_EQ(Forbidden({{"cudaLaunchKernel", "__cudaRegisterFatBinary", "_ZNSaIcEC1Ev", "_Znwm", "printf", "sqrtf",
                        "powl", "memcpy", "__stack_chk_fail", "__printf_chk"},
                       {"_Z9transposeIfEvv", "counter"}}),
            "");
}

TEST(AllowanceTest, FilesProcessesLibrariesAndTheLoaderAreNot) {
  for (const char* name :
       {"system", "fopen", "open", "dlopen", "fork", "execve", "socket", "ptrace", "mmap", "mprotect", "getenv",
        "syscall", "cublasCreate_v2", "cuLaunchKernel", "pthread_create", "signal"}) {
    EXPECT_EQ(Forbidden({{"printf", name}, {}}), name);
  }
}

TEST(AllowanceTest, StreamsOfFilesAndThreadsAreCalledByTheNameThatTheTextHas) {
  EXPECT_EQ(Forbidden({{"_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode"}, {}}), "ifstream");
  EXPECT_EQ(Forbidden({{"_ZNSt6thread4joinEv"}, {}}), "thread");
  EXPECT_EQ(Forbidden({{"cudaIpcOpenMemHandle"}, {}}), "cudaIpcOpenMemHandle");
}

TEST(AllowanceTest, ACourseMayAllowMore) {
  EXPECT_EQ(Forbidden({{"getenv", "cublasSgemm_v2", "cublasCreate_v2"}, {}}, {{}, {"getenv", "cublas*"}}), "");
  EXPECT_THAT(AllowedHeaders({{"cub/cub.cuh", "thrust/*"}, {}}), Contains("cub/cub.cuh"));
}

TEST(AllowanceTest, ANameThatTheGraderCallsMayNotBeDefined) {
  for (const char* name : {"cudaEventElapsedTime", "clock_gettime", "send", "warpgrade_lab_call"}) {
    EXPECT_EQ(Forbidden({{}, {name}}), name);
  }
}

TEST(AllowanceTest, AHeaderMustBeOursOrBroughtOrMatchAPattern) {
  const std::vector<std::string> brought = {"/cuda/include/cuda_runtime.h", "/usr/include/stdio.h"};
  const auto find = [&](const std::string& path, const config::Allowance& allow = {}) {
    return FindForbiddenHeader({"/rung/v1.cu", "/usr/include/stdio.h", path}, "/rung", brought, allow).has_value();
  };
  EXPECT_FALSE(find("/rung/labs/lab1/lab1.h"));
  EXPECT_FALSE(find("/cuda/include/cuda_runtime.h"));
  EXPECT_TRUE(find("/cuda/include/cub/cub.cuh"));
  EXPECT_TRUE(find("/rungs/other.h"));
  EXPECT_FALSE(find("/cuda/include/cub/block/scan.cuh", {{"cub/*"}, {}}));
}

TEST(AllowanceTest, AStarStandsForAnything) {
  EXPECT_TRUE(Matches("cudaMalloc", "cuda*"));
  EXPECT_TRUE(Matches("__printf_chk", "__*printf_chk"));
  EXPECT_TRUE(Matches("", "*"));
  EXPECT_FALSE(Matches("cuMalloc", "cuda*"));
  EXPECT_FALSE(Matches("printf", "print"));
}

TEST(AllowanceTest, FindsALineByAWholeWord) {
  EXPECT_EQ(LineWithWord("my_system();\nfilesystem\nsystem(\"x\");", "system"), 3);
  EXPECT_EQ(LineWithWord("nothing", "system"), 0);
}

}  // namespace
}  // namespace warpgrade::build
