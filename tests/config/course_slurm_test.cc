// `slurm`: what loads, and every mistake by its exact message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

using testing::ElementsAre;

// `slurm` stands in line 2.
std::string WithSlurm(const std::string& slurm) {
  return "course: {name: C}\nslurm: " + slurm +
         "\nlabs:\n  lab1:\n    title: L\n    rungs: {v1: {title: T, points: {correctness: 1}}}\n";
}

TEST(CourseSlurmTest, ACourseNeedsNoClusterAndThenHasNone) {
  const Result<Course> course = LoadText(
      "course: {name: C}\nlabs:\n  lab1:\n    title: L\n    rungs: {v1: {title: T, points: {correctness: 1}}}\n");
  ASSERT_TRUE(course) << course.error().message;
  EXPECT_EQ(course->slurm, std::nullopt);
}

TEST(CourseSlurmTest, TheFolderIsEnoughAndTheClusterDecidesTheRest) {
  const Result<Course> course = LoadText(WithSlurm("{folder: /shared/course}"));
  ASSERT_TRUE(course) << course.error().message;
  const Slurm& slurm = *course->slurm;
  EXPECT_EQ(slurm.folder, "/shared/course");
  EXPECT_EQ(slurm.partition + slurm.account + slurm.gres + slurm.gpu, "");
  EXPECT_EQ(slurm.time_s, std::nullopt);
  EXPECT_EQ(slurm.memory_mb, std::nullopt);
  EXPECT_EQ(slurm.at_once, 0);
  EXPECT_THAT(slurm.options, testing::IsEmpty());
}

TEST(CourseSlurmTest, EverythingCanBeSaid) {
  const Result<Course> course = LoadText(
      WithSlurm("{folder: /shared/course, partition: gpu, account: cs101, gres: \"gpu:h200:1\", gpu: NVIDIA H200, "
                "time: 30min, memory: 16GB, cores: 8, chunk: 4, at_once: 2, tries: 5, options: [--qos=short]}"));
  ASSERT_TRUE(course) << course.error().message;
  const Slurm& slurm = *course->slurm;
  EXPECT_EQ(slurm.partition, "gpu");
  EXPECT_EQ(slurm.account, "cs101");
  EXPECT_EQ(slurm.gres, "gpu:h200:1");
  EXPECT_EQ(slurm.gpu, "NVIDIA H200");
  EXPECT_EQ(slurm.time_s, 1800);
  EXPECT_EQ(slurm.memory_mb, 16384);
  EXPECT_EQ(slurm.cores, 8);
  EXPECT_EQ(slurm.chunk, 4);
  EXPECT_EQ(slurm.at_once, 2);
  EXPECT_EQ(slurm.tries, 5);
  EXPECT_THAT(slurm.options, ElementsAre("--qos=short"));
}

TEST(CourseSlurmTest, EveryMistakeHasItsPlace) {
  EXPECT_EQ(Mistakes(WithSlurm("{partition: gpu}")),
            "course.yaml:2:8: slurm has no 'folder'; add 'folder: /PATH', a folder that this machine and all nodes "
            "share");
  EXPECT_EQ(Mistakes(WithSlurm("{folder: shared}")),
            "course.yaml:2:17: slurm.folder: 'shared' does not begin with /; write the whole path of a folder that "
            "this machine and all nodes share");
  EXPECT_EQ(Mistakes(WithSlurm("{folder: /s, partition: gpu --wrap=x}")),
            "course.yaml:2:32: slurm.partition: 'gpu --wrap=x' is not the name of a partition, as sinfo prints it; "
            "write it without spaces");
  EXPECT_EQ(Mistakes(WithSlurm("{folder: /s, tries: 11}")),
            "course.yaml:2:28: slurm.tries is above 10; write a smaller number");
  EXPECT_EQ(Mistakes(WithSlurm("{folder: /s, options: --qos=short}")),
            "course.yaml:2:30: slurm.options is not a list; write '[--qos=short, ...]', or leave it out");
  EXPECT_EQ(Mistakes(WithSlurm("{folder: /s, options: [qos]}")),
            "course.yaml:2:31: slurm.options: 'qos' does not begin with --; write an option of sbatch with its value, "
            "such as --qos=short");
  EXPECT_THAT(Mistakes(WithSlurm("{folder: /s, patrition: gpu}")),
              testing::StartsWith("course.yaml:2:21: unknown key 'patrition' in slurm; did you mean 'partition'?"));
}

}  // namespace
}  // namespace warpgrade::config
