// The data of the page of submissions that are alike: names, sources and lines once, and that everything has a bound.
#include "grader/report/html_similar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/report/html/sample_similar.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

json DataOf(const Compared& compared) { return json::parse(SimilarData(compared.Page())); }

// The lines of the source at this place, as the page shows them.
std::vector<std::string> LinesOfSource(const json& data, size_t place) {
  std::vector<std::string> lines;
  for (const json& number : data["sources"][place]["lines"]) lines.push_back(data["lines"][number.get<size_t>()]);
  return lines;
}

TEST(SimilarPageTest, HasTheGroupsThePairsAndWhoIsLeftOut) {
  const json data = DataOf(SmallComparison());
  EXPECT_EQ(data["names"], json({"s1042", "s1050", "s1077 (older)", "s1062", "s1061"}));
  EXPECT_EQ(data["submissions"], 4);
  EXPECT_EQ(data["older"], 1);
  EXPECT_EQ(data["groups"], json({{"count", 1}, {"rows", {{{"count", 3}, {"names", {0, 1, 2}}}}}}));
  EXPECT_EQ(data["equal"]["rows"][0],
            json({{"count", 2}, {"names", {0, 1}}, {"file", "v2_shared.cu"}, {"given", true}}));
  EXPECT_EQ(data["leftOut"][0]["why"], "Fewer than 60 tokens differ from what the course has given");
  EXPECT_EQ(data["leftOut"][0]["names"], json({3}));
  EXPECT_EQ(data["leftOut"][1]["names"], json({4}));
  EXPECT_EQ(data["notes"], json({"v3.cu is not compared, because it takes too long"}));
  EXPECT_EQ(data["pairs"]["count"], 3);
  const json& pair = data["pairs"]["rows"][0];
  EXPECT_THAT(std::vector<json>(pair.begin(), pair.end() - 1), ElementsAre(0, 1, 100, 199, 200)) << "rounded";
  EXPECT_EQ(pair[5][0], json({"v1_naive.cu", 0, 1, {{2, 6, 6, 11, 90}, {47, 49, 2, 4, 19}}, 0}));
  EXPECT_EQ(pair[5][1], json({"v2_shared.cu", 2, 3, {{1, 5, 1, 5, 90}}, 0}));
}

TEST(SimilarPageTest, RemindsOfWhatAlikeCodeProvesAndAccusesNobody) {
  const std::string page = SimilarPageText(SmallComparison().Page());
  EXPECT_THAT(page, HasSubstr(std::string(similarity::kReminder)));
  for (const char* word : {"cheat", "plagiar", "copied", "guilty"}) EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST(SimilarPageTest, ASourceAndALineThatComeAgainAreInItOnce) {
  const json data = DataOf(SmallComparison());
  EXPECT_EQ(data["sources"].size(), 5u) << "two files of two submissions, one of the older one";
  EXPECT_EQ(data["pairs"]["rows"][1][5][0][1], 2) << "the file of s1042 that the pair above has, too";
  std::set<std::string> lines;
  for (const json& line : data["lines"]) EXPECT_TRUE(lines.insert(line).second) << line;
  const std::vector<std::string> first = LinesOfSource(data, 0);
  EXPECT_EQ(first.size(), 49u);
  EXPECT_EQ(first[0], "// mine");
  EXPECT_EQ(first[47], "  return x + x;");
}

TEST(SimilarPageTest, OfAClassWhoseMembersAreAllAlikeItTakesLessThanAMegabyteAndSaysWhatIsMissing) {
  const Compared compared = BigComparison(200);
  const std::string page = SimilarPageText(compared.Page());
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_GT(page.size(), 700'000u) << "there is room for more";
  const json data = DataOf(compared);
  EXPECT_EQ(data["pairs"]["count"], 19'900);
  EXPECT_EQ(data["pairs"]["rows"].size(), 1000u);
  EXPECT_FALSE(data["pairs"]["rows"][0][5].is_null());
  EXPECT_FALSE(data["pairs"]["rows"][5][5].is_null());
  EXPECT_TRUE(data["pairs"]["rows"][150][5].is_null());
}

TEST(SimilarPageTest, NamesAndTextsOfAnyLengthDoNotMakeItLarger) {
  Compared compared;
  std::vector<size_t> all;
  for (size_t i = 0; i < 200; ++i) {
    all.push_back(i);
    std::string name = std::to_string(i);
    for (int j = 0; j < 100; ++j) name += "\u0301\u202E";
    similarity::Source source{.name = name};
    for (int rung = 0; rung < 9; ++rung) {
      std::string& text = source.files[std::string(300, '<') + std::to_string(rung)];
      for (int j = 0; j < 100; ++j) text += std::to_string(j) + name + "\x01\n";
      compared.comparison.equal.push_back({name + std::to_string(rung), all, true});
      compared.comparison.notes.push_back(name);
    }
    compared.sources.push_back(source);
    compared.comparison.left_out.push_back({i, similarity::LeftOut::Why::kTooLittle});
    if (i == 0) continue;
    compared.comparison.pairs.push_back({i - 1, i, 90, 90, {}});
    for (const auto& [file, text] : compared.sources[i - 1].files) {
      for (int j = 0; j < 150; ++j) compared.comparison.pairs.back().matches.push_back({file, j, j, j, j, 1});
    }
    compared.comparison.groups.push_back(all);
  }
  EXPECT_LT(SimilarPageText(compared.Page()).size(), 1'000'000u);
}

TEST(SimilarPageTest, APairThatHandedInHugeFilesIsShownAndLeavesRoomForTheOthers) {
  Compared compared = SmallComparison();
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + "\n";
  compared.comparison.pairs[0].matches.clear();
  for (int rung = 1; rung <= 9; ++rung) {
    const std::string file = "v" + std::to_string(rung) + "_huge.cu";
    for (size_t i : {0, 1}) compared.sources[i].files[file] = text + file;
    compared.comparison.pairs[0].matches.push_back({file, 1, 20, 1, 20, 50});
  }
  compared.sources[0].files.erase("v2_shared.cu");
  compared.comparison.pairs[1] = {.first = 2, .second = 4, .alike = 60, .shorter = 60};
  compared.comparison.pairs[1].matches = {{"v2_shared.cu", 1, 5, 1, 1, 60}};
  compared.sources[4].files["v2_shared.cu"] = "float a;\n";
  const json data = DataOf(compared);
  EXPECT_EQ(data["pairs"]["rows"][0][5].size(), 9u);
  EXPECT_EQ(data["pairs"]["rows"][0][5][0][3], json({{1, 20, 1, 20, 50}}));
  EXPECT_EQ(data["pairs"]["rows"][0][5][8][4], 1) << "there is no room for the last file";
  EXPECT_EQ(data["pairs"]["rows"][1][5][0][3], json({{1, 5, 1, 1, 60}}));
}

TEST(SimilarPageTest, ALongSourceIsCutAndItsMatchesBeyondTheCutAreCounted) {
  Compared compared = SmallComparison();
  std::string text = std::string(100'000, 'x') + "\n";
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i) + "\n";
  for (size_t i : {0, 1}) compared.sources[i].files["v1_naive.cu"] = text;
  compared.comparison.pairs[0].matches = {{"v1_naive.cu", 1, 30'000, 1, 30'000, 90},
                                          {"v1_naive.cu", 29'990, 30'000, 2, 9, 50}};
  const json data = DataOf(compared);
  const std::vector<std::string> lines = LinesOfSource(data, 0);
  EXPECT_EQ(lines[0], std::string(2000, 'x') + " … (98000 more bytes)");
  EXPECT_EQ(lines[1], "0");
  EXPECT_LT(lines.size(), 12'000u);
  EXPECT_EQ(data["sources"][0]["more"], 30'001 - lines.size());
  const json shown = {{1, lines.size(), 1, lines.size(), 90}};
  EXPECT_EQ(data["pairs"]["rows"][0][5][0], json({"v1_naive.cu", 0, 1, shown, 1}));
}

TEST(SimilarPageTest, AHostileSubmissionIsOnlyDataAndAFileThatOneLacksIsLeftOut) {
  const Compared compared = HostileComparison("</script><script>alert(1)</script>\x1b[2J\xff");
  const std::string data = SimilarData(compared.Page());
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  for (const char c : data) ASSERT_TRUE(c >= 0x20 && c < 0x7f);
  const json parsed = json::parse(data);
  EXPECT_EQ(parsed["names"][1], "=cmd|' /C calc'!A0");
  EXPECT_EQ(parsed["names"][3], "\\u202egnp.\\u2066a\\u2069");
  EXPECT_EQ(parsed["names"][4], "a\\x00b\\xff");
  EXPECT_EQ(parsed["pairs"]["rows"][0][5].size(), 3u) << "not nowhere.cu";
  EXPECT_EQ(parsed["pairs"]["rows"][9][5].size(), 2u) << "nor v2.cu, which the last one lacks";
  EXPECT_EQ(parsed["pairs"]["rows"][0][5][2][3], json::array()) << "an empty file has no line to show";
  EXPECT_EQ(parsed["pairs"]["rows"][0][5][1][3], json({{1, 4, 10, 13, 50}, {3, 44, 2, 2, 40}, {1, 1, 44, 44, 30}}));
  EXPECT_EQ(parsed["pairs"]["rows"][0][5][1][4], 2) << "at no lines, or beyond the last one";
}

TEST(SimilarPageTest, AClassWithoutPairsHasAPage) {
  const json data = DataOf({});
  EXPECT_EQ(data["pairs"], json({{"count", 0}, {"rows", json::array()}}));
  EXPECT_EQ(data["least"], 50);
}

}  // namespace
}  // namespace warpgrade::report
