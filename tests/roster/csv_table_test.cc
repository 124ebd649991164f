#include "grader/roster/csv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::roster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> Texts(const std::string& csv) {
  config::Problems problems("roster.csv");
  const auto rows = ParseCsv(csv, &problems);
  EXPECT_TRUE(rows.has_value() && problems.empty());
  std::vector<std::vector<std::string>> texts;
  for (const CsvRow& row : rows.value_or(std::vector<CsvRow>())) {
    texts.emplace_back();
    for (const CsvCell& cell : row) texts.back().push_back(cell.text);
  }
  return texts;
}

std::string MistakeIn(const std::string& csv) {
  config::Problems problems("roster.csv");
  EXPECT_FALSE(ParseCsv(csv, &problems).has_value());
  return problems.ToError(ErrorKind::kUsage).message;
}

TEST(CsvTableTest, ReadsWhatSpreadsheetsWrite) {
  EXPECT_THAT(Texts("id,name\r\ns1,\"Lovelace, Ada\"\r\n"),
              ElementsAre(ElementsAre("id", "name"), ElementsAre("s1", "Lovelace, Ada")));
  EXPECT_THAT(Texts("\xEF\xBB\xBFid;name\ns1;\"two\nlines \"\"quoted\"\"\"\n"),
              ElementsAre(ElementsAre("id", "name"), ElementsAre("s1", "two\nlines \"quoted\"")));
  EXPECT_THAT(Texts("id\tname\ns1\ta,b"), ElementsAre(ElementsAre("id", "name"), ElementsAre("s1", "a,b")));
}

TEST(CsvTableTest, EmptyLinesAreLeftOutAndEmptyFieldsStay) {
  EXPECT_THAT(Texts("id,name\n\n\r\ns1,\n,\n"),
              ElementsAre(ElementsAre("id", "name"), ElementsAre("s1", ""), ElementsAre("", "")));
  EXPECT_TRUE(Texts("").empty());
}

TEST(CsvTableTest, EveryFieldKnowsWhereItStands) {
  config::Problems problems("roster.csv");
  const auto rows = ParseCsv("id,name\n\xC3\xA9\xC3\xA9,\"a\nb\",x\nlast", &problems);
  ASSERT_TRUE(rows.has_value());
  const CsvRow& second = (*rows)[1];
  EXPECT_EQ(second[1].place.line, 2);
  EXPECT_EQ(second[1].place.column, 4) << "columns count characters, not bytes";
  EXPECT_EQ(second[2].place.line, 3);
  EXPECT_EQ((*rows)[2][0].place.line, 4);
}

TEST(CsvTableTest, MistakesHaveTheirPlace) {
  EXPECT_THAT(MistakeIn("id,name\ns1,\"open\n"), HasSubstr("roster.csv:2:4: this field has no closing quote"));
  EXPECT_THAT(MistakeIn("id,name\ns1,\"a\"b\n"), HasSubstr("roster.csv:2:7: text after a quoted field"));
  EXPECT_THAT(MistakeIn("id,name\ns1,\xE9\n"), HasSubstr("roster.csv:2:4: the file is not UTF-8"));
}

}  // namespace
}  // namespace warpgrade::roster
