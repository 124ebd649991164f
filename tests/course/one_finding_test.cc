// A submission with one fault in each rung of lab1, as a student reads its report: it fits two screens, tells each
// fault once in every format, and the command that it gives for a fault shows the fault again. The faults are those of
// labs/lab1/mutants that a finding catches. v7 has none of these, so it has wrong values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr size_t kTwoScreens = 100;  // lines
constexpr size_t kColumns = 120;

const char* const kMutants[] = {"v1_interleaved_modulo__reads_past_n",
                                "v2_interleaved_strided__pair_past_the_end",
                                "v3_sequential__missing_barrier_after_load",
                                "v4_first_add__second_load_unguarded",
                                "v5_last_warp__no_syncwarp",
                                "v6_unrolled__missing_barrier",
                                "v7_grid_stride__stride_of_one_block",
                                "v8_shuffle__missing_barrier",
                                "v9_one_pass__assumes_alignment"};

// In columns, of UTF-8.
size_t Columns(const std::string& line) {
  return static_cast<size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// "v3_sequential.cu:15  shared-race: ", as reports begin a finding.
std::string Head(const json& finding) {
  return finding.at("file").get<std::string>() + ":" + std::to_string(finding.at("line").get<int>()) + "  " +
         finding.at("kind").get<std::string>() + ": ";
}

TEST(OneFindingTest, AFaultInEachRungFitsTwoScreensAndIsToldOnce) {
  const TemporaryFolder folder;
  for (const std::string mutant : kMutants) {
    folder.Write("s1/lab1/" + mutant.substr(0, mutant.find("__")) + ".cu", MutantText("lab1", mutant));
  }
  const Graded graded =
      Grade(folder.Path("s1"), {"--lab", "lab1", "--believe-together", "--junit", folder.Path("junit.xml")});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  const std::string& text = graded.program.out;
  SCOPED_TRACE(text);
  EXPECT_LE(Count(text, "\n"), kTwoScreens);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(Columns(line), kColumns) << line;
  const std::string junit = ReadText(folder.Path("junit.xml"));
  for (const json& rung : graded.report.at("submissions").at(0).at("labs").at(0).at("rungs")) {
    if (rung.at("rung") != "v7_grid_stride" && rung.at("rung") != "quiz") {
      EXPECT_FALSE(rung.at("findings").empty()) << rung.at("rung");
    }
    for (const json& finding : rung.at("findings")) {
      EXPECT_EQ(Count(text, Head(finding)), 1u) << Head(finding);
      EXPECT_EQ(Count(junit, Head(finding)), 1u) << Head(finding);
      EXPECT_NE(finding.at("advice"), "") << Head(finding);
      const json& number = finding.at("case_number");  // null: only grading has the case
      if (!number.is_null()) {
        EXPECT_THAT(text, HasSubstr(" --case " + number.dump() + "  ("));
      }
      const std::string message = finding.at("message");
      EXPECT_THAT(rung.at("correctness").dump() + rung.at("messages").dump(), Not(HasSubstr(message)));
    }
  }
}

TEST(OneFindingTest, TheCommandOfAFindingShowsItAgainInThatCaseAlone) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/v4_first_add.cu", MutantText("lab1", "v4_first_add__second_load_unguarded"));
  const std::string submission = folder.Path("s1");
  ProgramResult all =
      RunProgram({WARPGRADE_BINARY, "check", "lab1", "v4", "--device", TestDevice(), "--submission", submission});
  // As one line, since the path may be long.
  all.out = std::regex_replace(all.out, std::regex("\n *"), " ");
  const size_t at = all.out.find("--case ");
  ASSERT_NE(at, std::string::npos) << all.out;
  EXPECT_THAT(all.out, HasSubstr("warpgrade check lab1 v4 --submission " + submission + " --case "));
  const std::string number = all.out.substr(at + 7, all.out.find(' ', at + 7) - at - 7);
  const size_t name_at = all.out.find('(', at) + 1;
  const std::string name = all.out.substr(name_at, all.out.find(')', name_at) - name_at);
  const auto one_case = [&](const std::string& which) {
    // With one seed: a case that also runs in another order of blocks has its arrays at other addresses.
    return RunProgram({WARPGRADE_BINARY, "check", "lab1", "v4", "--device", TestDevice(), "--submission", submission,
                       "--case", which, "--seed", "1"});
  };
  const ProgramResult one = one_case(number);
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("case " + number + " of "));
  EXPECT_THAT(one.out, HasSubstr("v4_first_add.cu:13  "));
  EXPECT_THAT(one.out, HasSubstr("  to do  "));
  EXPECT_THAT(one.out, Not(HasSubstr("points")));
  EXPECT_EQ(one_case(name).out, one.out) << "by its name";
  const ProgramResult none = one_case("1000");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--case 1000: lab1 v4_first_add has the cases 1 to "));
}

}  // namespace
}  // namespace warpgrade
