// Makes the document of schema/results.schema.json, with one function for each of its objects. json_reader.cc is the
// counterpart. Tests: tests/report/json_test.cc.
#include "grader/report/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/report/words.h"
#include "grader/score/throughput.h"

namespace warpgrade::report {
namespace {

using Json = nlohmann::ordered_json;

Json Number(std::optional<double> value) { return value && std::isfinite(*value) ? Json(*value) : Json(nullptr); }

Json Whole(std::optional<int> value) { return value ? Json(*value) : Json(nullptr); }

template <typename Scored>
void AddPoints(const Scored& scored, Json* json) {
  (*json)["points"] = scored.points.ToDouble();
  (*json)["max_points"] = scored.max_points.ToDouble();
  (*json)["measurable_points"] = scored.measurable_points.ToDouble();
}

// `all` as a JSON array, each made by `to_json`.
template <typename Items, typename ToJson>
Json Array(const Items& all, const ToJson& to_json) {
  Json array = Json::array();
  for (const auto& item : all) array.push_back(to_json(item));
  return array;
}

Json FailureJson(const score::CaseFailure& failure) {
  return {{"case", failure.case_name},
          {"index", failure.index ? Json(*failure.index) : Json(nullptr)},
          {"got", failure.got},
          {"want", failure.want},
          {"message", failure.message},
          {"explained", failure.explained},
          {"case_number", failure.case_number > 0 ? Json(failure.case_number) : Json(nullptr)}};
}

Json BoundsJson(const score::BoundsResult& result) {
  return {
      {"metric", result.metric}, {"limit", result.limit}, {"value", Number(result.value)}, {"passed", result.passed}};
}

Json TechniqueJson(const score::TechniqueResult& result) {
  Json json = BoundsJson(result);
  json["points"] = result.points.ToDouble();
  json["max_points"] = result.max_points.ToDouble();
  if (!result.provided.empty()) json["provided"] = Array(result.provided, BoundsJson);
  return json;
}

Json AcceptanceJson(const std::optional<score::Acceptance>& accepted) {
  if (!accepted) return nullptr;
  return {{"by", accepted->by}, {"when", accepted->when}, {"because", accepted->because}};
}

Json TelemetryJson(const std::optional<score::GpuTelemetry>& gpu) {
  if (!gpu) return nullptr;
  return {{"readings", gpu->readings},
          {"sm_mhz",
           {{"min", Whole(gpu->sm_mhz_min)},
            {"median", Whole(gpu->sm_mhz_median)},
            {"max", Whole(gpu->sm_mhz_max)},
            {"highest", Whole(gpu->sm_mhz_highest)}}},
          {"mem_mhz", Whole(gpu->mem_mhz)},
          {"temperature_c", Whole(gpu->temperature_c)},
          {"power_w", Whole(gpu->power_w)},
          {"throttle", gpu->throttle ? Json(*gpu->throttle) : Json(nullptr)},
          {"slowed_down", gpu->slowed_down}};
}

Json ThroughputJson(const score::RungScore& rung) {
  const score::ThroughputMeasurement& throughput = rung.measurement.throughput;
  const bool known = throughput.status != score::ThroughputMeasurement::Status::kNotMeasured;
  return {{"status", ThroughputStatusName(throughput.status)},
          {"value", known ? Number(throughput.value) : Json(nullptr)},
          {"unit", throughput.unit},
          {"seconds", known ? Number(throughput.seconds) : Json(nullptr)},
          {"exclusive_seconds", Number(throughput.exclusive_seconds)},
          {"spread_percent", known ? Number(throughput.spread_percent) : Json(nullptr)},
          {"ceiling", Number(throughput.ceiling)},
          {"ceiling_of", CeilingName(throughput.ceiling_of)},
          {"share", Number(score::ShareOfCeiling(throughput))},
          {"points", rung.throughput_points.ToDouble()},
          {"max_points", rung.throughput_max.ToDouble()},
          {"reason", throughput.reason},
          {"accepted", AcceptanceJson(throughput.accepted)},
          {"gpu", TelemetryJson(throughput.gpu)}};
}

Json FindingJson(const score::Finding& finding) {
  return {{"kind", finding.kind},
          {"kernel", finding.kernel},
          {"file", finding.file},
          {"line", finding.line},
          {"block", finding.block},
          {"thread", finding.thread},
          // As text: a JSON number would lose the low bits of an address in most readers.
          {"address", fmt::format("0x{:x}", finding.address)},
          {"count", finding.count},
          {"message", finding.message},
          {"advice", finding.advice},
          {"other_file", finding.other_file},
          {"other_line", finding.other_line},
          {"cases", finding.cases},
          {"case", finding.case_name},
          {"case_number", finding.case_number > 0 ? Json(finding.case_number) : Json(nullptr)}};
}

// Without what JSON has no number for.
void AddMetrics(const char* key, const std::map<std::string, double>& metrics, Json* json) {
  for (const auto& [metric, value] : metrics) {
    if (std::isfinite(value)) (*json)[key][metric] = value;
  }
}

Json RungJson(const score::RungScore& rung) {
  const score::RungMeasurement& measurement = rung.measurement;
  Json json = {{"rung", rung.rung}, {"status", score::Name(measurement.status)}};
  AddPoints(rung, &json);
  if (rung.counts != score::RungScore::Counts::kYes) json["counts"] = CountsName(rung.counts);
  json["correctness"] = {{"passed", measurement.cases_passed},
                         {"faulty", measurement.cases_faulty},
                         {"run", measurement.cases_run},
                         {"cases", measurement.cases},
                         {"failures", Array(measurement.failures, FailureJson)}};
  json["technique"] = Array(rung.technique, TechniqueJson);
  json["throughput"] = ThroughputJson(rung);
  json["findings"] = Array(measurement.findings, FindingJson);
  AddMetrics("metrics", measurement.metrics, &json);
  AddMetrics("answer_metrics", measurement.answer_metrics, &json);
  json["hint"] = measurement.hint;
  if (measurement.delay_seed != 0) json["delay_seed"] = measurement.delay_seed;
  json["messages"] = measurement.messages;
  if (rung.visibility != config::Visibility::kVisible) {
    json["visibility"] = config::Name(rung.visibility);
    json["hidden_now"] = rung.hidden_now;
  }
  if (!rung.visibility_note.empty()) json["visibility_note"] = rung.visibility_note;
  return json;
}

Json LabJson(const score::LabScore& lab) {
  Json json = {{"lab", lab.lab}};
  AddPoints(lab, &json);
  if (lab.is_partial) json["whole_max_points"] = lab.whole_max.value_or(lab.max_points).ToDouble();
  json["rungs"] = Array(lab.rungs, RungJson);
  return json;
}

Json UnfinishedJson(const score::UnfinishedRung& rung) {
  return {{"lab", rung.lab}, {"rung", rung.rung}, {"reason", rung.reason}};
}

Json SubmissionJson(const score::SubmissionScore& submission) {
  Json json = {{"id", submission.id}};
  AddPoints(submission, &json);
  json["finished"] = submission.unfinished.empty();
  json["labs"] = Array(submission.labs, LabJson);
  if (!submission.unfinished.empty()) json["unfinished"] = Array(submission.unfinished, UnfinishedJson);
  json["messages"] = submission.messages;
  return json;
}

Json EntryJson(const score::LeaderboardEntry& entry) {
  return {{"rank", entry.rank ? Json(*entry.rank) : Json(nullptr)},
          {"id", entry.id},
          {"shown_as", entry.shown_as},
          {"score_seconds", Number(entry.score_s)},
          {"time_seconds", Number(entry.time_s)},
          {"rung", entry.rung},
          {"wrong_answers", entry.wrong_answers},
          {"note", entry.note}};
}

Json LeaderboardJson(const score::Leaderboard& leaderboard) {
  return {{"lab", leaderboard.lab},
          {"title", leaderboard.title},
          {"wrong_answer_seconds", leaderboard.wrong_answer_s},
          {"timed", leaderboard.timed},
          {"entries", Array(leaderboard.entries, EntryJson)}};
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

std::string JsonText(const score::GradingReport& report) {
  const score::DeviceDescription& device = report.device;
  const Json json = {
      {"schema", kResultsSchema},
      {"kit_version", report.kit_version},
      {"course", report.course},
      {"device", {{"kind", device.kind}, {"name", device.name}, {"uuid", device.uuid}, {"driver", device.driver}}},
      {"sandbox", report.sandbox},
      {"submissions", Array(report.submissions, SubmissionJson)},
      {"leaderboards", Array(report.leaderboards, LeaderboardJson)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpgrade::report
