// `warpgrade book thresholds` with the built kit: from a gradebook and from results.json, which give the same page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/gradebook/gradebook.h"
#include "tests/course/graded.h"
#include "tests/report/sample_report.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;

constexpr char kCourseOfThresholds[] =
    "course: {name: C, term: 2027}\n"
    "labs:\n"
    "  lab2:\n"
    "    title: Transpose\n"
    "    rungs:\n"
    "      v1_naive:\n"
    "        title: T\n"
    "        points: {correctness: 9, technique: 1}\n"
    "        technique: [{metric: global_bytes_per_element, max: 36}]\n";

ProgramResult Thresholds(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "book", "thresholds"});
  return RunProgram(arguments);
}

nlohmann::json DataOf(const std::string& path) {
  const std::string page = ReadText(path), mark = "id=\"data\">";
  const size_t from = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from), nullptr, false);
}

TEST(ThresholdsCommandTest, AGradebookAndResultsGiveTheSamePage) {
  const TemporaryFolder folder;
  const std::string course = folder.Write("course.yaml", kCourseOfThresholds);
  folder.Write("class/s1/lab2/v1_naive.cu", ReadText(SourcePath("solutions/lab2/v1_naive.cu")));
  folder.Write("class/s2/lab2/v1_naive.cu", "int x = ;\n");
  const std::vector<std::string> common = {"--lab", "lab2", "--course", course, "--device", "emulator"};
  std::vector<std::string> batch = {WARPGRADE_BINARY, "batch", folder.Path("class"), "--gradebook",
                                    folder.Path("marks.db")};
  std::vector<std::string> grade = {WARPGRADE_BINARY, "grade", folder.Path("class"), "--json",
                                    folder.Path("results.json")};
  for (std::vector<std::string>* command : {&batch, &grade}) {
    command->insert(command->end(), common.begin(), common.end());
    const ProgramResult result = RunProgram(*command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  for (const char* from : {"marks.db", "results.json"}) {
    const std::string page = folder.Path("page.html");
    const ProgramResult result = Thresholds({folder.Path(from), "--course", course, "--html", page});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json data = DataOf(page);
    EXPECT_EQ(data["ids"], nlohmann::json({"s1", "s2"})) << from;
    EXPECT_EQ(data["totals"], nlohmann::json({1000, 0})) << from;
    EXPECT_EQ(data["checks"][0][0], "does not compile") << from;
    const nlohmann::json& limit = data["labs"][0]["rungs"][0]["limits"][0];
    EXPECT_EQ(limit["bounds"], nlohmann::json({nullptr, 36.0})) << from;
    EXPECT_EQ(limit["samples"], nlohmann::json({{0, 36.0, nullptr, true}})) << from;
    EXPECT_EQ(data["notes"].back(), "Graded on the emulator, so no speed was measured.");
  }
}

TEST(ThresholdsCommandTest, AnEmptyGradebookHasAPage) {
  const TemporaryFolder folder;
  ASSERT_TRUE(gradebook::Gradebook::Open(folder.Path("marks.db"), gradebook::Access::kCreate, "0"));
  const ProgramResult result = Thresholds({folder.Path("marks.db"), "--html", folder.Path("page.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(DataOf(folder.Path("page.html"))["labs"], nlohmann::json::array());
}

TEST(ThresholdsCommandTest, MistakesAreExplained) {
  const TemporaryFolder folder;
  EXPECT_THAT(Thresholds({folder.Path("none.db"), "--html", folder.Path("page.html")}).err, HasSubstr("none.db"));
  const std::string text = folder.Write("a.txt", "SQLite format 4");
  EXPECT_EQ(Thresholds({text, "--html", folder.Path("page.html")}).exit_code, 2);
  EXPECT_THAT(Thresholds({text, "--html", folder.Path("none/page.html")}).err, HasSubstr("there is no folder"));
  EXPECT_EQ(Thresholds({text}).exit_code, 2) << "without --html";
}

}  // namespace
}  // namespace warpgrade
