// `warpgrade handout` with the kit's labs, and with a lab outside of it whose handout is from a stranger.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ProgramResult HandoutOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "handout"});
  return RunProgram(arguments);
}

nlohmann::json CourseOfKit() {
  const ProgramResult course = RunProgram({WARPGRADE_BINARY, "course"});
  return nlohmann::json::parse(course.out);
}

// The data that the scripts of a page get.
nlohmann::json DataIn(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// A lab outside of the kit, and a course that has it.
class OutsideHandoutTest : public testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult made = RunProgram({WARPGRADE_BINARY, "new", "lab", "mine", "--dir", folder_.Path("labs/mine")});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    course_ = folder_.Write("course/course.yaml",
                            "course: {name: C, term: T}\nlabs:\n  mine: {from: ../labs/mine}\n  lab1: {title: R, "
                            "rungs: {v1_interleaved_modulo: {title: One, points: {correctness: 3}}}}\n");
  }
  std::string Page() const { return folder_.Path("page.html"); }

  TemporaryFolder folder_;
  std::string course_;
};

TEST(HandoutCommandTest, PrintsTheHandoutForATerminal) {
  const ProgramResult result = HandoutOf({"lab3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Lab 3: matrix product\n=====================\n\n"));
  EXPECT_THAT(result.out, HasSubstr("\nThe rungs\n---------\n"));
  EXPECT_THAT(result.out, HasSubstr("\n                   b0 b1 b2 b3        1 x 1 result:   2 loads for 1 FFMA\n"))
      << "a picture keeps its lines";
  EXPECT_THAT(result.out, HasSubstr("\n? v1: which element is where?\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("How long is a row of A")));
  EXPECT_THAT(HandoutOf({"lab3"}).err, HasSubstr("with --hints, you get their text"));
  EXPECT_THAT(HandoutOf({"lab3", "--hints"}).out, HasSubstr("How long is a row of A"));
  EXPECT_EQ(HandoutOf({"lab3", "--hints"}).err, "");
  EXPECT_THAT(HandoutOf({"glossary"}).out, StartsWith("Glossary: the words of the labs\n"));
}

TEST(HandoutCommandTest, ThePageOfEveryLabHasThePointsOfTheCourse) {
  const TemporaryFolder folder;
  for (const auto& lab : CourseOfKit()["labs"]) {
    const std::string name = lab["lab"];
    const std::string page = folder.Path(name + ".html");
    const ProgramResult result = HandoutOf({name, "--html", page});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "warpgrade: wrote the handout of " + name + " to " + page + "\n");
    const auto rungs = DataIn(ReadText(page))["rungs"];
    ASSERT_EQ(rungs.size(), lab["rungs"].size()) << name;
    for (size_t i = 0; i < rungs.size(); ++i) {
      EXPECT_EQ(rungs[i]["name"], lab["rungs"][i]["rung"]);
      for (const char* part : {"correctness", "technique", "throughput"}) {
        EXPECT_EQ(rungs[i][part], lab["rungs"][i]["points"][part]) << name << " " << rungs[i]["name"];
      }
    }
    EXPECT_EQ(DataIn(ReadText(page))["charts"].empty(), name == "lab8") << name;
  }
}

TEST(HandoutCommandTest, WithoutANameThePageIsCalledAsTheLab) {
  const TemporaryFolder folder;
  const ProgramResult result = RunProgram(
      {"/bin/sh", "-c", "cd \"$1\" && exec \"$2\" handout lab8 --html", "sh", folder.Path(""), WARPGRADE_BINARY});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "warpgrade: wrote the handout of lab8 to lab8.html\n");
  EXPECT_THAT(ReadText(folder.Path("lab8.html")), StartsWith("<!doctype html>"));
}

TEST(HandoutCommandTest, APageGoesToStandardOutputLikeOthers) {
  const ProgramResult result = HandoutOf({"lab8", "--html", "/dev/stdout"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("<!doctype html>"));
}

TEST(HandoutCommandTest, AnUnknownLabNamesTheNearestAndAFolderThatIsMissingIsFoundFirst) {
  const ProgramResult lab = HandoutOf({"lap3"});
  EXPECT_EQ(lab.exit_code, 2);
  EXPECT_THAT(lab.err, HasSubstr("did you mean 'lab3'?"));
  EXPECT_THAT(HandoutOf({"lab11"}).err, HasSubstr("did you mean 'lab1' or 'lab10'?"));
  const ProgramResult glossary = HandoutOf({"glossry"});
  EXPECT_EQ(glossary.exit_code, 2);
  EXPECT_EQ(glossary.err, "warpgrade: there is no handout 'glossry'; did you mean 'glossary'?\n");
  const ProgramResult file = HandoutOf({"lab3", "--html", "/nowhere/x.html"});
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_EQ(file.err, "warpgrade: --html /nowhere/x.html: there is no folder /nowhere; make it, or name another one\n");
}

TEST_F(OutsideHandoutTest, ALabOutsideOfTheKitHasAPage) {
  const ProgramResult printed = HandoutOf({"mine", "--course", course_});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("v1_each"));
  const ProgramResult result = HandoutOf({"mine", "--course", course_, "--html", Page()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto data = DataIn(ReadText(Page()));
  EXPECT_EQ(data["subtitle"], "C, T");
  EXPECT_EQ(data["rungs"][0]["name"], "v1_each");
  EXPECT_TRUE(data["charts"].empty()) << "nobody has measured it";
}

TEST_F(OutsideHandoutTest, OfACourseThatChangesALabThePageHasItsPoints) {
  ASSERT_EQ(HandoutOf({"lab1", "--course", course_, "--html", Page()}).exit_code, 0);
  const auto data = DataIn(ReadText(Page()));
  EXPECT_EQ(data["rungs"].size(), 1u);
  EXPECT_EQ(data["rungs"][0]["correctness"], 3);
  EXPECT_EQ(data["charts"][0]["categories"], nlohmann::json({"v1_interleaved_modulo"}));
}

TEST_F(OutsideHandoutTest, WithoutAReadmeTheMessageSaysWhichFileIsMissing) {
  std::filesystem::remove(folder_.Path("labs/mine/README.md"));
  const ProgramResult result = HandoutOf({"mine", "--course", course_, "--html", Page()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpgrade: " + folder_.Path("labs/mine/README.md") +
                            ": there is no such file, so mine has no handout; write it in Markdown\n");
  EXPECT_FALSE(std::filesystem::exists(Page()));
}

TEST_F(OutsideHandoutTest, WhatItsReadmeHasIsNoMoreThanText) {
  folder_.Write("labs/mine/README.md",
                "# Mine\n\n<script>canary()</script>\n\n<img src=x onerror=canary()> [a](javascript:canary())\n\n"
                "## &#27;[31m</script><script>canary()</script>\n");
  ASSERT_EQ(HandoutOf({"mine", "--course", course_, "--html", Page()}).exit_code, 0);
  const std::string page = ReadText(Page());
  const size_t begin = page.find("<main"), end = page.find("</main>");
  const std::string main = page.substr(begin, end - begin);
  EXPECT_THAT(main, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<img")), Not(HasSubstr("javascript:canary()\"")),
                          HasSubstr("&lt;script&gt;canary()&lt;/script&gt;")));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  EXPECT_EQ(HandoutOf({"mine", "--course", course_}).out.find('\x1b'), std::string::npos);
}

TEST_F(OutsideHandoutTest, AHandoutThatIsTooLargeIsRefused) {
  folder_.Write("labs/mine/README.md", std::string(300 << 10, 'x'));
  const ProgramResult result = HandoutOf({"mine", "--course", course_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("README.md: a handout may have 256 KB, and this one has 300; make it shorter"));
}

}  // namespace
}  // namespace warpgrade
