#include "grader/config/mutant_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace warpgrade::config {
namespace {

using testing::HasSubstr;

std::string FileWith(const std::string& text) {
  std::string path = testing::TempDir() + "/mutant_rows_test.yaml";
  std::ofstream(path) << text;
  return path;
}

TEST(MutantRowsTest, EveryLabOfTheKitHasReadableRows) {
  for (const char* lab : {"lab0", "lab1", "lab2", "lab3", "lab4", "lab5", "lab6", "lab7", "lab8"}) {
    const auto rows = ReadMutantRows(std::string(WARPGRADE_SOURCE_DIR) + "/labs/" + lab + "/mutants/mutants.yaml");
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_FALSE(rows->empty()) << lab;
    for (const MutantRow& row : *rows) {
      EXPECT_THAT(row.name, HasSubstr("__"));
      EXPECT_TRUE(row.lost == "correctness" || row.lost == "technique" || row.lost == "nothing") << row.name;
    }
  }
}

TEST(MutantRowsTest, ARowWithoutANameOrAFileWithoutRowsIsAMistake) {
  EXPECT_THAT(ReadMutantRows(FileWith("mutants:\n  - {lost: technique}\n")).error().message, HasSubstr(":2:"));
  EXPECT_THAT(ReadMutantRows(FileWith("others: []\n")).error().message, HasSubstr("no list 'mutants'"));
  EXPECT_FALSE(ReadMutantRows("/no/such.yaml"));
}

}  // namespace
}  // namespace warpgrade::config
