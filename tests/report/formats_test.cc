// Goes through the rows of grader/report/formats.cc, so that a new format is tested as soon as it has a row.
#include "grader/report/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {

// What GoogleTest prints for the parameter of a test that fails.
void PrintTo(const Format& format, std::ostream* out) { *out << format.flag; }

namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

// One submission, with a leaderboard in which it is shown under its own name.
score::GradingReport ReportOf(const std::string& id) {
  score::GradingReport report = GpuReport({Submission(id, {EmulatorLab(), GpuLab()})});
  score::LeaderboardEntry entry;
  entry.id = entry.shown_as = id;
  entry.rank = 1;
  report.leaderboards = {{"lab1", "Reduction", 20, true, {entry}}};
  return report;
}

std::string ContentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

// A file that is all base64 is unpacked, as its receiver does.
std::string Readable(const std::string& content) {
  const bool is_base64 = std::all_of(content.begin(), content.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("+/=\n").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return is_base64 ? FromBase64(content) : content;
}

class FormatsTest : public testing::TestWithParam<Format> {
 protected:
  // The file that WriteReport makes.
  std::string Written(const score::GradingReport& report) const {
    const std::string path = testing::TempDir() + "warpgrade_format_" + std::to_string(getpid());
    const Status written = WriteReport(report, GetParam(), {}, path);
    EXPECT_TRUE(written.ok()) << (written.ok() ? "" : written.error().message);
    const std::string content = ContentOf(path);
    std::filesystem::remove(path);
    const Result<std::string> text = TextOf(GetParam(), report, {});
    EXPECT_TRUE(text.ok() && *text == content) << "the file differs from the text";
    return content;
  }
};

TEST_P(FormatsTest, HasATestOfItsOwn) {
  std::string name = GetParam().flag.substr(2);
  std::replace(name.begin(), name.end(), '-', '_');
  const std::string file = name + "_test.cc";
  EXPECT_TRUE(std::filesystem::exists(WARPGRADE_REPORT_TESTS "/" + file))
      << "the format " << GetParam().flag << " has no test; write tests/report/" << file;
}

TEST_P(FormatsTest, HasARowInTheDocumentOfTheTeachingAssistants) {
  const std::string document = ContentOf(WARPGRADE_DOCS "/teaching-assistants.md");
  EXPECT_THAT(document, HasSubstr("\n| `" + GetParam().flag + "` | "))
      << "add a row to the table 'Files with results' of docs/teaching-assistants.md";
}

TEST_P(FormatsTest, HasHelpThatSaysWhatIsWritten) {
  EXPECT_THAT(GetParam().flag, MatchesRegex("--[a-z][a-z0-9-]*"));
  EXPECT_THAT(GetParam().help, MatchesRegex("Write .*[^.]")) << "as the other options: 'Write the ...', without a stop";
}

TEST_P(FormatsTest, NamesTheSubmission) { EXPECT_THAT(Readable(Written(ReportOf("s1042"))), HasSubstr("s1042")); }

TEST_P(FormatsTest, WritesTheWholeContentAndOnlyThat) {
  const score::GradingReport report = ReportOf("s1042");
  const Result<std::string> content = GetParam().writer(report);
  ASSERT_TRUE(content) << content.error().message;
  EXPECT_EQ(Written(report), *content);
}

TEST_P(FormatsTest, WritesAReportWithNothingInIt) {
  if (GetParam().one_submission) return;
  EXPECT_NE(Written(EmulatorReport({})), "");
}

TEST_P(FormatsTest, AFormatOfOneSubmissionRefusesAnyOtherNumberAndSaysWhatToDo) {
  const score::SubmissionScore one = Submission("a", {EmulatorLab()}), other = Submission("b", {EmulatorLab()});
  for (const score::GradingReport& report : {EmulatorReport({}), EmulatorReport({one, other})}) {
    const Result<std::string> content = GetParam().writer(report);
    ASSERT_EQ(content.ok(), !GetParam().one_submission);
    if (content.ok()) continue;
    EXPECT_EQ(content.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(content.error().message, StartsWith(GetParam().flag + " is about one submission, but there "));
  }
}

TEST_P(FormatsTest, NoNameThatAStrangerChoseBreaksIt) {
  for (const std::string& name : OddNames()) {
    const std::string content = Readable(Written(ReportOf(name)));
    EXPECT_TRUE(IsUtf8(content)) << name;
    // The JSON file keeps every text as it is, because `accept` reads it again.
    const bool is_for_people = GetParam().flag != kJsonFlag;
    EXPECT_TRUE(!is_for_people || content.find("\u202E") == std::string::npos) << "it changes the direction of writing";
    for (const char c : content) {
      const auto byte = static_cast<unsigned char>(c);
      EXPECT_TRUE(c == '\n' || c == '\r' || byte >= 0x20) << name << ": byte " << int{byte};
    }
  }
}

// A submission's name is what a stranger called a file.
TEST_P(FormatsTest, HoldsNoControlCharacterOfANameThatAStrangerChose) {
  const std::string content = Readable(Written(ReportOf("evil\x1b[2J\x07\x7f\x01name")));
  EXPECT_THAT(content, HasSubstr("evil"));
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(c == '\n' || c == '\r' || c == '\t' || byte >= 0x20) << "byte " << int{byte};
  }
}

INSTANTIATE_TEST_SUITE_P(Table, FormatsTest, testing::ValuesIn(Formats()), [](const auto& info) {
  std::string name = info.param.flag.substr(2);
  std::erase(name, '-');
  return name;
});

TEST(FormatTableTest, HasEachFlagOnce) {
  std::set<std::string> flags;
  for (const Format& format : Formats()) EXPECT_TRUE(flags.insert(format.flag).second) << format.flag;
  EXPECT_EQ(flags.count(kJsonFlag), 1u) << "`warpgrade accept` reads it";
}

TEST(FormatTableTest, AWritersErrorIsReturnedAndTheOldFileStays) {
  const Format refuses{.flag = "--one",
                       .help = "Write one submission",
                       .writer = [](const score::GradingReport&) -> Result<std::string> {
                         return Error{ErrorKind::kUsage, "grade one submission"};
                       }};
  const std::string path = testing::TempDir() + "warpgrade_refused_" + std::to_string(getpid());
  std::ofstream(path) << "old";
  const Status written = WriteReport(EmulatorReport({}), refuses, {}, path);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "grade one submission");
  EXPECT_EQ(ContentOf(path), "old");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace warpgrade::report
