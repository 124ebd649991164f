#include "grader/cli/run_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using testing::HasSubstr;

std::map<std::string, std::string> Environment(const RunOptions& options) {
  const auto environment = RunEnvironment(options, {"/tmp/x/findings", "/tmp/x/counters"});
  EXPECT_TRUE(environment.ok());
  return *environment;
}

TEST(RunOptionsTest, ChecksEverythingUnlessToldOtherwise) {
  EXPECT_EQ(*ParseChecks(""), "all");
  EXPECT_EQ(*ParseChecks("none"), "none");
  EXPECT_EQ(*ParseChecks("Leaks,RACES,leaks"), "leaks,races");
  EXPECT_EQ(*ParseChecks("uninitialized"), "uninitialised") << "both spellings";
}

TEST(RunOptionsTest, AnUnknownCheckIsAnsweredWithThoseThatThereAre) {
  for (const char* text : {"race", "races,", "all,races", "none,leaks"}) {
    const auto checks = ParseChecks(text);
    ASSERT_FALSE(checks.ok()) << text;
    EXPECT_EQ(checks.error().kind, ErrorKind::kUsage);
  }
  EXPECT_THAT(ParseChecks("race").error().message, HasSubstr("some of races,uninitialised,leaks,errors"));
}

TEST(RunOptionsTest, TellsTheRuntimeByEnvironmentVariables) {
  RunOptions options;
  options.check = "races,errors";
  options.seed = 7;
  options.threads = 2;
  options.instructions = 5'000'000'000;
  options.as = std::string("t4");
  const auto environment = Environment(options);
  EXPECT_EQ(environment.at("WARPGRADE_CHECK"), "races,errors");
  EXPECT_EQ(environment.at("WARPGRADE_CHECK_ERRORS"), "1");
  EXPECT_EQ(environment.at("WARPGRADE_SEED"), "7");
  EXPECT_EQ(environment.at("WARPGRADE_HOST_THREADS"), "2");
  EXPECT_EQ(environment.at("WARPGRADE_INSTRUCTIONS"), "5000000000");
  EXPECT_EQ(environment.at("WARPGRADE_DEVICE_AS"), "t4");
  EXPECT_EQ(environment.at("WARPGRADE_FINDINGS_FILE"), "/tmp/x/findings");
  EXPECT_EQ(environment.at("WARPGRADE_COUNTERS_FILE"), "") << "nothing is counted without --profile";
}

TEST(RunOptionsTest, UnsetsWhatWasNotAskedFor) {
  RunOptions options;
  const auto environment = Environment(options);
  EXPECT_EQ(environment.at("WARPGRADE_CHECK"), "all");
  EXPECT_EQ(environment.at("WARPGRADE_CHECK_ERRORS"), "1");
  EXPECT_EQ(environment.at("WARPGRADE_SEED"), "");
  EXPECT_EQ(environment.at("WARPGRADE_DEVICE_FD"), "") << "the judge's";
  EXPECT_EQ(environment.at("WARPGRADE_WAVE64"), "");
  options.check = "leaks";
  options.profile = true;
  options.wave64 = true;
  EXPECT_EQ(Environment(options).at("WARPGRADE_WAVE64"), "1");
  EXPECT_EQ(Environment(options).at("WARPGRADE_CHECK_ERRORS"), "");
  EXPECT_EQ(Environment(options).at("WARPGRADE_COUNTERS_FILE"), "/tmp/x/counters");
}

TEST(RunOptionsTest, WhatOnlyTheEmulatorHasAsksForIt) {
  EXPECT_FALSE(RunOptions().WantsEmulator());
  RunOptions options;
  options.error_exit_code = 0;
  EXPECT_TRUE(options.WantsEmulator());
  RunOptions profiled;
  profiled.profile = true;
  EXPECT_TRUE(profiled.WantsEmulator());
}

}  // namespace
}  // namespace warpgrade::cli
