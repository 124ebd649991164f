// Bonus rungs and groups of which only the best rungs count, in labs at random: in every format, what stands at the
// rungs adds up to what stands at the lab. tests/score/counting_test.cc tests which rungs count.
#include "grader/score/counting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "grader/report/formats.h"
#include "grader/report/html.h"
#include "grader/report/json_reader.h"
#include "grader/report/table.h"
#include "grader/score/score.h"
#include "tests/config/json_schema.h"
#include "tests/report/odd_names.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using config::Points;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kLabs = 40;

// Labs at random, with what a student has for them.
class Labs {
 public:
  explicit Labs(uint32_t seed) : random_(seed) {}

  // Rungs of 10 points, some of them a bonus, some in groups. Points are whole, so that Classroom counts tests.
  config::CountingRule Rule() {
    config::CountingRule rule;
    if (Below(2) == 0) rule.bonus.emplace_back("bonus");
    for (int group = Below(3); group > 0; --group) {
      const int size = 2 + Below(3);
      config::BestOf best_of = {static_cast<size_t>(1 + Below(size - 1)), {}};
      for (int i = 0; i < size; ++i) best_of.of.push_back("g" + std::to_string(group) + "_" + std::to_string(i));
      rule.best_of.push_back(std::move(best_of));
    }
    return rule;
  }

  score::LabScore Graded(const config::CountingRule& rule) {
    score::LabScore lab;
    lab.lab = "lab1";
    std::vector<std::string> names = {"v1", "v2"};
    for (const config::BestOf& group : rule.best_of) names.insert(names.end(), group.of.begin(), group.of.end());
    names.insert(names.end(), rule.bonus.begin(), rule.bonus.end());
    for (const std::string& name : names) score::AddRung(ARung(name), &lab);
    score::CountPoints(rule, &lab);
    return lab;
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<uint32_t>(limit)); }

  score::RungScore ARung(const std::string& name) {
    constexpr score::RungStatus kStatuses[] = {score::RungStatus::kPassed, score::RungStatus::kFailed,
                                               score::RungStatus::kNotWritten};
    score::RungScore rung = RightRung(name);
    rung.technique.clear();
    rung.technique_points = rung.technique_max = rung.throughput_points = rung.throughput_max = Points();
    rung.measurement.status = kStatuses[Below(3)];
    const int points = rung.measurement.status == score::RungStatus::kPassed ? 1 + Below(10) : 0;
    rung.points = rung.correctness_points = Points::FromHundredths(100 * points);
    rung.max_points = rung.measurable_points = rung.correctness_max = Points::FromHundredths(1000);
    return rung;
  }

  std::mt19937 random_;
};

score::GradingReport OneStudent(uint32_t seed) {
  Labs labs(seed);
  return EmulatorReport({score::ScoreSubmission("s1", {labs.Graded(labs.Rule())})});
}

score::GradingReport AClass(uint32_t seed) {
  Labs labs(seed);
  const config::CountingRule rule = labs.Rule();
  std::vector<score::SubmissionScore> submissions;
  for (int i = 0; i < 5; ++i)
    submissions.push_back(score::ScoreSubmission("s" + std::to_string(i), {labs.Graded(rule)}));
  return EmulatorReport(std::move(submissions));
}

std::string In(const std::string& flag, const score::GradingReport& report) {
  for (const Format& format : Formats()) {
    if (format.flag != flag) continue;
    const Result<std::string> text = TextOf(format, report, {});
    EXPECT_TRUE(text.ok());
    return text ? *text : "";
  }
  ADD_FAILURE() << "no format " << flag;
  return "";
}

double PointsOfLab(const score::GradingReport& report) { return report.submissions[0].labs[0].points.ToDouble(); }
double MostOfLab(const score::GradingReport& report) { return report.submissions[0].labs[0].max_points.ToDouble(); }

// Of the JSON objects in `all`.
double SumOf(const json& all, const char* key) {
  double sum = 0;
  for (const json& one : all) sum += one.at(key).get<double>();
  return sum;
}

TEST(CountingInFormatsTest, TheTableOfATerminalAddsUp) {
  for (uint32_t seed = 0; seed < kLabs; ++seed) {
    const score::GradingReport report = OneStudent(seed);
    std::istringstream table(Table(report, {}));
    const std::regex row("  (\\S+) .* (-?[0-9]+)(?:/([0-9]+))?"), total(" +total +([0-9]+)(?:/([0-9]+))?");
    double sum = 0, shown = -1;
    for (std::string line; std::getline(table, line);) {
      std::smatch found;
      if (std::regex_match(line, found, total)) {
        shown = std::stod(found[1]);
        EXPECT_EQ(std::stod(found[2]), MostOfLab(report));
      } else if (!line.starts_with("   ") && std::regex_match(line, found, row)) {
        sum += std::stod(found[2]);
      }
    }
    EXPECT_EQ(sum, shown) << Table(report, {});
    EXPECT_EQ(shown, PointsOfLab(report));
  }
}

TEST(CountingInFormatsTest, TheJsonAddsUpAndReadsBack) {
  const json schema = json::parse(std::ifstream(WARPGRADE_RESULTS_SCHEMA));
  for (uint32_t seed = 0; seed < kLabs; ++seed) {
    const score::GradingReport report = OneStudent(seed);
    const std::string text = In("--json", report);
    const json document = json::parse(text);
    EXPECT_THAT(SchemaErrors(schema, document), IsEmpty());
    const json& lab = document["submissions"][0]["labs"][0];
    for (const char* key : {"points", "max_points", "measurable_points"}) EXPECT_EQ(SumOf(lab["rungs"], key), lab[key]);
    const Result<score::GradingReport> read = ParseReport(text, "results.json");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(In("--json", *read), text);
  }
}

TEST(CountingInFormatsTest, ThePagesAddUp) {
  for (uint32_t seed = 0; seed < kLabs; ++seed) {
    const score::GradingReport one = OneStudent(seed);
    const json lab = json::parse(SubmissionData(one))["labs"][0];
    double got = 0, most = 0;
    for (const json& rung : lab["rungs"]) {
      got += rung["points"][0].get<double>();
      most += rung["points"][1].get<double>();
    }
    EXPECT_EQ(got, lab["points"][0]);
    EXPECT_EQ(most, lab["points"][1]);
    const score::GradingReport all = AClass(seed);
    for (const json& student : json::parse(ClassData(all))["students"]) {
      double sum = 0;
      for (const json& points : student["rungs"][0][0]) sum += points.is_null() ? 0 : points.get<double>();
      EXPECT_EQ(sum, student["total"]);
      EXPECT_EQ(sum, student["labs"][0]);
    }
  }
}

TEST(CountingInFormatsTest, TheTestsOfPlatformsAddUp) {
  for (uint32_t seed = 0; seed < kLabs; ++seed) {
    const score::GradingReport report = OneStudent(seed);
    const double points = PointsOfLab(report), most = MostOfLab(report);
    const json gradescope = json::parse(In("--gradescope", report));
    EXPECT_EQ(gradescope["score"], points);
    EXPECT_EQ(SumOf(gradescope["tests"], "score"), points);
    EXPECT_EQ(SumOf(gradescope["tests"], "max_score"), most);
    const std::string line = In("--github-classroom", report);
    const json classroom = json::parse(FromBase64(line.substr(0, line.size() - 1)));
    EXPECT_EQ(SumOf(classroom["tests"], "score"), points);
    EXPECT_EQ(classroom["max_score"], most);
    const json prairielearn = json::parse(In("--prairielearn", report));
    EXPECT_EQ(SumOf(prairielearn["tests"], "points"), points);
    EXPECT_EQ(SumOf(prairielearn["tests"], "max_points"), most);
    EXPECT_DOUBLE_EQ(prairielearn["score"], std::min(1.0, points / most));
    const std::string autolab = In("--autolab", report);
    const json scores = json::parse(autolab.substr(autolab.rfind('\n', autolab.size() - 2) + 1));
    double sum = 0;
    for (const json& score : scores["scores"]) sum += score.get<double>();
    EXPECT_EQ(sum, points);
    EXPECT_EQ(scores["scoreboard"][0], points);
    for (const json& test : gradescope["tests"]) EXPECT_GE(test["score"], 0) << "no test takes points away";
  }
}

TEST(CountingInFormatsTest, JunitAndTheTablesOfAClassAddUp) {
  for (uint32_t seed = 0; seed < kLabs; ++seed) {
    const score::GradingReport one = OneStudent(seed);
    const std::string junit = In("--junit", one);
    const std::regex property("name=\"points\" value=\"(-?[0-9]+)\"");
    double sum = 0;
    for (auto at = std::sregex_iterator(junit.begin(), junit.end(), property); at != std::sregex_iterator(); ++at) {
      sum += std::stod((*at)[1]);
    }
    EXPECT_EQ(sum, PointsOfLab(one));

    const score::GradingReport all = AClass(seed);
    std::istringstream csv(In("--csv", all));
    std::string line, field;
    std::getline(csv, line);
    const auto rungs = std::count(line.begin(), line.end(), '.');
    for (const score::SubmissionScore& student : all.submissions) {
      std::getline(csv, line);
      std::istringstream fields(line);
      std::getline(fields, field, ',');
      double of_rungs = 0;
      for (auto i = rungs; i > 0; --i) {
        std::getline(fields, field, ',');
        of_rungs += field.empty() ? 0 : std::stod(field);
      }
      std::getline(fields, field, ',');
      EXPECT_EQ(of_rungs, std::stod(field)) << line;
      EXPECT_EQ(of_rungs, student.points.ToDouble());
      EXPECT_THAT(In("--canvas", all), HasSubstr("," + student.points.ToString() + "\r\n"));
      EXPECT_THAT(In("--nbgrader", all),
                  HasSubstr("," + student.points.ToString() + ".0," + student.max_points.ToString() + ".0\n"));
    }
  }
}

TEST(CountingInFormatsTest, EveryFormatIsAmongThem) {
  std::vector<std::string> flags;
  for (const Format& format : Formats()) flags.push_back(format.flag);
  // SARIF has no points, and the leaderboard has times.
  EXPECT_THAT(flags, testing::UnorderedElementsAre("--json", "--html", "--junit", "--csv", "--leaderboard", "--canvas",
                                                   "--nbgrader", "--sarif", "--gradescope", "--github-classroom",
                                                   "--prairielearn", "--autolab"))
      << "test here that the points of the new format add up";
}

TEST(CountingInFormatsTest, TheTableOfAClassDoesNotComplainOfWhatNeedNotCount) {
  score::LabScore lab;
  lab.lab = "lab1";
  score::AddRung(RightRung("v1"), &lab);
  score::AddRung(FailedRung("v2", score::RungStatus::kNotWritten), &lab);
  score::AddRung(FailedRung("v3", score::RungStatus::kNotWritten), &lab);
  score::CountPoints({{"v3"}, {{1, {"v1", "v2"}}}}, &lab);
  const score::GradingReport report = EmulatorReport({score::ScoreSubmission("a", {lab}), Submission("b", {})});
  EXPECT_THAT(Table(report, {}), testing::Not(HasSubstr("not written")));
}

}  // namespace
}  // namespace warpgrade::report
