// `limits` in course.yaml.
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

// limits start at line 2.
std::string WithLimits(const std::string& limits) {
  return "course: {name: C}\n" + limits +
         "labs: {lab1: {title: L, rungs: {v1: {title: T, points: {correctness: 1}}}}}\n";
}

TEST(CourseLimitsTest, HaveDefaults) {
  const Result<Course> course = LoadText(WithLimits(""));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->build_limits.wall_s, 60);
  EXPECT_EQ(course->run_limits.output_kb, 64);
  EXPECT_EQ(course->run_limits.host_visible_kb, 4);
  EXPECT_EQ(course->run_limits.instruction_budget, 2'000'000'000u);
  EXPECT_EQ(course->run_limits.total_instruction_budget, 10'000'000'000u);
}

TEST(CourseLimitsTest, AreReadInTheirUnits) {
  const Result<Course> course =
      LoadText(WithLimits("limits:\n"
                          "  build: {wall: 2min, cpu: 90s, memory: 2GB, output: 1MB, file: 1GB}\n"
                          "  run: {wall: 10s, cpu: 20s, memory: 512MB, output: 16KB, file: 3MB, host_visible: 1MB, "
                          "instructions: 5e8, instructions_in_all: 3e9}\n"));
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->build_limits.wall_s, 120);
  EXPECT_EQ(course->build_limits.cpu_s, 90);
  EXPECT_EQ(course->build_limits.memory_mb, 2048);
  EXPECT_EQ(course->build_limits.output_kb, 1024);
  EXPECT_EQ(course->build_limits.file_mb, 1024);
  EXPECT_EQ(course->run_limits.wall_s, 10);
  EXPECT_EQ(course->run_limits.cpu_s, 20);
  EXPECT_EQ(course->run_limits.memory_mb, 512);
  EXPECT_EQ(course->run_limits.output_kb, 16);
  EXPECT_EQ(course->run_limits.file_mb, 3);
  EXPECT_EQ(course->run_limits.host_visible_kb, 1024);
  EXPECT_EQ(course->run_limits.instruction_budget, 500'000'000u);
  EXPECT_EQ(course->run_limits.total_instruction_budget, 3'000'000'000u);
}

TEST(CourseLimitsTest, RefuseUnitsThatDoNotFit) {
  EXPECT_EQ(Mistakes(WithLimits("limits:\n"
                                "  build: {wall: 60, memory: 4096, instructions: 1}\n"
                                "  run: {memory: 100KB, cpu: 0s, file: [1], instructions: lots}\n")),
            "course.yaml:3:17: limits.build.wall: '60' is not a duration; write a whole number with s, min or h, such "
            "as 60s\ncourse.yaml:3:29: limits.build.memory: '4096' is not a size; write a whole number with KB, MB or "
            "GB, such as 512MB\ncourse.yaml:3:35: unknown key 'instructions' in limits.build; the keys are wall, cpu, "
            "memory, output and file\ncourse.yaml:4:17: limits.run.memory: '100KB' is not a whole number of MB; round "
            "it up\ncourse.yaml:4:29: limits.run.cpu: '0s' is out of range; write a duration from 1s to "
            "24h\ncourse.yaml:4:39: limits.run.file is a list; write a size such as 512MB\ncourse.yaml:4:58: "
            "limits.run.instructions: 'lots' is not a number; write a decimal number such as 0.9");
}

TEST(CourseLimitsTest, RefuseAnythingButAMapping) {
  EXPECT_EQ(Mistakes(WithLimits("limits: 60s\n")),
            "course.yaml:2:9: limits is a single value; write a mapping with build and run");
}

}  // namespace
}  // namespace warpgrade::config
