// Writes the document of schema/results.schema.json, with one function for each of its objects. json_reader.cc is the
// counterpart. A class has 100 MB of it, so the text is written at once, without a tree in memory. Tests:
// tests/report/json_test.cc.
#include "grader/report/json.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>

#include "grader/report/json_writer.h"
#include "grader/report/pieces.h"
#include "grader/report/words.h"
#include "grader/score/throughput.h"

namespace warpgrade::report {
namespace {

using Json = JsonWriter;

template <typename Scored>
void WritePoints(const Scored& scored, Json* json) {
  json->Number("points", scored.points.ToDouble());
  json->Number("max_points", scored.max_points.ToDouble());
  json->Number("measurable_points", scored.measurable_points.ToDouble());
}

void WriteCaseNumber(int number, Json* json) {
  json->WholeOrNull("case_number", number > 0 ? std::optional(number) : std::nullopt);
}

void WriteFailure(const score::CaseFailure& failure, Json* json) {
  json->Text("case", failure.case_name);
  failure.index ? json->Bits("index", *failure.index) : json->Null("index");
  json->Text("got", failure.got);
  json->Text("want", failure.want);
  json->Text("message", failure.message);
  json->Flag("explained", failure.explained);
  WriteCaseNumber(failure.case_number, json);
}

void WriteBounds(const score::BoundsResult& result, Json* json) {
  json->Text("metric", result.metric);
  json->Text("limit", result.limit);
  json->Number("value", result.value);
  json->Flag("passed", result.passed);
}

void WriteTechnique(const score::TechniqueResult& result, Json* json) {
  WriteBounds(result, json);
  json->Number("points", result.points.ToDouble());
  json->Number("max_points", result.max_points.ToDouble());
  if (!result.provided.empty()) json->Objects("provided", result.provided, WriteBounds);
}

void WriteAcceptance(const std::optional<score::Acceptance>& accepted, Json* json) {
  if (!accepted) return json->Null("accepted");
  json->Begin("accepted");
  json->Text("by", accepted->by);
  json->Text("when", accepted->when);
  json->Text("because", accepted->because);
  json->End();
}

void WriteTelemetry(const std::optional<score::GpuTelemetry>& gpu, Json* json) {
  if (!gpu) return json->Null("gpu");
  json->Begin("gpu");
  json->Whole("readings", gpu->readings);
  json->Begin("sm_mhz");
  json->WholeOrNull("min", gpu->sm_mhz_min);
  json->WholeOrNull("median", gpu->sm_mhz_median);
  json->WholeOrNull("max", gpu->sm_mhz_max);
  json->WholeOrNull("highest", gpu->sm_mhz_highest);
  json->End();
  json->WholeOrNull("mem_mhz", gpu->mem_mhz);
  json->WholeOrNull("temperature_c", gpu->temperature_c);
  json->WholeOrNull("power_w", gpu->power_w);
  gpu->throttle ? json->Texts("throttle", *gpu->throttle) : json->Null("throttle");
  json->Flag("slowed_down", gpu->slowed_down);
  if (!gpu->uuid.empty()) json->Text("uuid", gpu->uuid);
  json->End();
}

void WriteThroughput(const score::RungScore& rung, Json* json) {
  const score::ThroughputMeasurement& throughput = rung.measurement.throughput;
  const bool known = throughput.status != score::ThroughputMeasurement::Status::kNotMeasured;
  const auto if_known = [known](std::optional<double> value) { return known ? value : std::nullopt; };
  json->Begin("throughput");
  json->Text("status", ThroughputStatusName(throughput.status));
  json->Number("value", if_known(throughput.value));
  json->Text("unit", throughput.unit);
  json->Number("seconds", if_known(throughput.seconds));
  json->Number("exclusive_seconds", throughput.exclusive_seconds);
  json->Number("spread_percent", if_known(throughput.spread_percent));
  json->Number("ceiling", throughput.ceiling);
  json->Text("ceiling_of", CeilingName(throughput.ceiling_of));
  json->Number("share", score::ShareOfCeiling(throughput));
  json->Number("points", rung.throughput_points.ToDouble());
  json->Number("max_points", rung.throughput_max.ToDouble());
  json->Text("reason", throughput.reason);
  WriteAcceptance(throughput.accepted, json);
  WriteTelemetry(throughput.gpu, json);
  json->End();
}

void WriteFinding(const score::Finding& finding, Json* json) {
  json->Text("kind", finding.kind);
  json->Text("kernel", finding.kernel);
  json->Text("file", finding.file);
  json->Whole("line", finding.line);
  json->Text("block", finding.block);
  json->Text("thread", finding.thread);
  // As text: a JSON number would lose the low bits of an address in most readers.
  json->Text("address", fmt::format("0x{:x}", finding.address));
  json->Bits("count", finding.count);
  json->Text("message", finding.message);
  json->Text("advice", finding.advice);
  json->Text("other_file", finding.other_file);
  json->Whole("other_line", finding.other_line);
  json->Whole("cases", finding.cases);
  json->Text("case", finding.case_name);
  WriteCaseNumber(finding.case_number, json);
}

// Without what JSON has no number for.
void WriteMetrics(const char* key, const std::map<std::string, double>& metrics, Json* json) {
  bool begun = false;
  for (const auto& [metric, value] : metrics) {
    if (!std::isfinite(value)) continue;
    if (!begun) json->Begin(key);
    begun = true;
    json->Number(metric.c_str(), value);
  }
  if (begun) json->End();
}

void WriteCorrectness(const score::RungMeasurement& measurement, Json* json) {
  json->Begin("correctness");
  json->Whole("passed", measurement.cases_passed);
  json->Whole("faulty", measurement.cases_faulty);
  json->Whole("run", measurement.cases_run);
  json->Whole("cases", measurement.cases);
  json->Objects("failures", measurement.failures, WriteFailure);
  json->End();
}

void WriteRung(const score::RungScore& rung, Json* json) {
  const score::RungMeasurement& measurement = rung.measurement;
  json->Text("rung", rung.rung);
  json->Text("status", score::Name(measurement.status));
  WritePoints(rung, json);
  if (rung.counts != score::RungScore::Counts::kYes) json->Text("counts", CountsName(rung.counts));
  WriteCorrectness(measurement, json);
  json->Objects("technique", rung.technique, WriteTechnique);
  WriteThroughput(rung, json);
  json->Objects("findings", measurement.findings, WriteFinding);
  WriteMetrics("metrics", measurement.metrics, json);
  WriteMetrics("answer_metrics", measurement.answer_metrics, json);
  json->Text("hint", measurement.hint);
  if (measurement.delay_seed != 0) json->Bits("delay_seed", measurement.delay_seed);
  json->Texts("messages", measurement.messages);
  if (rung.visibility != config::Visibility::kVisible) {
    json->Text("visibility", config::Name(rung.visibility));
    json->Flag("hidden_now", rung.hidden_now);
  }
  if (!rung.visibility_note.empty()) json->Text("visibility_note", rung.visibility_note);
}

void WriteLab(const score::LabScore& lab, Json* json) {
  json->Text("lab", lab.lab);
  WritePoints(lab, json);
  if (lab.is_partial) json->Number("whole_max_points", lab.whole_max.value_or(lab.max_points).ToDouble());
  json->Objects("rungs", lab.rungs, WriteRung);
}

void WriteUnfinished(const score::UnfinishedRung& rung, Json* json) {
  json->Text("lab", rung.lab);
  json->Text("rung", rung.rung);
  json->Text("reason", rung.reason);
}

void WriteSubmission(const score::SubmissionScore& submission, Json* json) {
  json->Text("id", submission.id);
  WritePoints(submission, json);
  json->Flag("finished", submission.unfinished.empty());
  json->Objects("labs", submission.labs, WriteLab);
  if (!submission.unfinished.empty()) json->Objects("unfinished", submission.unfinished, WriteUnfinished);
  json->Texts("messages", submission.messages);
}

void WriteEntry(const score::LeaderboardEntry& entry, Json* json) {
  json->WholeOrNull("rank", entry.rank);
  json->Text("id", entry.id);
  json->Text("shown_as", entry.shown_as);
  json->Number("score_seconds", entry.score_s);
  json->Number("time_seconds", entry.time_s);
  json->Text("rung", entry.rung);
  json->Whole("wrong_answers", entry.wrong_answers);
  json->Text("note", entry.note);
}

void WriteLeaderboard(const score::Leaderboard& leaderboard, Json* json) {
  json->Text("lab", leaderboard.lab);
  json->Text("title", leaderboard.title);
  json->Whole("wrong_answer_seconds", leaderboard.wrong_answer_s);
  json->Flag("timed", leaderboard.timed);
  json->Objects("entries", leaderboard.entries, WriteEntry);
}

// Begins the document.
void WriteHead(const score::GradingReport& report, Json* json) {
  const score::DeviceDescription& device = report.device;
  json->Begin();
  json->Text("schema", kResultsSchema);
  json->Text("kit_version", report.kit_version);
  json->Text("course", report.course);
  json->Begin("device");
  json->Text("kind", device.kind);
  json->Text("name", device.name);
  json->Text("uuid", device.uuid);
  json->Text("driver", device.driver);
  json->End();
  json->Text("sandbox", report.sandbox);
}

// Submissions as they stand in the document, with commas between them.
std::string IndentedSubmissions(std::span<const score::SubmissionScore> submissions) {
  Json json;
  json.Begin();
  json.BeginArray("submissions");
  const size_t begin = json.Written().size();
  for (const score::SubmissionScore& submission : submissions) json.Object(submission, WriteSubmission);
  return json.Written(begin);
}

// The same, one submission on each line.
std::string LinesOfSubmissions(std::span<const score::SubmissionScore> submissions) {
  Json json(Json::Layout::kOneLine);
  for (const score::SubmissionScore& submission : submissions) {
    if (&submission != submissions.data()) json.Next(kBetweenLines);
    json.Object(submission, WriteSubmission);
  }
  return json.Written();
}

// With which a document begins.
constexpr std::string_view kBrace = "{";

void WriteDocument(const score::GradingReport& report, bool in_lines, const Sink& sink) {
  Json head;
  WriteHead(report, &head);
  head.BeginArray("submissions");
  Json rest;
  rest.Begin();
  rest.Objects("leaderboards", report.leaderboards, WriteLeaderboard);
  rest.End();
  const auto write_some = [&](size_t begin, size_t end) {
    const auto some = std::span(report.submissions).subspan(begin, end - begin);
    return in_lines ? LinesOfSubmissions(some) : IndentedSubmissions(some);
  };
  TakeAll(head.Written() + (in_lines ? "\n" : ""), report.submissions.size(), write_some,
          in_lines ? kBetweenLines : ",",
          (report.submissions.empty() ? "]," : "\n  ],") + rest.Written(kBrace.size()) + "\n", sink);
}

}  // namespace

const char* ThroughputStatusName(score::ThroughputMeasurement::Status status) {
  switch (status) {
    case score::ThroughputMeasurement::Status::kNotMeasured:
      return "not_measured";
    case score::ThroughputMeasurement::Status::kMeasured:
      return "measured";
    case score::ThroughputMeasurement::Status::kFlagged:
      return "flagged";
  }
  return "";
}

const char* CeilingName(score::ThroughputMeasurement::Ceiling ceiling) {
  return ceiling == score::ThroughputMeasurement::Ceiling::kCopy ? "copy" : "solution";
}

const char* CountsName(score::RungScore::Counts counts) {
  switch (counts) {
    case score::RungScore::Counts::kYes:
      return "yes";
    case score::RungScore::Counts::kBonus:
      return "bonus";
    case score::RungScore::Counts::kNo:
      return "no";
  }
  return "";
}

void WriteJson(const score::GradingReport& report, const Sink& sink) {
  WriteDocument(report, report.submissions.size() > kMostIndented, sink);
}

std::string JsonText(const score::GradingReport& report) {
  return Collected([&report](const Sink& sink) { WriteJson(report, sink); });
}

std::string JsonInLines(const score::GradingReport& report) {
  return Collected([&report](const Sink& sink) { WriteDocument(report, true, sink); });
}

}  // namespace warpgrade::report
