// The page of a handout: of each handout of the kit every heading and no link that leads nowhere; and data that are
// those of the course.
#include "grader/report/html_handout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string HandoutFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const std::filesystem::path kLabFolders = std::filesystem::path(WARPGRADE_DOCS) / "../labs";

Handout SmallHandout(const std::string& markdown) {
  Handout handout{.name = "mine", .markdown = markdown, .path = "README.md", .course = "C, T", .kit_version = "0.1"};
  handout.glossary = "# Glossary\n\n## Lane\n\nA [warp](#warp) has 32. See [`words.cu`](words.cu).\n\n## Warp\n\nw\n";
  handout.rungs = {{"v1_each", "One <each>", 6, 2, 1.5, false}, {"v2_more", "More", 4, 0, 0, true}};
  handout.points = 12.5;
  handout.quiz_points = 3;
  return handout;
}

// What stands in <main>.
std::string MainOf(const Handout& handout) {
  const auto page = HandoutPage(handout);
  EXPECT_TRUE(page.ok());
  if (!page.ok()) return "";
  const size_t begin = page->find("<main");
  return page->substr(begin, page->find("</main>") - begin);
}

nlohmann::json DataOf(const Handout& handout) {
  const auto page = HandoutPage(handout);
  EXPECT_TRUE(page.ok());
  const std::string mark = "id=\"data\">";
  const size_t begin = page->find(mark) + mark.size();
  return nlohmann::json::parse(page->substr(begin, page->find("</script>", begin) - begin));
}

std::vector<std::string> All(const std::string& text, const std::regex& what) {
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), what), end; it != end; ++it) all.push_back((*it)[1]);
  return all;
}

// The lines that begin a section, outside of code.
size_t HeadingsIn(const std::string& markdown) {
  size_t count = 0;
  bool in_code = false;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_code = !in_code;
    count += !in_code && line.starts_with("#") ? 1 : 0;
  }
  return count;
}

TEST(HandoutPageTest, EveryHandoutOfTheKitHasAllItsHeadingsAndNoLinkThatLeadsNowhere) {
  int handouts = 0;
  for (const auto& lab : std::filesystem::directory_iterator(kLabFolders)) {
    if (!std::filesystem::exists(lab.path() / "README.md")) continue;
    SCOPED_TRACE(lab.path().string());
    ++handouts;
    Handout handout{.name = lab.path().filename().string(), .markdown = HandoutFile(lab.path() / "README.md")};
    if (handout.name != "glossary") {
      handout.glossary = HandoutFile(kLabFolders / "glossary/README.md");
      handout.rungs = {{"v1", "", 1, 0, 0, false}};
    }
    const std::string page = MainOf(handout);
    const size_t parts = All(page, std::regex(R"re(<h[2-6] id="(part-[^"]+)">)re")).size();
    EXPECT_EQ(parts, HeadingsIn(handout.markdown) - 1) << "the first one is the title";
    const std::vector<std::string> ids = All(page, std::regex(R"re( id="([^"]+)")re"));
    const std::set<std::string> different(ids.begin(), ids.end());
    EXPECT_EQ(ids.size(), different.size());
    for (const std::string& target : All(page, std::regex(R"re(href="([^"]*)")re"))) {
      EXPECT_TRUE(target.starts_with("#") && different.contains(target.substr(1))) << target;
    }
    EXPECT_THAT(page, Not(HasSubstr("](../")));
    EXPECT_THAT(page, Not(HasSubstr("<!--")));
  }
  EXPECT_GE(handouts, 12);
}

TEST(HandoutPageTest, LinksLeadToWordsAtTheEndAndToPlacesInTheTextAndOthersAreText) {
  const std::string page = MainOf(SmallHandout(
      "# Lab\n\n## Part\n\nA [lane](../glossary/README.md#lane), [here](#part), [there](#nowhere), [`mine.h`](mine.h), "
      "[the sizes](cases.yaml), [lab 0](../lab0/README.md), [all words](../glossary/README.md), "
      "[out](https://example.org/a?b=1&c) and [evil](JavaScript:canary).\n"));
  EXPECT_THAT(
      page, HasSubstr("A <a href=\"#word-lane\">lane</a>, <a href=\"#part-part\">here</a>, there, <code>mine.h</code>, "
                      "the sizes (labs/mine/cases.yaml), lab 0 (warpgrade handout lab0), "
                      "all words (warpgrade handout glossary), <a href=\"https://example.org/a?b=1&amp;c\">out</a> "
                      "and evil (labs/mine/JavaScript:canary)."));
  EXPECT_THAT(page, HasSubstr("<h2 id=\"words\">The words</h2>"));
  EXPECT_THAT(page, HasSubstr("<h3 id=\"word-lane\">Lane</h3>\n<p>A warp has 32. See <code>words.cu</code>.</p>"));
  EXPECT_THAT(page, Not(HasSubstr("word-warp"))) << "the handout does not link to it";
  EXPECT_THAT(page, HasSubstr("<a href=\"#words\">The words</a><ol><li><a href=\"#word-lane\">Lane</a></li>"));
}

TEST(HandoutPageTest, WithoutLinksToWordsThereAreNone) {
  const std::string page = MainOf(SmallHandout("# Lab\n\ntext\n"));
  EXPECT_THAT(page, Not(HasSubstr("The words")));
  EXPECT_THAT(page, HasSubstr("<li><b>12.5</b>points</li>\n<li><b>2</b>rungs</li>\n<li><b>3</b>of them for "
                              "the quiz</li>\n</ul>"));
}

TEST(HandoutPageTest, TheDataAreTheRungsAndTheCharts) {
  Handout handout = SmallHandout("text\n");
  plot::Chart chart;
  chart.title = "Share";
  chart.categories = {"v1_each"};
  chart.series = {{.name = "NVIDIA H200", .points = {{0, 85.5, 85, 86}}}};
  handout.charts = {chart};
  const nlohmann::json data = DataOf(handout);
  EXPECT_EQ(data["title"], "mine") << "of a handout without a heading";
  EXPECT_EQ(data["subtitle"], "C, T");
  EXPECT_EQ(data["quiz"], 3.0);
  EXPECT_EQ(data["rungs"][0], nlohmann::json({{"name", "v1_each"},
                                              {"title", "One <each>"},
                                              {"correctness", 6.0},
                                              {"technique", 2.0},
                                              {"throughput", 1.5},
                                              {"bonus", false}}));
  EXPECT_EQ(data["rungs"][1]["bonus"], true);
  EXPECT_EQ(data["charts"][0]["series"][0]["points"][0], nlohmann::json({0.0, 85.5, 85.0, 86.0, false}));
}

TEST(HandoutPageTest, MarksOfTheTemplateInTheTextAreText) {
  const auto page = HandoutPage(SmallHandout("# @data@\n\n@content@ @script@ @data@ @policy@ @without-scripts@\n"));
  ASSERT_TRUE(page.ok());
  EXPECT_THAT(*page, HasSubstr("<p>@content@ @script@ @data@ @policy@ @without-scripts@</p>"));
  EXPECT_THAT(*page, HasSubstr("id=\"data\">{\"kit\":"));
}

}  // namespace
}  // namespace warpgrade::report
