#include "grader/cli/test_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpgrade::cli {
namespace {

using config::Points;

class TestRecordTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = testing::TempDir() + "/record_" + std::to_string(getpid()); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(TestRecordTest, ComesBackAsWritten) {
  const TestRecord written{Outcome::kSkipped, "NVIDIA H200", Points::FromHundredths(750), Points::FromHundredths(1000),
                           "no GPU"};
  ASSERT_TRUE(WriteRecord(folder_, "lab1.v1.throughput", written).ok());
  const auto records = ReadRecords(folder_);
  ASSERT_EQ(records.size(), 1u);
  const TestRecord& read = records.at("lab1.v1.throughput");
  EXPECT_EQ(read.outcome, Outcome::kSkipped);
  EXPECT_EQ(read.device, "NVIDIA H200");
  EXPECT_EQ(read.points, written.points);
  EXPECT_EQ(read.max_points, written.max_points);
  EXPECT_EQ(read.note, "no GPU");
}

TEST_F(TestRecordTest, NotesWithTabsAndNewlinesStayOneRecord) {
  ASSERT_TRUE(WriteRecord(folder_, "a", {.outcome = Outcome::kFailed, .note = "one\ttwo\nthree"}).ok());
  EXPECT_EQ(ReadRecords(folder_).at("a").note, "one two three");
}

TEST_F(TestRecordTest, FilesThatAreNoRecordsAreLeftOut) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/junk") << "hello\n";
  std::ofstream(folder_ + "/odd_points") << "passed\tgpu\tx\t0\t\n";
  EXPECT_TRUE(ReadRecords(folder_).empty());
  EXPECT_TRUE(ReadRecords(folder_ + "/nowhere").empty());
}

TEST_F(TestRecordTest, AnUnwritableFolderIsAnError) {
  std::ofstream(folder_) << "a file in the way";
  EXPECT_THAT(WriteRecord(folder_, "a", {}).error().message, testing::HasSubstr("cannot be written"));
}

TEST(NaturalOrderTest, RungTenComesAfterRungTwo) {
  const NaturalOrder before;
  EXPECT_TRUE(before("lab1.v2_x", "lab1.v10_x"));
  EXPECT_FALSE(before("lab1.v10_x", "lab1.v2_x"));
  EXPECT_TRUE(before("lab1.v9", "lab2.v1"));
  EXPECT_TRUE(before("lab1", "lab1.v1"));
  EXPECT_FALSE(before("lab1", "lab1"));
}

}  // namespace
}  // namespace warpgrade::cli
