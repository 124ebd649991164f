// The data of the page of a program: links, marks and margins, and that everything has a bound.
#include "grader/report/html_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::StartsWith;

ProgramPage PageWith(std::vector<ProgramFinding> findings, std::vector<ProgramSource> sources) {
  ProgramPage page{.kit_version = "0.1", .program = "./a.out", .device = "Test GPU"};
  page.findings = std::move(findings);
  page.sources = std::move(sources);
  return page;
}

TEST(ProgramPageDataTest, AFindingIsLinkedToItsLineAndMarkedThere) {
  const ProgramFinding race{.title = "race",
                            .kernel = "K()",
                            .file = "a.cu",
                            .line = 2,
                            .other_file = "b.h",
                            .other_line = 1,
                            .who = "thread 1",
                            .message = "read",
                            .advice = "wait"};
  const ProgramFinding host{.title = "leak", .message = "8 bytes"};
  const json data = json::parse(ProgramData(PageWith(
      {race, host}, {{"b.h", "1\n", {}, {}}, {"a.cu", "1\n2\n", {{.line = 2, .instructions = 4}}, {{1, "slow"}}}})));
  EXPECT_EQ(data["found"], 2);
  EXPECT_EQ(data["findings"][0]["link"], json({1, 2}));
  EXPECT_EQ(data["findings"][0]["place"], "a.cu:2");
  EXPECT_EQ(data["findings"][0]["text"], "kernel K()\nthread 1\nread\nthe other access: b.h:1\nto do: wait");
  EXPECT_EQ(data["findings"][1]["link"], nullptr);
  EXPECT_EQ(data["findings"][1]["text"], "8 bytes");
  EXPECT_EQ(data["sources"][0]["marks"],
            json({{{"line", 1}, {"level", "other"}, {"text", "the other access of the race in line 2"}}}));
  EXPECT_EQ(data["sources"][1]["marks"], json({{{"line", 2}, {"level", "error"}, {"text", "race: read\nto do: wait"}},
                                               {{"line", 1}, {"level", "warning"}, {"text", "slow"}}}));
  EXPECT_EQ(data["sources"][0]["counters"], nullptr);
  EXPECT_EQ(data["sources"][1]["counters"]["lines"], json({{2, "100.0"}}));
  EXPECT_EQ(data["roofline"], nullptr);
}

TEST(ProgramPageDataTest, WhatIsTooMuchIsLeftOutAndCounted) {
  ProgramPage page = PageWith(std::vector<ProgramFinding>(150, {.title = "leak", .message = "x"}), {});
  page.kernels.assign(300, {.name = "K()", .flop = NAN, .active_lanes = INFINITY});
  for (int i = 0; i < 30; ++i) page.sources.push_back({"s" + std::to_string(i) + ".cu", "1\n", {}, {}});
  json data = json::parse(ProgramData(page));
  EXPECT_THAT(data["notes"], ElementsAre("50 more findings not shown here", "100 more kernels not shown here",
                                         "6 more source files not shown here"));
  EXPECT_EQ(data["findings"].size(), 100u);
  EXPECT_EQ(data["kernels"][0]["flop"], nullptr);
  EXPECT_EQ(data["kernels"][0]["lanes"], nullptr);
  for (ProgramSource& source : page.sources) source.text = std::string(1 << 20, '\n');
  EXPECT_LT(ProgramPageText(page).size(), 5'000'000u);
  data = json::parse(ProgramData(page));
  EXPECT_EQ(data["sources"].size(), 8u) << "as many as fit into half a megabyte";
}

TEST(ProgramPageDataTest, NothingInItIsMoreThanData) {
  const char* const text = "</script><script>alert(1)</script>\x1b[2J\xff";
  ProgramPage page = PageWith({{.title = text, .kernel = text, .file = text, .line = 1, .message = text}},
                              {{text, text, {}, {{1, text}}}});
  page.kernels = {{.name = text, .facts = {{text, text}}}};
  page.program = page.device = text;
  const std::string data = ProgramData(page);
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  for (const char c : data) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  EXPECT_THAT(json::parse(data)["program"].get<std::string>(), StartsWith("</script><script>"));
}

}  // namespace
}  // namespace warpgrade::report
