// Each environment variable by itself: its default, its values, and what is said of a wrong one.
#include "grader/cudart/program_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace warpgrade::cudart {
namespace {

using testing::HasSubstr;

class ProgramOptionsTest : public testing::Test {
 protected:
  ~ProgramOptionsTest() override {
    for (const char* name :
         {"WARPGRADE_CHECK", "WARPGRADE_CHECK_ERRORS", "WARPGRADE_DEVICE_AS", "WARPGRADE_HOST_THREADS",
          "WARPGRADE_FRESH_BYTE", "WARPGRADE_INSTRUCTIONS", "WARPGRADE_SEED", "WARPGRADE_WAVE64"}) {
      unsetenv(name);
    }
  }
  static ProgramOptions Read() {
    const Result<ProgramOptions> options = ProgramOptions::FromEnvironment();
    EXPECT_TRUE(options.ok());
    return options ? *options : ProgramOptions();
  }
  static std::string Error() {
    const Result<ProgramOptions> options = ProgramOptions::FromEnvironment();
    return options ? "no error" : options.error().message;
  }
};

TEST_F(ProgramOptionsTest, ByDefaultChecksKernelsButNotWhatTheProgramLeaves) {
  const ProgramOptions options = Read();
  EXPECT_TRUE(options.device.checks.shared_races && options.device.checks.uninitialised);
  EXPECT_FALSE(options.leaks || options.unchecked_errors);
  EXPECT_EQ(options.device.multiprocessors, 132);
}

TEST_F(ProgramOptionsTest, AListSwitchesOnWhatItNamesAndNothingElse) {
  setenv("WARPGRADE_CHECK", "leaks,races", 1);
  const ProgramOptions options = Read();
  EXPECT_TRUE(options.leaks && options.device.checks.shared_races && options.device.checks.global_races);
  EXPECT_FALSE(options.device.checks.uninitialised || options.unchecked_errors);
}

TEST_F(ProgramOptionsTest, AllAndNoneAreWords) {
  setenv("WARPGRADE_CHECK", "all", 1);
  const ProgramOptions all = Read();
  EXPECT_TRUE(all.leaks && all.unchecked_errors && all.device.checks.global_races && all.device.checks.uninitialised);
  setenv("WARPGRADE_CHECK", "none", 1);
  const ProgramOptions none = Read();
  EXPECT_FALSE(none.leaks || none.unchecked_errors || none.device.checks.shared_races ||
               none.device.checks.uninitialised);
}

TEST_F(ProgramOptionsTest, ErrorsHaveASwitchOfTheirOwn) {
  setenv("WARPGRADE_CHECK", "none", 1);
  setenv("WARPGRADE_CHECK_ERRORS", "1", 1);
  EXPECT_TRUE(Read().unchecked_errors);
  setenv("WARPGRADE_CHECK_ERRORS", "0", 1);
  EXPECT_FALSE(Read().unchecked_errors);
}

TEST_F(ProgramOptionsTest, TheGpuBringsItsMultiprocessorsAndMemory) {
  setenv("WARPGRADE_DEVICE_AS", "t4", 1);
  const ProgramOptions options = Read();
  EXPECT_EQ(options.device.multiprocessors, 40);
  EXPECT_EQ(options.device.global_memory_bytes, uint64_t{15360} << 20);
}

TEST_F(ProgramOptionsTest, AKernelMayBeGivenFewerInstructions) {
  EXPECT_EQ(Read().device.instruction_budget, emulator::DeviceOptions().instruction_budget);
  setenv("WARPGRADE_INSTRUCTIONS", "1000", 1);
  EXPECT_EQ(Read().device.instruction_budget, 1000u);
  setenv("WARPGRADE_INSTRUCTIONS", "0", 1);
  EXPECT_THAT(Error(), HasSubstr("WARPGRADE_INSTRUCTIONS=0"));
}

TEST_F(ProgramOptionsTest, TheSeedAndTheThreadsReachTheDevice) {
  setenv("WARPGRADE_SEED", "12345678901234567890", 1);
  setenv("WARPGRADE_HOST_THREADS", "1", 1);
  EXPECT_EQ(Read().device.seed, 12345678901234567890u);
  EXPECT_EQ(Read().device.host_threads, 1);
  setenv("WARPGRADE_SEED", "-1", 1);
  EXPECT_THAT(Error(), HasSubstr("WARPGRADE_SEED=-1"));
}

TEST_F(ProgramOptionsTest, NewMemoryMayHoldAByte) {
  EXPECT_EQ(Read().device.fresh_byte, 0);
  setenv("WARPGRADE_FRESH_BYTE", "203", 1);
  EXPECT_EQ(Read().device.fresh_byte, 203);
  for (const char* wrong : {"256", "-1", "0xCB"}) {
    setenv("WARPGRADE_FRESH_BYTE", wrong, 1);
    EXPECT_THAT(Error(), HasSubstr("WARPGRADE_FRESH_BYTE=" + std::string(wrong)));
  }
}

TEST_F(ProgramOptionsTest, CountsWavefrontsOf64WhenAsked) {
  EXPECT_FALSE(Read().device.wave64);
  setenv("WARPGRADE_WAVE64", "0", 1);
  EXPECT_FALSE(Read().device.wave64);
  setenv("WARPGRADE_WAVE64", "1", 1);
  EXPECT_TRUE(Read().device.wave64);
}

TEST_F(ProgramOptionsTest, WhatIsNotUnderstoodIsNamed) {
  setenv("WARPGRADE_CHECK", "races,raycasting", 1);
  EXPECT_THAT(Error(), HasSubstr("WARPGRADE_CHECK=races,raycasting"));
  unsetenv("WARPGRADE_CHECK");
  setenv("WARPGRADE_HOST_THREADS", "two", 1);
  EXPECT_THAT(Error(), HasSubstr("WARPGRADE_HOST_THREADS=two"));
  setenv("WARPGRADE_HOST_THREADS", "-1", 1);
  EXPECT_THAT(Error(), HasSubstr("0 to 1024"));
  unsetenv("WARPGRADE_HOST_THREADS");
  setenv("WARPGRADE_DEVICE_AS", "geforce256", 1);
  EXPECT_THAT(Error(), HasSubstr("geforce256"));
}

}  // namespace
}  // namespace warpgrade::cudart
