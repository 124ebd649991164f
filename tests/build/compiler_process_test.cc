#include "grader/build/compiler_process.h"

#include <gtest/gtest.h>

#include <csignal>

namespace warpgrade::build {
namespace {

sandbox::ProcessResult FailedWith(const std::string& output) {
  sandbox::ProcessResult result;
  result.exit_code = 1;
  result.output = output;
  return result;
}

TEST(CompilerProcessTest, KnowsByWhoseWordsAPartOfItWasKilled) {
  for (const char* words : {"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n",
                            "g++: fatal error: Killed signal terminated program cc1plus\n",
                            "collect2: fatal error: ld terminated with signal 9 [Killed]\n"}) {
    EXPECT_TRUE(KilledBySystem(FailedWith(words))) << words;
  }
  for (const char* words : {"v1.cu(3): error: expected an expression\n",
                            "v1.cu:1:2: error: #error nvcc error : 'cicc' died due to signal 9\n",
                            "    1 | #error g++: fatal error: Killed signal terminated program cc1plus\n"}) {
    EXPECT_FALSE(KilledBySystem(FailedWith(words))) << words;
  }
}

TEST(CompilerProcessTest, WhatWeEndedOurselvesWasNotKilledByTheSystem) {
  sandbox::ProcessResult result;
  result.signal = SIGKILL;
  EXPECT_TRUE(KilledBySystem(result));
  result.memory_exceeded = true;
  EXPECT_FALSE(KilledBySystem(result));
}

}  // namespace
}  // namespace warpgrade::build
