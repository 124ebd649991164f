// What the batch and its tasks write for each other.
#include <gtest/gtest.h>

#include "grader/cli/slurm_files.h"

namespace warpgrade::cli {
namespace {

SlurmOrder AnOrder() {
  SlurmOrder order;
  order.lab = "lab1";
  order.course_yaml = "/w/course.yaml";
  order.conditions = {"0.1.0", "abc", "gpu", "NVIDIA H200"};
  order.delay_seed = 18'446'744'073'709'551'615u;
  order.jobs = 8;
  order.sandbox = Sandbox::kUser;
  order.use_cache = false;
  order.submission.id = "s1042";
  order.submission.student = "s1042";
  order.submission.source = "class/\xff.zip";
  order.submission.files = {{"lab1/v1.cu", std::string("int x;\0\xc3\x28", 9)}, {"lab1/answers.yaml", ""}};
  order.submission.messages = {"lab1/v2.cu: too large"};
  return order;
}

TEST(SlurmFilesTest, AnOrderComesBackAsItWasAlsoWithBytesThatAreNotText) {
  const SlurmOrder order = AnOrder();
  const Result<SlurmOrder> read = UnpackOrder(PackOrder(order));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->lab, order.lab);
  EXPECT_EQ(read->course_yaml, order.course_yaml);
  EXPECT_EQ(read->conditions, order.conditions);
  EXPECT_EQ(read->delay_seed, order.delay_seed);
  EXPECT_EQ(read->jobs, order.jobs);
  EXPECT_EQ(read->sandbox, order.sandbox);
  EXPECT_EQ(read->use_cache, order.use_cache);
  EXPECT_EQ(read->submission.id, order.submission.id);
  EXPECT_EQ(read->submission.student, order.submission.student);
  EXPECT_EQ(read->submission.source, order.submission.source);
  EXPECT_EQ(read->submission.files, order.submission.files);
  EXPECT_EQ(read->submission.messages, order.submission.messages);
}

TEST(SlurmFilesTest, AnAnswerThatIsCutOffOrOfAnotherKindIsAnError) {
  const std::string bytes = PackAnswer({"n1", "", R"({"schema": "x"})"});
  const Result<SlurmAnswer> read = UnpackAnswer(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->node, "n1");
  EXPECT_EQ(read->report, R"({"schema": "x"})");
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(UnpackAnswer(bytes.substr(0, length))) << length;
  EXPECT_FALSE(UnpackAnswer(PackOrder(AnOrder())));
  EXPECT_FALSE(UnpackOrder(bytes));
  EXPECT_FALSE(UnpackAnswer("null"));
}

}  // namespace
}  // namespace warpgrade::cli
