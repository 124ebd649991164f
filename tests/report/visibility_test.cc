// Goes through all formats and tables: what students may not see now is in nothing that they get, and staff have it.
#include "grader/score/visibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/report/batch_table.h"
#include "grader/report/case_text.h"
#include "grader/report/formats.h"
#include "grader/report/table.h"
#include "grader/score/score.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using config::Visibility;
using score::Reader;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecret = "SeCrEt";
constexpr int64_t kDue = 1'000'000, kPublished = 2'000'000;

bool HasSecret(const std::string& text) { return text.find(kSecret) != std::string::npos; }

// A rung that says the secret everywhere where a rung can say something.
score::RungScore SecretRung(const std::string& name, score::RungStatus status) {
  score::RungScore rung = FailedRung(name, status);
  const std::string secret = kSecret;
  score::RungMeasurement& measurement = rung.measurement;
  measurement.cases = measurement.cases_run = 4;
  score::CaseFailure failure;
  failure.case_name = failure.got = failure.want = failure.message = secret;
  failure.index = 3;
  measurement.failures = {failure};
  score::Finding finding;
  finding.kind = "out-of-bounds";
  finding.file = name + ".cu";
  finding.line = 3;
  finding.kernel = finding.message = finding.advice = finding.case_name = secret;
  measurement.findings = {finding};
  measurement.hint = secret;
  measurement.messages = {secret};
  measurement.metric_lines["global_load_sectors_per_request"] = name + ".cu:3: " + secret;
  measurement.throughput.reason = secret;
  for (score::TechniqueResult& result : rung.technique) result.unit = secret;
  return rung;
}

// s1042 with lab2. v2 has the secret and this visibility; of v3 a hidden case has the secret.
score::GradingReport ReportWith(Visibility of_rung, Visibility of_cases,
                                score::RungStatus status = score::RungStatus::kFailed) {
  score::LabScore lab;
  lab.lab = "lab2";
  lab.title = "Transpose";
  score::AddRung(RightRung("v1_naive"), &lab);
  score::AddRung(SecretRung("v2_shared", status), &lab);
  score::RungScore public_failure = SecretRung("v3_padded", score::RungStatus::kFailed);
  // What is about the whole rung stays.
  public_failure.measurement.throughput.reason.clear();
  public_failure.measurement.hint.clear();
  for (score::TechniqueResult& result : public_failure.technique) result.unit.clear();
  score::CaseFailure seen;
  seen.case_name = "n = 1";
  seen.case_number = 1;
  seen.message = "n = 1: out[0] is wrong";
  public_failure.measurement.failures.push_back(seen);
  score::AddRung(public_failure, &lab);
  score::GradingReport report = EmulatorReport({score::ScoreSubmission("s1042", {lab})});
  score::LeaderboardEntry entry;
  entry.id = entry.shown_as = "s1042";
  entry.rank = 1;
  entry.score_s = 1;
  entry.note = kSecret;
  report.leaderboards = {{"lab2", "Transpose", 20, true, {entry}}};
  score::LabVisibility& rules = report.visibility["lab2"];
  rules.dates = {kDue, kPublished};
  rules.leaderboard = of_rung;
  rules.rungs["v2_shared"] = {of_rung, {of_cases, of_cases, {}}};
  rules.rungs["v3_padded"].cases.hidden_cases = of_cases;
  return report;
}

std::string Text(const Format& format, const score::GradingReport& report, const View& view) {
  const Result<std::string> text = TextOf(format, report, view);
  EXPECT_TRUE(text) << (text ? "" : text.error().message);
  if (!text) return "";
  return format.flag == "--github-classroom" ? FromBase64(*text) : *text;
}

std::vector<Format> FormatsFor(Reader reader) {
  std::vector<Format> formats;
  std::copy_if(Formats().begin(), Formats().end(), std::back_inserter(formats),
               [reader](const Format& format) { return format.reader == reader; });
  return formats;
}

// Every status takes other ways through the writers.
std::vector<score::RungStatus> Statuses() {
  std::vector<score::RungStatus> all;
  for (int i = 0; i <= static_cast<int>(score::RungStatus::kMissing); ++i) {
    all.push_back(static_cast<score::RungStatus>(i));
  }
  return all;
}

TEST(VisibilityInFormatsTest, NoFormatForStudentsHasWhatTheyMayNotSeeNow) {
  for (const Visibility visibility : {Visibility::kAfterDue, Visibility::kAfterPublication, Visibility::kHidden}) {
    for (const score::RungStatus status : Statuses()) {
      const score::GradingReport report = ReportWith(visibility, visibility, status);
      for (const Format& format : FormatsFor(Reader::kStudents)) {
        const std::string text = Text(format, report, {kDue, std::nullopt});
        EXPECT_FALSE(HasSecret(text)) << format.flag << ": " << text;
      }
      for (const Format& format : Formats()) {
        if (format.reader == Reader::kPlatform) continue;
        const std::string text = Text(format, report, {kDue, Reader::kStudents});
        EXPECT_FALSE(HasSecret(text)) << format.flag << " --for students: " << text;
      }
      const score::GradingReport seen = score::ReportFor(Reader::kStudents, kDue, report);
      EXPECT_FALSE(HasSecret(Table(seen, {.details = true})));
      EXPECT_FALSE(HasSecret(BatchTable(seen, {})));
    }
  }
}

TEST(VisibilityInFormatsTest, ThePageOfAClassIsForStaffAndThatOfOneSubmissionForItsStudent) {
  score::GradingReport report = ReportWith(Visibility::kHidden, Visibility::kVisible);
  const auto page =
      std::find_if(Formats().begin(), Formats().end(), [](const Format& format) { return format.flag == "--html"; });
  ASSERT_NE(page, Formats().end());
  const char* const note = "students do not see v2_shared";
  EXPECT_THAT(Text(*page, report, {kDue, std::nullopt}), Not(HasSubstr(note)));
  report.submissions.push_back(report.submissions[0]);
  EXPECT_THAT(Text(*page, report, {kDue, std::nullopt}), HasSubstr(note));
  EXPECT_THAT(Text(*page, report, {kDue, Reader::kStudents}), Not(HasSubstr(note)));
}

TEST(VisibilityInFormatsTest, TheTextOfOneCaseHasNothingOfACaseThatIsNotShown) {
  score::GradingReport report = ReportWith(Visibility::kVisible, Visibility::kHidden);
  report.submissions[0].labs[0].rungs.erase(report.submissions[0].labs[0].rungs.begin());
  const score::GradingReport seen = score::ReportFor(Reader::kStudents, kDue, report);
  EXPECT_FALSE(HasSecret(CaseText(seen, "case 1 of 2", {})));
  EXPECT_TRUE(HasSecret(CaseText(report, "case 1 of 2", {})));
  report.visibility["lab2"].rungs["v2_shared"].rung = Visibility::kAfterDue;
  report.submissions[0].labs[0].rungs.resize(1);
  EXPECT_THAT(CaseText(score::ReportFor(Reader::kStudents, kDue, report), "case 1 of 2", {}),
              HasSubstr("v2_shared is shown after the due date"));
}

// Otherwise the test above could not fail. These formats write no text of a rung, whoever reads them.
TEST(VisibilityInFormatsTest, EachFormatThatTellsOfRungsHasTheSecretWhenItsTimeHasCome) {
  const std::vector<std::string> only_points = {"--csv", "--canvas", "--nbgrader"};
  for (const Format& format : Formats()) {
    const bool tells = std::find(only_points.begin(), only_points.end(), format.flag) == only_points.end();
    EXPECT_EQ(HasSecret(Text(format, ReportWith(Visibility::kVisible, Visibility::kVisible), {0, std::nullopt})), tells)
        << format.flag;
    EXPECT_EQ(
        HasSecret(Text(format, ReportWith(Visibility::kAfterDue, Visibility::kVisible), {kDue + 1, std::nullopt})),
        tells)
        << format.flag;
    EXPECT_EQ(HasSecret(Text(format, ReportWith(Visibility::kAfterPublication, Visibility::kVisible),
                             {kPublished, std::nullopt})),
              tells)
        << format.flag;
  }
}

TEST(VisibilityInFormatsTest, StaffHaveEverythingAndReadWhatStudentsDoNotSee) {
  const score::GradingReport report = ReportWith(Visibility::kHidden, Visibility::kHidden);
  const View now = {kDue, std::nullopt};
  for (const Format& format : FormatsFor(Reader::kStaff)) {
    const std::string text = Text(format, report, now);
    if (format.flag == "--json") {
      EXPECT_TRUE(HasSecret(text));
      EXPECT_THAT(text, HasSubstr("\"hidden_now\": true"));
      EXPECT_THAT(text, HasSubstr("\"visibility\": \"hidden\""));
      EXPECT_THAT(text, HasSubstr("students never see this rung (hidden)"));
    }
    if (format.flag == "--csv") {
      EXPECT_THAT(text, HasSubstr("students do not see v2_shared"));
    }
    if (format.flag == "--leaderboard") {
      EXPECT_TRUE(HasSecret(text));
    }
  }
  for (const Format& format : Formats()) {
    if (format.reader != Reader::kStudents || format.marks_alone) continue;
    EXPECT_TRUE(HasSecret(Text(format, report, {kDue, Reader::kStaff}))) << format.flag << " --for staff";
  }
  const score::GradingReport seen = score::ReportFor(Reader::kStaff, kDue, report);
  EXPECT_TRUE(HasSecret(Table(seen, {.details = true})));
  EXPECT_THAT(Table(seen, {}), HasSubstr("students never see this rung (hidden)"));
  EXPECT_THAT(BatchTable(seen, {.width = 200}), HasSubstr("students do not see v2_shared"));
}

TEST(VisibilityInFormatsTest, StudentsReadFromWhenOnARungIsShown) {
  const score::GradingReport report = ReportWith(Visibility::kAfterDue, Visibility::kVisible);
  for (const char* flag : {"--junit", "--sarif", "--autolab", "--prairielearn"}) {
    const auto format =
        std::find_if(Formats().begin(), Formats().end(), [flag](const Format& one) { return one.flag == flag; });
    EXPECT_THAT(Text(*format, report, {kDue, std::nullopt}), HasSubstr("v2_shared is shown after the due date"))
        << flag;
  }
}

const Format& Named(const std::string& flag) {
  return *std::find_if(Formats().begin(), Formats().end(), [&](const Format& one) { return one.flag == flag; });
}

TEST(VisibilityInFormatsTest, GradescopeGetsAllRungsWithItsOwnWords) {
  const std::pair<Visibility, const char*> kWords[] = {{Visibility::kVisible, "visible"},
                                                       {Visibility::kAfterDue, "after_due_date"},
                                                       {Visibility::kAfterPublication, "after_published"},
                                                       {Visibility::kHidden, "hidden"}};
  for (const auto& [visibility, word] : kWords) {
    const std::string text = Text(Named("--gradescope"), ReportWith(visibility, Visibility::kHidden), {kDue, {}});
    const nlohmann::json json = nlohmann::json::parse(text);
    ASSERT_EQ(json.at("tests").size(), 3u);
    EXPECT_EQ(json["tests"][0]["visibility"], "visible");
    EXPECT_EQ(json["tests"][1]["visibility"], word);
    EXPECT_EQ(json["tests"][2]["visibility"], "visible");
    EXPECT_FALSE(HasSecret(json["tests"][2].dump())) << "what a hidden case shows";
    EXPECT_THAT(json["tests"][2]["output"], HasSubstr("out[0] is wrong"));
    EXPECT_EQ(json["leaderboard"].empty(), visibility != Visibility::kVisible);
  }
}

TEST(VisibilityInFormatsTest, AMarkForAGradebookIsEmptyUntilTheWholeLabIsShown) {
  score::GradingReport report = ReportWith(Visibility::kAfterDue, Visibility::kVisible);
  EXPECT_THAT(Text(Named("--canvas"), report, {kDue, {}}), HasSubstr("Possible,,,,,36\r\ns1042,,s1042,s1042,,\r\n"));
  EXPECT_THAT(Text(Named("--canvas"), report, {kDue + 1, {}}), HasSubstr("s1042,,s1042,s1042,,10\r\n"));
  EXPECT_THAT(Text(Named("--nbgrader"), report, {kDue, {}}), HasSubstr(",,,,36.0\n"));
  EXPECT_THAT(Text(Named("--nbgrader"), report, {kDue + 1, {}}), HasSubstr(",10.0,0.0,10.0,36.0\n"));
}

TEST(VisibilityInFormatsTest, APlatformThatAddsUpGetsThePointsOfWhatIsShown) {
  const score::GradingReport report = ReportWith(Visibility::kAfterDue, Visibility::kVisible);
  const auto early = nlohmann::json::parse(Text(Named("--github-classroom"), report, {kDue, {}}));
  EXPECT_EQ(early.at("max_score"), 24);
  const auto late = nlohmann::json::parse(Text(Named("--github-classroom"), report, {kDue + 1, {}}));
  EXPECT_EQ(late.at("max_score"), 36);
  EXPECT_THAT(Text(Named("--autolab"), report, {kDue, {}}), Not(HasSubstr("scoreboard")));
  EXPECT_THAT(Text(Named("--autolab"), report, {kDue + 1, {}}), HasSubstr("scoreboard"));
}

TEST(VisibilityInFormatsTest, ALabOfWhichNothingIsShownHasNoZero) {
  score::GradingReport report = ReportWith(Visibility::kAfterDue, Visibility::kVisible);
  for (const char* rung : {"v1_naive", "v3_padded"}) report.visibility["lab2"].rungs[rung].rung = Visibility::kAfterDue;
  const auto prairielearn = nlohmann::json::parse(Text(Named("--prairielearn"), report, {kDue, {}}));
  EXPECT_FALSE(prairielearn.at("gradable"));
  EXPECT_FALSE(prairielearn.contains("score"));
  EXPECT_THAT(prairielearn.at("format_errors"), HasSubstr("are shown after the due date"));
  const auto classroom = nlohmann::json::parse(Text(Named("--github-classroom"), report, {kDue, {}}));
  ASSERT_EQ(classroom.at("tests").size(), 1u);
  EXPECT_THAT(classroom["tests"][0]["message"], HasSubstr("are shown after the due date"));
  EXPECT_EQ(classroom.at("max_score"), 0);
}

}  // namespace
}  // namespace warpgrade::report
