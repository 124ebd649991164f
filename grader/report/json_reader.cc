// The counterpart of json.cc, with one function for each object. At the end it writes the report again and compares the
// two documents, so that no field of a later version is lost. Tests: tests/report/json_reader_test.cc.
#include "grader/report/json_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "grader/report/json.h"

namespace warpgrade::report {
namespace {

using config::Points;
using nlohmann::json;
using ThroughputStatus = score::ThroughputMeasurement::Status;

// The functions below let the exceptions of the JSON library pass. ParseReport catches them.
template <typename T>
T Get(const json& from, const char* key) {
  return from.at(key).get<T>();
}

// Fields that an older version did not write.
template <typename T>
T GetOr(const json& from, const char* key, T otherwise) {
  const auto found = from.find(key);
  return found == from.end() ? otherwise : found->get<T>();
}

std::optional<double> Number(const json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

std::optional<int> Whole(const json& from, const char* key) {
  return from.at(key).is_null() ? std::nullopt : std::optional(Get<int>(from, key));
}

Points PointsOf(const json& from, const char* key) {
  return Points::FromHundredths(std::llround(Get<double>(from, key) * 100));
}

template <typename Item, typename Read>
std::vector<Item> Items(const json& from, const char* key, const Read& read) {
  std::vector<Item> items;
  for (const json& item : from.at(key)) items.push_back(read(item));
  return items;
}

// The value from 0 to `last` whose name is `name`.
template <typename Enum, typename Name>
Enum ByName(const std::string& name, Enum last, const Name& name_of) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  throw std::out_of_range("there is no status '" + name + "'");
}

template <typename Scored>
void ReadPoints(const json& from, Scored* scored) {
  scored->points = PointsOf(from, "points");
  scored->max_points = PointsOf(from, "max_points");
  scored->measurable_points = PointsOf(from, "measurable_points");
}

score::CaseFailure FailureOf(const json& from) {
  score::CaseFailure failure;
  failure.case_name = Get<std::string>(from, "case");
  if (!from.at("index").is_null()) failure.index = Get<uint64_t>(from, "index");
  failure.got = Get<std::string>(from, "got");
  failure.want = Get<std::string>(from, "want");
  failure.message = Get<std::string>(from, "message");
  failure.explained = GetOr<bool>(from, "explained", false);
  if (from.contains("case_number") && !from.at("case_number").is_null()) {
    failure.case_number = Get<int>(from, "case_number");
  }
  return failure;
}

score::BoundsResult BoundsOf(const json& from) {
  score::BoundsResult result;
  result.metric = Get<std::string>(from, "metric");
  result.limit = Get<std::string>(from, "limit");
  result.value = Number(from, "value");
  result.passed = Get<bool>(from, "passed");
  return result;
}

score::TechniqueResult TechniqueOf(const json& from) {
  score::TechniqueResult result;
  static_cast<score::BoundsResult&>(result) = BoundsOf(from);
  result.points = PointsOf(from, "points");
  result.max_points = PointsOf(from, "max_points");
  if (from.contains("provided")) result.provided = Items<score::BoundsResult>(from, "provided", BoundsOf);
  return result;
}

score::Finding FindingOf(const json& from) {
  score::Finding finding;
  finding.kind = Get<std::string>(from, "kind");
  finding.kernel = Get<std::string>(from, "kernel");
  finding.file = Get<std::string>(from, "file");
  finding.line = Get<int>(from, "line");
  finding.block = Get<std::string>(from, "block");
  finding.thread = Get<std::string>(from, "thread");
  finding.address = std::stoull(Get<std::string>(from, "address"), nullptr, 16);
  finding.count = GetOr<uint64_t>(from, "count", 1);
  finding.message = Get<std::string>(from, "message");
  finding.advice = GetOr<std::string>(from, "advice", "");
  finding.other_file = GetOr<std::string>(from, "other_file", "");
  finding.other_line = GetOr<int>(from, "other_line", 0);
  finding.cases = GetOr<int>(from, "cases", 1);
  finding.case_name = GetOr<std::string>(from, "case", "");
  if (from.contains("case_number") && !from.at("case_number").is_null()) {
    finding.case_number = Get<int>(from, "case_number");
  }
  return finding;
}

std::optional<score::Acceptance> AcceptanceOf(const json& throughput) {
  const auto from = throughput.find("accepted");
  if (from == throughput.end() || from->is_null()) return std::nullopt;
  return score::Acceptance{Get<std::string>(*from, "by"), Get<std::string>(*from, "when"),
                           Get<std::string>(*from, "because")};
}

std::optional<score::GpuTelemetry> TelemetryOf(const json& throughput) {
  const auto from = throughput.find("gpu");
  if (from == throughput.end() || from->is_null()) return std::nullopt;
  score::GpuTelemetry gpu;
  gpu.readings = Get<int>(*from, "readings");
  const json& sm_mhz = from->at("sm_mhz");
  gpu.sm_mhz_min = Whole(sm_mhz, "min");
  gpu.sm_mhz_median = Whole(sm_mhz, "median");
  gpu.sm_mhz_max = Whole(sm_mhz, "max");
  gpu.sm_mhz_highest = Whole(sm_mhz, "highest");
  gpu.mem_mhz = Whole(*from, "mem_mhz");
  gpu.temperature_c = Whole(*from, "temperature_c");
  gpu.power_w = Whole(*from, "power_w");
  if (!from->at("throttle").is_null()) gpu.throttle = Get<std::vector<std::string>>(*from, "throttle");
  gpu.slowed_down = Get<bool>(*from, "slowed_down");
  return gpu;
}

score::ThroughputMeasurement ThroughputOf(const json& from) {
  score::ThroughputMeasurement throughput;
  throughput.status = ByName(Get<std::string>(from, "status"), ThroughputStatus::kFlagged, ThroughputStatusName);
  const bool known = throughput.status != ThroughputStatus::kNotMeasured;
  throughput.value = Number(from, "value").value_or(known ? std::numeric_limits<double>::quiet_NaN() : 0);
  throughput.unit = Get<std::string>(from, "unit");
  throughput.seconds = Number(from, "seconds");
  if (from.contains("exclusive_seconds")) throughput.exclusive_seconds = Number(from, "exclusive_seconds");
  throughput.spread_percent = Number(from, "spread_percent").value_or(0);
  throughput.ceiling = Number(from, "ceiling");
  // Results of older kits do not have this field, and always mean a copy.
  if (from.contains("ceiling_of")) {
    using Ceiling = score::ThroughputMeasurement::Ceiling;
    throughput.ceiling_of = ByName(Get<std::string>(from, "ceiling_of"), Ceiling::kSolution, CeilingName);
  }
  throughput.reason = Get<std::string>(from, "reason");
  throughput.accepted = AcceptanceOf(from);
  throughput.gpu = TelemetryOf(from);
  return throughput;
}

// Results of older kits do not have these fields.
std::map<std::string, double> MetricsOf(const json& from, const char* key) {
  return GetOr<std::map<std::string, double>>(from, key, {});
}

// The points for correctness are not in the file: they are what remains after technique and throughput.
score::RungScore RungOf(const json& from) {
  score::RungScore rung;
  rung.rung = Get<std::string>(from, "rung");
  ReadPoints(from, &rung);
  score::RungMeasurement& measurement = rung.measurement;
  measurement.status = ByName(Get<std::string>(from, "status"), score::RungStatus::kMissing, score::Name);
  measurement.cases_passed = Get<int>(from.at("correctness"), "passed");
  measurement.cases_faulty = GetOr<int>(from.at("correctness"), "faulty", 0);
  measurement.cases_run = GetOr<int>(from.at("correctness"), "run", 0);
  measurement.cases = Get<int>(from.at("correctness"), "cases");
  measurement.failures = Items<score::CaseFailure>(from.at("correctness"), "failures", FailureOf);
  measurement.findings = Items<score::Finding>(from, "findings", FindingOf);
  measurement.metrics = MetricsOf(from, "metrics");
  measurement.answer_metrics = MetricsOf(from, "answer_metrics");
  measurement.hint = GetOr<std::string>(from, "hint", "");
  measurement.delay_seed = GetOr<uint64_t>(from, "delay_seed", 0);
  measurement.messages = Get<std::vector<std::string>>(from, "messages");
  measurement.throughput = ThroughputOf(from.at("throughput"));
  rung.visibility = ByName(GetOr<std::string>(from, "visibility", "visible"), config::Visibility::kHidden,
                           [](config::Visibility one) { return std::string(config::Name(one)); });
  rung.counts = ByName(GetOr<std::string>(from, "counts", "yes"), score::RungScore::Counts::kNo, CountsName);
  rung.hidden_now = GetOr<bool>(from, "hidden_now", false);
  rung.visibility_note = GetOr<std::string>(from, "visibility_note", "");
  rung.technique = Items<score::TechniqueResult>(from, "technique", TechniqueOf);
  for (const score::TechniqueResult& result : rung.technique) {
    measurement.technique_measured = measurement.technique_measured || result.value || !measurement.metrics.empty();
    rung.technique_points += result.points;
    rung.technique_max += result.max_points;
  }
  rung.throughput_points = PointsOf(from.at("throughput"), "points");
  rung.throughput_max = PointsOf(from.at("throughput"), "max_points");
  rung.throughput_measurable = rung.throughput_max > Points() && rung.measurable_points == rung.max_points;
  rung.correctness_points = rung.points - rung.technique_points - rung.throughput_points;
  rung.correctness_max = rung.max_points - rung.technique_max - rung.throughput_max;
  return rung;
}

score::LabScore LabOf(const json& from) {
  score::LabScore lab;
  lab.lab = Get<std::string>(from, "lab");
  ReadPoints(from, &lab);
  lab.rungs = Items<score::RungScore>(from, "rungs", RungOf);
  if (from.contains("whole_max_points")) {
    lab.is_partial = true;
    lab.whole_max = PointsOf(from, "whole_max_points");
  }
  return lab;
}

score::UnfinishedRung UnfinishedOf(const json& from) {
  return {Get<std::string>(from, "lab"), Get<std::string>(from, "rung"), Get<std::string>(from, "reason")};
}

score::SubmissionScore SubmissionOf(const json& from) {
  score::SubmissionScore submission;
  submission.id = Get<std::string>(from, "id");
  ReadPoints(from, &submission);
  submission.labs = Items<score::LabScore>(from, "labs", LabOf);
  if (from.contains("unfinished")) {
    submission.unfinished = Items<score::UnfinishedRung>(from, "unfinished", UnfinishedOf);
  }
  submission.messages = Get<std::vector<std::string>>(from, "messages");
  return submission;
}

score::LeaderboardEntry EntryOf(const json& from) {
  score::LeaderboardEntry entry;
  if (!from.at("rank").is_null()) entry.rank = Get<int>(from, "rank");
  entry.id = Get<std::string>(from, "id");
  entry.shown_as = Get<std::string>(from, "shown_as");
  entry.score_s = Number(from, "score_seconds");
  entry.time_s = Number(from, "time_seconds");
  entry.rung = Get<std::string>(from, "rung");
  entry.wrong_answers = Get<int>(from, "wrong_answers");
  entry.note = Get<std::string>(from, "note");
  return entry;
}

score::Leaderboard LeaderboardOf(const json& from) {
  return {Get<std::string>(from, "lab"), Get<std::string>(from, "title"), Get<int>(from, "wrong_answer_seconds"),
          Get<bool>(from, "timed"), Items<score::LeaderboardEntry>(from, "entries", EntryOf)};
}

score::GradingReport ReportOf(const json& from) {
  score::GradingReport report;
  report.kit_version = Get<std::string>(from, "kit_version");
  report.course = Get<std::string>(from, "course");
  const json& device = from.at("device");
  report.device = {Get<std::string>(device, "kind"), Get<std::string>(device, "name"), Get<std::string>(device, "uuid"),
                   Get<std::string>(device, "driver"), score::Peaks()};
  report.sandbox = GetOr<std::string>(from, "sandbox", report.sandbox);
  report.submissions = Items<score::SubmissionScore>(from, "submissions", SubmissionOf);
  if (from.contains("leaderboards")) {
    report.leaderboards = Items<score::Leaderboard>(from, "leaderboards", LeaderboardOf);
  }
  return report;
}

// The path of the first value in `old` that is missing or different in `now`; "" if there is none.
std::string Lost(const json& old, const json& now, const std::string& path) {
  if (old.is_object() && now.is_object()) {
    for (const auto& [key, value] : old.items()) {
      std::string inside = fmt::format("{}/{}", path, key);
      if (!now.contains(key)) return inside;
      if (std::string lost = Lost(value, now.at(key), inside); !lost.empty()) return lost;
    }
    return "";
  }
  if (old.is_array() && now.is_array() && old.size() == now.size()) {
    for (size_t i = 0; i < old.size(); ++i) {
      if (std::string lost = Lost(old[i], now[i], fmt::format("{}/{}", path, i)); !lost.empty()) return lost;
    }
    return "";
  }
  return old == now ? "" : path;
}

Error Unreadable(const std::string& path, const std::string& why) {
  return {ErrorKind::kUsage, fmt::format("{}: {}", path, why)};
}

// `nothing_lost`: writes the report again, and compares.
Result<score::GradingReport> Parsed(const std::string& text, const std::string& path, bool nothing_lost) {
  constexpr const char* kWrite = "; name a file that `warpgrade grade --json` wrote";
  try {
    const json document = json::parse(text);
    if (!document.is_object() || document.value("schema", json()) != kResultsSchema) {
      return Unreadable(path, fmt::format("this is not a report of the kind {}{}", kResultsSchema, kWrite));
    }
    score::GradingReport report = ReportOf(document);
    const std::string lost = nothing_lost ? Lost(document, json::parse(JsonText(report)), "") : "";
    if (lost.empty()) return report;
    return Unreadable(
        path, fmt::format("this version of warpgrade would lose {}; use the version that wrote the report ({})", lost,
                          report.kit_version));
  } catch (const std::exception& error) {
    return Unreadable(path, fmt::format("this is not a complete report: {}{}", error.what(), kWrite));
  }
}

}  // namespace

Result<score::GradingReport> ParseReport(const std::string& text, const std::string& path) {
  return Parsed(text, path, /*nothing_lost=*/true);
}

Result<score::GradingReport> ParseKnownFields(const std::string& text, const std::string& path) {
  return Parsed(text, path, /*nothing_lost=*/false);
}

Result<score::GradingReport> ReadJson(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) {
    const int error = errno;
    return Unreadable(
        path, fmt::format("cannot be read: {}; name a file that `warpgrade grade --json` wrote", std::strerror(error)));
  }
  return ParseReport(text.str(), path);
}

}  // namespace warpgrade::report
