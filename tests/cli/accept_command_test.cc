// `warpgrade accept` on reports such as grading on an H200 leaves them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "grader/report/formats.h"
#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json Throughput(const std::string& status, double gb_s, double seconds, double points) {
  return {{"status", status},
          {"value", gb_s},
          {"unit", "GB/s"},
          {"seconds", seconds},
          {"spread_percent", 0.1},
          {"ceiling", 4254.0},
          {"share", gb_s / 4254.0},
          {"points", points},
          {"max_points", 2},
          {"reason", status == "flagged" ? "5000 GB/s is more than this GPU can do (4800 GB/s)" : ""},
          {"accepted", nullptr}};
}

// A right rung, worth 8 and up to 2 for its speed.
json Rung(const std::string& name, const json& throughput) {
  const double points = 8 + throughput["points"].get<double>();
  return {{"rung", name},
          {"status", "passed"},
          {"points", points},
          {"max_points", 10},
          {"measurable_points", 10},
          {"correctness", {{"passed", 12}, {"cases", 12}, {"failures", json::array()}}},
          {"technique", json::array()},
          {"throughput", throughput},
          {"findings", json::array()},
          {"messages", json::array()}};
}

json Submission(const std::string& id, const json& first, const json& second) {
  const json points = first["points"].get<double>() + second["points"].get<double>();
  const json lab = {
      {"lab", "lab1"}, {"points", points}, {"max_points", 20}, {"measurable_points", 20}, {"rungs", {first, second}}};
  return {{"id", id},      {"points", points},         {"max_points", 20}, {"measurable_points", 20},
          {"labs", {lab}}, {"messages", json::array()}};
}

json Entry(const json& rank, const std::string& id, const std::string& shown_as, const json& seconds) {
  return {{"rank", rank},
          {"id", id},
          {"shown_as", shown_as},
          {"score_seconds", seconds},
          {"time_seconds", seconds},
          {"rung", rank.is_null() ? "" : "v2_fast"},
          {"wrong_answers", 0},
          {"note", rank.is_null() ? "the time of v2_fast is flagged" : ""}};
}

constexpr const char* kCourse =
    "course: {name: Test course}\n"
    "targets: {h200: {match: NVIDIA H200, peak_bandwidth: 6000}}\n"
    "labs:\n"
    "  lab1:\n"
    "    title: Reduction\n"
    "    leaderboard: {wrong_answer: 20s, rungs: [v2_fast]}\n"
    "    rungs:\n"
    "      v1_slow:\n"
    "        title: slow\n"
    "        points: {correctness: 8, throughput: 2}\n"
    "        throughput: {h200: {unit: GB/s, zero: 100, full: 500}}\n"
    "      v2_fast:\n"
    "        title: fast\n"
    "        points: {correctness: 8, throughput: 2}\n"
    "        throughput: {h200: {unit: GB/s, zero: 4000, full: 6000}}\n";

class AcceptCommandTest : public testing::Test {
 protected:
  // ann's v2_fast is flagged, bob's is not.
  AcceptCommandTest() {
    const json slow = Rung("v1_slow", Throughput("measured", 500, 0.002, 2));
    const json report = {
        {"schema", "warpgrade.results/1"},
        {"kit_version", "0.1.0"},
        {"course", "Test course"},
        {"device", {{"kind", "gpu"}, {"name", "NVIDIA H200"}, {"uuid", "GPU-0123"}, {"driver", "580.65"}}},
        {"sandbox", "bubblewrap"},
        {"submissions",
         {Submission("ann", slow, Rung("v2_fast", Throughput("flagged", 5000, 0.0002, 0))),
          Submission("bob", slow, Rung("v2_fast", Throughput("measured", 4400, 0.0003, 0.4)))}},
        {"leaderboards",
         {{{"lab", "lab1"},
           {"title", "Reduction"},
           {"wrong_answer_seconds", 20},
           {"timed", true},
           {"entries", {Entry(1, "bob", "player 2", 0.0003), Entry(nullptr, "ann", "player 1", nullptr)}}}}}};
    report_ = folder_.Write("results.json", report.dump(2));
    course_ = folder_.Write("course.yaml", kCourse);
  }

  ProgramResult Accept(const std::string& student, const std::string& rung, std::vector<std::string> more = {}) const {
    std::vector<std::string> command = {WARPGRADE_BINARY, "accept",  report_, "--student", student,    "--rung", rung,
                                        "--because",      "by hand", "--by",  "ada",       "--course", course_};
    command.insert(command.end(), more.begin(), more.end());
    return RunProgram(command);
  }

  // What a refusal says; the report must be as it was.
  std::string Refusal(const std::string& student, const std::string& rung, std::vector<std::string> more = {}) const {
    const std::string before = ReadText(report_);
    const ProgramResult result = Accept(student, rung, std::move(more));
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(ReadText(report_), before);
    return result.err;
  }

  json Report() const { return json::parse(ReadText(report_)); }

  TemporaryFolder folder_;
  std::string report_, course_;
};

TEST_F(AcceptCommandTest, GivesThePointsOfTheSpeedAndKeepsWhoWhenAndWhy) {
  const ProgramResult result = Accept("ann", "lab1.v2_fast");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ann lab1.v2_fast: 5000 GB/s"));
  EXPECT_THAT(result.out, HasSubstr("5000 GB/s accepted by ada; 1/2 points for throughput, 19/20 points in total"));
  const json ann = Report()["submissions"][0];
  EXPECT_EQ(ann["points"], 19);
  EXPECT_EQ(ann["labs"][0]["points"], 19);
  const json& rung = ann["labs"][0]["rungs"][1];
  EXPECT_EQ(rung["points"], 9);
  EXPECT_EQ(rung["throughput"]["status"], "measured");
  EXPECT_EQ(rung["throughput"]["points"], 1);
  EXPECT_EQ(rung["throughput"]["reason"], "5000 GB/s is more than this GPU can do (4800 GB/s)");
  EXPECT_EQ(rung["throughput"]["accepted"]["by"], "ada");
  EXPECT_EQ(rung["throughput"]["accepted"]["because"], "by hand");
  EXPECT_THAT(rung["throughput"]["accepted"]["when"].get<std::string>(),
              testing::MatchesRegex("20[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+Z"));
  EXPECT_EQ(Report()["submissions"][1]["points"], 18.4) << "bob's are as they were";
}

TEST_F(AcceptCommandTest, OfAGroupTheBestRungsCountAfterwards) {
  std::string course = kCourse;
  course.insert(course.find("    leaderboard"), "    best_of: [{best: 1, of: [v1_slow, v2_fast]}]\n");
  course.replace(course.find("zero: 4000, full: 6000"), 22, "zero: 4000, full: 5000");
  course.replace(course.find("zero: 100, full: 500"), 20, "zero: 100, full: 501");
  folder_.Write("course.yaml", course);
  const ProgramResult result = Accept("ann", "lab1.v2_fast");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2/2 points for throughput, 10/10 points in total"));
  const json ann = Report()["submissions"][0];
  EXPECT_EQ(ann["max_points"], 10);
  EXPECT_EQ(ann["labs"][0]["rungs"].back()["rung"], "not_counted");
}

TEST_F(AcceptCommandTest, TheNumberOfTheRungIsEnough) {
  EXPECT_EQ(Accept("ann", "lab1.v2").exit_code, 0);
  EXPECT_EQ(Report()["submissions"][0]["points"], 19);
}

TEST_F(AcceptCommandTest, WritesTheOtherReportsAnew) {
  const std::string csv = folder_.Path("marks.csv"), junit = folder_.Path("out.xml"), board = folder_.Path("board.csv");
  ASSERT_EQ(Accept("ann", "lab1.v2_fast", {"--csv", csv, "--junit", junit, "--leaderboard", board}).exit_code, 0);
  EXPECT_THAT(ReadText(csv), HasSubstr("ann,10,9,19,19,20,20,"));
  EXPECT_THAT(ReadText(junit), HasSubstr("accepted by ada at 20"));
  EXPECT_THAT(ReadText(board), HasSubstr("lab1,1,player 1,0.000200,0.000200,0,v2_fast,\r\n"
                                         "lab1,2,player 2,0.000300,0.000300,0,v2_fast,\r\n"));
}

TEST_F(AcceptCommandTest, WritesEveryFormatAnew) {
  std::vector<std::string> options;
  for (const report::Format& format : report::Formats()) {
    if (format.flag == report::kJsonFlag || format.one_submission) continue;
    options.insert(options.end(), {format.flag, folder_.Path("out" + format.flag)});
  }
  const ProgramResult result = Accept("ann", "lab1.v2_fast", options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (size_t i = 0; i < options.size(); i += 2) EXPECT_NE(ReadText(options[i + 1]), "") << options[i];
}

TEST_F(AcceptCommandTest, TheLeaderboardRanksTheTimeUnderTheNameShownBefore) {
  ASSERT_EQ(Accept("ann", "lab1.v2_fast").exit_code, 0);
  const json entries = Report()["leaderboards"][0]["entries"];
  EXPECT_EQ(entries[0]["id"], "ann");
  EXPECT_EQ(entries[0]["shown_as"], "player 1");
  EXPECT_EQ(entries[0]["rank"], 1);
  EXPECT_EQ(entries[0]["score_seconds"], 0.0002);
  EXPECT_EQ(entries[1]["id"], "bob");
  EXPECT_EQ(entries[1]["rank"], 2);
}

TEST_F(AcceptCommandTest, RefusesWhatIsNotFlaggedAndSaysWhatIs) {
  EXPECT_THAT(Refusal("bob", "lab1.v2_fast"),
              HasSubstr("bob lab1.v2_fast is not flagged: its speed counts as it is (flagged: ann lab1.v2_fast)"));
}

TEST_F(AcceptCommandTest, RefusesToAcceptTwice) {
  ASSERT_EQ(Accept("ann", "lab1.v2_fast").exit_code, 0);
  const std::string message = Refusal("ann", "lab1.v2_fast");
  EXPECT_THAT(message, HasSubstr("ann lab1.v2_fast was accepted already, by ada at 20"));
  EXPECT_THAT(message, HasSubstr("no speed in this report is flagged"));
}

TEST_F(AcceptCommandTest, WrongNamesAreAnsweredWithTheNearest) {
  EXPECT_THAT(Refusal("amn", "lab1.v2_fast"),
              HasSubstr("there is no student 'amn' in " + report_ + "; did you mean 'ann'?"));
  EXPECT_THAT(Refusal("zebulon", "lab1.v2_fast"), HasSubstr("it has ann and bob"));
  EXPECT_THAT(Refusal("ann", "lap1.v2_fast"), HasSubstr("there is no lab 'lap1' in ann; did you mean 'lab1'?"));
  EXPECT_THAT(Refusal("ann", "lab1.v2_fats"),
              HasSubstr("there is no rung 'v2_fats' in ann's lab1; did you mean 'v2_fast'?"));
  EXPECT_THAT(Refusal("ann", "v2_fast"),
              HasSubstr("--rung v2_fast does not name a lab; write LAB.RUNG, such as lab1.v9"));
}

TEST_F(AcceptCommandTest, RefusesWithoutAReason) {
  EXPECT_THAT(Refusal("ann", "lab1.v2_fast", {"--because", " "}), HasSubstr("--because"));
}

TEST_F(AcceptCommandTest, RefusesAnotherCourseThanTheReports) {
  std::string text = kCourse;
  text.replace(text.find("Test course"), 11, "Last course");
  const std::string other = folder_.Write("other.yaml", text);
  const std::string before = ReadText(report_);
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "accept", report_, "--student", "ann", "--rung", "lab1.v2",
                                           "--because", "by hand", "--course", other});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("is for the course 'Last course', but the report is for 'Test course'"));
  EXPECT_EQ(ReadText(report_), before);
}

TEST_F(AcceptCommandTest, AReportThatIsCutOffIsRefused) {
  folder_.Write("results.json", ReadText(report_).substr(0, 500));
  EXPECT_THAT(Refusal("ann", "lab1.v2_fast"), HasSubstr("is not a complete report"));
}

// Two at once: both end well, and neither's points are lost.
TEST_F(AcceptCommandTest, TwoAtTheSameTimeWaitForOneAnother) {
  json report = Report();
  json& slow = report["submissions"][0]["labs"][0]["rungs"][0];
  slow = Rung("v1_slow", Throughput("flagged", 500, 0.002, 0));
  report["submissions"][0]["points"] = report["submissions"][0]["labs"][0]["points"] = 16;
  folder_.Write("results.json", report.dump(2));
  std::optional<ProgramResult> second;
  const ProgramResult first = RunProgram({WARPGRADE_BINARY, "accept", report_, "--student", "ann", "--rung", "lab1.v2",
                                          "--because", "by hand", "--course", course_},
                                         {}, [&](int) { second = Accept("ann", "lab1.v1"); });
  EXPECT_EQ(first.exit_code, 0) << first.err;
  ASSERT_TRUE(second);
  EXPECT_EQ(second->exit_code, 0) << second->err;
  EXPECT_EQ(Report()["submissions"][0]["points"], 19);
}

}  // namespace
}  // namespace warpgrade
