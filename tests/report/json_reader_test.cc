#include "grader/report/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/report/csv.h"
#include "grader/report/file.h"
#include "grader/report/json.h"
#include "grader/report/junit.h"
#include "grader/report/words.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// Something of every kind that results.json can hold.
score::GradingReport EverythingAtOnce() {
  score::SubmissionScore unreadable = Submission("s7\xFF.zip", {});
  unreadable.messages = {"not a zip archive"};
  score::LabScore gpu = GpuLab();
  gpu.rungs[0].measurement.throughput.seconds = 0.00075;
  gpu.rungs[0].measurement.throughput.accepted = score::Acceptance{"ada", "2026-11-22T10:15:00Z", "by hand"};
  gpu.rungs[0].measurement.throughput.gpu = SteadyGpu();
  gpu.rungs[1].measurement.throughput.gpu = HotGpu();
  gpu.rungs[2].measurement.throughput.gpu.emplace().readings = 12;
  gpu.rungs[1].measurement.throughput.value = std::nan("");
  score::GradingReport report = GpuReport({Submission("s1042", {EmulatorLab(), gpu}), unreadable});
  report.sandbox = "bubblewrap";
  score::LeaderboardEntry first, last;
  first.id = "s1042";
  first.shown_as = "player 1";
  first.rank = 1;
  first.score_s = 20.00075;
  first.time_s = 0.00075;
  first.rung = "v1_fast";
  first.wrong_answers = 1;
  last.id = last.shown_as = "s7.zip";
  last.note = "nothing handed in";
  report.leaderboards = {{"lab1", "Reduction", 20, true, {first, last}}};
  return report;
}

std::string Problem(const std::string& text) {
  const Result<score::GradingReport> report = ParseReport(text, "results.json");
  EXPECT_FALSE(report);
  if (report) return "";
  EXPECT_EQ(report.error().kind, ErrorKind::kUsage);
  return report.error().message;
}

TEST(JsonReaderTest, WritingAgainWhatWasReadGivesTheSameFile) {
  const std::string text = JsonText(EverythingAtOnce());
  const Result<score::GradingReport> report = ParseReport(text, "results.json");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(JsonText(*report), text);
}

TEST(JsonReaderTest, WhatASpeedIsAShareOfIsKnownAgainAndACopyInOlderResults) {
  using Ceiling = score::ThroughputMeasurement::Ceiling;
  score::GradingReport report = EverythingAtOnce();
  score::ThroughputMeasurement& sent = report.submissions[0].labs[1].rungs[1].measurement.throughput;
  sent.ceiling_of = Ceiling::kSolution;
  std::string text = JsonText(report);
  const auto received = [](const std::string& from) {
    const Result<score::GradingReport> read = ParseReport(from, "results.json");
    EXPECT_TRUE(read) << read.error().message;
    return read->submissions[0].labs[1].rungs[1].measurement.throughput.ceiling_of;
  };
  EXPECT_EQ(received(text), Ceiling::kSolution);
  const std::string key = "\"ceiling_of\"";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key)) {
    text.erase(at, text.find('\n', at) - at);
  }
  EXPECT_EQ(received(text), Ceiling::kCopy);
}

TEST(JsonReaderTest, WhatTheGpuDidIsKnownAgain) {
  const Result<score::GradingReport> report = ParseReport(JsonText(EverythingAtOnce()), "results.json");
  ASSERT_TRUE(report) << report.error().message;
  const std::vector<score::RungScore>& rungs = report->submissions[0].labs[1].rungs;
  ASSERT_TRUE(rungs[1].measurement.throughput.gpu);
  const score::GpuTelemetry& gpu = *rungs[1].measurement.throughput.gpu;
  EXPECT_EQ(gpu.readings, 12);
  EXPECT_EQ(gpu.sm_mhz_min, 1410);
  EXPECT_EQ(gpu.sm_mhz_median, 1755);
  EXPECT_EQ(gpu.sm_mhz_max, 1980);
  EXPECT_EQ(gpu.sm_mhz_highest, 1980);
  EXPECT_EQ(gpu.mem_mhz, 3201);
  EXPECT_EQ(gpu.temperature_c, 91);
  EXPECT_EQ(gpu.power_w, 412);
  EXPECT_EQ(gpu.throttle, HotGpu().throttle);
  EXPECT_TRUE(gpu.slowed_down);
  EXPECT_EQ(gpu.uuid, "GPU-0a1b2c3d-0000-4444-8888-123456789abc");
  ASSERT_TRUE(rungs[2].measurement.throughput.gpu);
  EXPECT_EQ(rungs[2].measurement.throughput.gpu->sm_mhz_median, std::nullopt);
  EXPECT_EQ(rungs[2].measurement.throughput.gpu->throttle, std::nullopt);
  EXPECT_FALSE(rungs[3].measurement.throughput.gpu);
}

TEST(JsonReaderTest, TheSeedOfDelaysIsReadAgain) {
  score::GradingReport report = EverythingAtOnce();
  report.submissions.at(0).labs.at(0).rungs.at(0).measurement.delay_seed = 17;
  const Result<score::GradingReport> read = ParseReport(JsonText(report), "results.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->submissions.at(0).labs.at(0).rungs.at(0).measurement.delay_seed, 17u);
}

TEST(JsonReaderTest, CsvAndJunitOfWhatWasReadAreTheSame) {
  const Result<score::GradingReport> report = ParseReport(JsonText(EverythingAtOnce()), "results.json");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(JunitText(*report), JunitText(*ParseReport(JsonText(*report), "again")));
  score::GradingReport original = EverythingAtOnce();
  original.submissions[1].id = "s7\xEF\xBF\xBD.zip";  // as the JSON has it
  EXPECT_EQ(CsvText(*report), CsvText(original));
  EXPECT_EQ(JunitText(*report), JunitText(original));
}

TEST(JsonReaderTest, PointsOfEachKindAreKnownAgain) {
  const Result<score::GradingReport> report = ParseReport(JsonText(EverythingAtOnce()), "results.json");
  ASSERT_TRUE(report) << report.error().message;
  const score::GradingReport original = EverythingAtOnce();
  for (size_t lab = 0; lab < 2; ++lab) {
    for (size_t i = 0; i < original.submissions[0].labs[lab].rungs.size(); ++i) {
      const score::RungScore& got = report->submissions[0].labs[lab].rungs[i];
      const score::RungScore& want = original.submissions[0].labs[lab].rungs[i];
      EXPECT_EQ(got.correctness_points, want.correctness_points) << want.rung;
      EXPECT_EQ(got.correctness_max, want.correctness_max) << want.rung;
      EXPECT_EQ(got.technique_points, want.technique_points) << want.rung;
      EXPECT_EQ(got.technique_max, want.technique_max) << want.rung;
      EXPECT_EQ(got.throughput_points, want.throughput_points) << want.rung;
      EXPECT_EQ(got.throughput_measurable, want.throughput_measurable) << want.rung;
    }
  }
}

TEST(JsonReaderTest, WhatALimitIsProvidedWithIsKnownAgain) {
  score::GradingReport original = EverythingAtOnce();
  score::TechniqueResult& written = original.submissions[0].labs[0].rungs[0].technique[0];
  ASSERT_EQ(written.provided.size(), 1u);
  written.provided[0].value = 2000000;
  written.provided[0].passed = false;
  const Result<score::GradingReport> report = ParseReport(JsonText(original), "results.json");
  ASSERT_TRUE(report) << report.error().message;
  const score::TechniqueResult& read = report->submissions[0].labs[0].rungs[0].technique[0];
  EXPECT_EQ(TechniqueWords(read), TechniqueWords(written));
  EXPECT_THAT(TechniqueWords(read), testing::HasSubstr("with 2000000 threads (limit 1000000)"));
}

TEST(JsonReaderTest, AReportOfTheVersionBeforeLacksWhatWasAddedSince) {
  json old = json::parse(JsonText(EverythingAtOnce()));
  old.erase("leaderboards");
  for (json& submission : old["submissions"]) {
    for (json& lab : submission["labs"]) {
      for (json& rung : lab["rungs"]) {
        rung["throughput"].erase("seconds");
        rung["throughput"].erase("accepted");
        rung["throughput"].erase("gpu");
        for (json& finding : rung["findings"]) finding.erase("count");
      }
    }
  }
  const Result<score::GradingReport> report = ParseReport(old.dump(), "results.json");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->leaderboards.empty());
  EXPECT_FALSE(report->submissions[0].labs[1].rungs[0].measurement.throughput.gpu);
}

TEST(JsonReaderTest, WhatALaterVersionAddedIsNotLostButRefused) {
  json later = json::parse(JsonText(EverythingAtOnce()));
  later["submissions"][0]["labs"][0]["rungs"][0]["colour"] = "red";
  EXPECT_EQ(Problem(later.dump()),
            "results.json: this version of warpgrade would lose /submissions/0/labs/0/rungs/0/colour; use the version "
            "that wrote the report (0.1.0)");
}

TEST(JsonReaderTest, RefusesWhatIsNoReport) {
  EXPECT_EQ(Problem("[]"),
            "results.json: this is not a report of the kind warpgrade.results/1; name a file that `warpgrade grade "
            "--json` wrote");
  EXPECT_THAT(Problem("{\"schema\": \"warpgrade.results/2\"}"), HasSubstr("is not a report of the kind"));
  EXPECT_THAT(Problem("marks,csv"), StartsWith("results.json: this is not a complete report: "));
  const std::string whole = JsonText(EverythingAtOnce());
  EXPECT_THAT(Problem(whole.substr(0, whole.size() / 2)), StartsWith("results.json: this is not a complete report: "));
  json changed = json::parse(whole);
  changed["submissions"][0]["labs"][0]["rungs"][0]["status"] = "fine";
  EXPECT_THAT(Problem(changed.dump()), HasSubstr("there is no status 'fine'"));
}

TEST(JsonReaderTest, NamesTheLineThatIsNoJson) {
  EXPECT_EQ(
      Problem("{\n\"schema\": 1,\n\"course\" 2}"),
      "results.json: this is not a complete report: line 3: Missing a colon after a name of object member.; name a "
      "file that `warpgrade grade --json` wrote");
}

TEST(JsonReaderTest, RefusesFieldsOfAnotherTypeAndNamesThem) {
  const json whole = json::parse(JsonText(EverythingAtOnce()));
  const json::json_pointer rung("/submissions/0/labs/0/rungs/0");
  const std::vector<std::pair<std::string, json>> changes = {
      {"/rung", 1},       {"/status", nullptr},       {"/points", "10"},     {"/correctness/cases", 1.5},
      {"/technique", {}}, {"/messages", {"text", 1}}, {"/hint", true},       {"/metrics", json::array({1})},
      {"/throughput", 5}, {"/points", 1e300},         {"/max_points", -1e10}};
  for (const auto& [field, value] : changes) {
    json changed = whole;
    changed[rung / json::json_pointer(field)] = value;
    EXPECT_THAT(Problem(changed.dump()), StartsWith("results.json: this is not a complete report: ")) << field;
    EXPECT_THAT(Problem(changed.dump()), HasSubstr(" is not a")) << field;
  }
}

TEST(JsonReaderTest, NamesTheListWithAnItemThatIsNoObject) {
  json changed = json::parse(JsonText(EmulatorReport({Submission("s1", {EmulatorLab()})})));
  changed["submissions"][0]["labs"][0]["rungs"][1] = "v2";
  EXPECT_EQ(Problem(changed.dump()),
            "results.json: this is not a complete report: rungs is not a list of objects; name a file that `warpgrade "
            "grade --json` wrote");
}

TEST(JsonReaderTest, TextThatIsNestedAMillionTimesIsAnErrorAndNoCrash) {
  EXPECT_THAT(Problem(std::string(1'000'000, '[')), StartsWith("results.json: this is not a complete report: "));
  EXPECT_THAT(Problem("{\"schema\": " + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}"),
              StartsWith("results.json: this is not a complete report: "));
}

TEST(JsonReaderTest, NothingAfterAByteZeroIsLeftOut) {
  EXPECT_THAT(Problem(JsonText(EverythingAtOnce()) + std::string(1, '\0') + "more"), HasSubstr("it has a byte 0"));
}

TEST(JsonReaderTest, NamesAFileThatIsNotThere) {
  const Result<score::GradingReport> report = ReadJson("/no/such/results.json");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "/no/such/results.json: cannot be read: No such file or directory; name a file that `warpgrade grade "
            "--json` wrote");
}

TEST(JsonReaderTest, ReadsAFile) {
  const std::string path = testing::TempDir() + "warpgrade_read_" + std::to_string(getpid()) + ".json";
  ASSERT_TRUE(WriteFile(path, JsonText(EverythingAtOnce())).ok());
  const Result<score::GradingReport> report = ReadJson(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->course, "GPU Programming");
}

TEST(JsonReaderTest, WhoOnlyReadsGetsTheFieldsThatAreKnown) {
  nlohmann::json document = nlohmann::json::parse(JsonText(EmulatorReport({Submission("s1", {EmulatorLab()})})));
  document["submissions"][0]["of_a_later_version"] = 1;
  EXPECT_FALSE(ParseReport(document.dump(), "r.json").ok());
  const Result<score::GradingReport> report = ParseKnownFields(document.dump(), "r.json");
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->submissions.at(0).id, "s1");
  EXPECT_FALSE(ParseKnownFields("{}", "r.json").ok());
}

}  // namespace
}  // namespace warpgrade::report
