// The counterpart of json.cc, with one function for each object. At the end it writes the report again and compares the
// two documents, so that no field of a later version is lost. Tests: tests/report/json_reader_test.cc.
#include "grader/report/json_reader.h"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "grader/report/json.h"
#include "grader/report/json_fields.h"

namespace warpgrade::report {
namespace {

using config::Points;
using rapidjson::Value;
using ThroughputStatus = score::ThroughputMeasurement::Status;

// The functions below throw an exception for what is no report. ParseReport catches them.

std::optional<int> Whole(const Fields& from, const char* key) {
  const Value& value = from.At(key);
  return value.IsNull() ? std::nullopt : std::optional(As<int>(value, key));
}

Points PointsOf(const Fields& from, const char* key) {
  constexpr double kMost = 1e9;  // more would not fit when some are added
  const double points = Get<double>(from, key);
  if (!(std::abs(points) <= kMost)) Refuse(key, "a number of points");
  return Points::FromHundredths(std::llround(points * 100));
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
void ReadPoints(const Fields& from, Scored* scored) {
  scored->points = PointsOf(from, "points");
  scored->max_points = PointsOf(from, "max_points");
  scored->measurable_points = PointsOf(from, "measurable_points");
}

score::CaseFailure FailureOf(const Fields& from) {
  score::CaseFailure failure;
  failure.case_name = Get<std::string>(from, "case");
  failure.index = Maybe<uint64_t>(from, "index");
  failure.got = Get<std::string>(from, "got");
  failure.want = Get<std::string>(from, "want");
  failure.message = Get<std::string>(from, "message");
  failure.explained = GetOr<bool>(from, "explained", false);
  failure.case_number = Maybe<int>(from, "case_number").value_or(0);
  return failure;
}

score::BoundsResult BoundsOf(const Fields& from) {
  score::BoundsResult result;
  result.metric = Get<std::string>(from, "metric");
  result.limit = Get<std::string>(from, "limit");
  result.value = Maybe<double>(from, "value");
  result.passed = Get<bool>(from, "passed");
  return result;
}

score::TechniqueResult TechniqueOf(const Fields& from) {
  score::TechniqueResult result;
  static_cast<score::BoundsResult&>(result) = BoundsOf(from);
  result.points = PointsOf(from, "points");
  result.max_points = PointsOf(from, "max_points");
  if (const Value* const provided = from.Find("provided")) {
    result.provided = Items<score::BoundsResult>(*provided, "provided", BoundsOf);
  }
  return result;
}

score::Finding FindingOf(const Fields& from) {
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
  finding.case_number = Maybe<int>(from, "case_number").value_or(0);
  return finding;
}

std::optional<score::Acceptance> AcceptanceOf(const Fields& throughput) {
  const Value* const accepted = throughput.Find("accepted");
  if (accepted == nullptr || accepted->IsNull()) return std::nullopt;
  const Fields from(*accepted, "accepted");
  return score::Acceptance{Get<std::string>(from, "by"), Get<std::string>(from, "when"),
                           Get<std::string>(from, "because")};
}

std::optional<score::GpuTelemetry> TelemetryOf(const Fields& throughput) {
  const Value* const found = throughput.Find("gpu");
  if (found == nullptr || found->IsNull()) return std::nullopt;
  const Fields from(*found, "gpu");
  score::GpuTelemetry gpu;
  gpu.readings = Get<int>(from, "readings");
  const Fields sm_mhz = from.Object("sm_mhz");
  gpu.sm_mhz_min = Whole(sm_mhz, "min");
  gpu.sm_mhz_median = Whole(sm_mhz, "median");
  gpu.sm_mhz_max = Whole(sm_mhz, "max");
  gpu.sm_mhz_highest = Whole(sm_mhz, "highest");
  gpu.mem_mhz = Whole(from, "mem_mhz");
  gpu.temperature_c = Whole(from, "temperature_c");
  gpu.power_w = Whole(from, "power_w");
  if (!from.At("throttle").IsNull()) gpu.throttle = Texts(from, "throttle");
  gpu.slowed_down = Get<bool>(from, "slowed_down");
  gpu.uuid = Maybe<std::string>(from, "uuid").value_or("");
  return gpu;
}

// What the rung got for its speed, too.
void ReadThroughput(const Fields& from, score::RungScore* rung) {
  score::ThroughputMeasurement& throughput = rung->measurement.throughput;
  throughput.status = ByName(Get<std::string>(from, "status"), ThroughputStatus::kFlagged, ThroughputStatusName);
  const bool known = throughput.status != ThroughputStatus::kNotMeasured;
  throughput.value = Maybe<double>(from, "value").value_or(known ? std::numeric_limits<double>::quiet_NaN() : 0);
  throughput.unit = Get<std::string>(from, "unit");
  throughput.seconds = Maybe<double>(from, "seconds");
  throughput.exclusive_seconds = Maybe<double>(from, "exclusive_seconds");
  throughput.spread_percent = Maybe<double>(from, "spread_percent").value_or(0);
  throughput.ceiling = Maybe<double>(from, "ceiling");
  // Results of older kits do not have this field, and always mean a copy.
  if (const Value* const ceiling_of = from.Find("ceiling_of")) {
    using Ceiling = score::ThroughputMeasurement::Ceiling;
    throughput.ceiling_of = ByName(As<std::string>(*ceiling_of, "ceiling_of"), Ceiling::kSolution, CeilingName);
  }
  rung->throughput_points = PointsOf(from, "points");
  rung->throughput_max = PointsOf(from, "max_points");
  throughput.reason = Get<std::string>(from, "reason");
  throughput.accepted = AcceptanceOf(from);
  throughput.gpu = TelemetryOf(from);
}

// Results of older kits do not have these fields.
std::map<std::string, double> MetricsOf(const Fields& from, const char* key) {
  std::map<std::string, double> metrics;
  const Value* const all = from.Find(key);
  if (all == nullptr) return metrics;
  if (!all->IsObject()) Refuse(key, "an object");
  for (const auto& [name, value] : all->GetObject()) metrics[As<std::string>(name, key)] = As<double>(value, key);
  return metrics;
}

void ReadCorrectness(const Fields& from, score::RungMeasurement* measurement) {
  measurement->cases_passed = Get<int>(from, "passed");
  measurement->cases_faulty = GetOr<int>(from, "faulty", 0);
  measurement->cases_run = GetOr<int>(from, "run", 0);
  measurement->cases = Get<int>(from, "cases");
  measurement->failures = Items<score::CaseFailure>(from, "failures", FailureOf);
}

// The points for correctness are not in the file: they are what remains after technique and throughput.
score::RungScore RungOf(const Fields& from) {
  score::RungScore rung;
  score::RungMeasurement& measurement = rung.measurement;
  rung.rung = Get<std::string>(from, "rung");
  measurement.status = ByName(Get<std::string>(from, "status"), score::RungStatus::kMissing, score::Name);
  ReadPoints(from, &rung);
  rung.counts = ByName(GetOr<std::string>(from, "counts", "yes"), score::RungScore::Counts::kNo, CountsName);
  ReadCorrectness(from.Object("correctness"), &measurement);
  rung.technique = Items<score::TechniqueResult>(from, "technique", TechniqueOf);
  ReadThroughput(from.Object("throughput"), &rung);
  measurement.findings = Items<score::Finding>(from, "findings", FindingOf);
  measurement.metrics = MetricsOf(from, "metrics");
  measurement.answer_metrics = MetricsOf(from, "answer_metrics");
  measurement.hint = GetOr<std::string>(from, "hint", "");
  measurement.delay_seed = GetOr<uint64_t>(from, "delay_seed", 0);
  measurement.messages = Texts(from, "messages");
  rung.visibility = ByName(GetOr<std::string>(from, "visibility", "visible"), config::Visibility::kHidden,
                           [](config::Visibility one) { return std::string(config::Name(one)); });
  rung.hidden_now = GetOr<bool>(from, "hidden_now", false);
  rung.visibility_note = GetOr<std::string>(from, "visibility_note", "");
  for (const score::TechniqueResult& result : rung.technique) {
    measurement.technique_measured = measurement.technique_measured || result.value || !measurement.metrics.empty();
    rung.technique_points += result.points;
    rung.technique_max += result.max_points;
  }
  rung.throughput_measurable = rung.throughput_max > Points() && rung.measurable_points == rung.max_points;
  rung.correctness_points = rung.points - rung.technique_points - rung.throughput_points;
  rung.correctness_max = rung.max_points - rung.technique_max - rung.throughput_max;
  return rung;
}

score::LabScore LabOf(const Fields& from) {
  score::LabScore lab;
  lab.lab = Get<std::string>(from, "lab");
  ReadPoints(from, &lab);
  if (from.Find("whole_max_points") != nullptr) {
    lab.is_partial = true;
    lab.whole_max = PointsOf(from, "whole_max_points");
  }
  lab.rungs = Items<score::RungScore>(from, "rungs", RungOf);
  return lab;
}

score::UnfinishedRung UnfinishedOf(const Fields& from) {
  return {Get<std::string>(from, "lab"), Get<std::string>(from, "rung"), Get<std::string>(from, "reason")};
}

score::SubmissionScore SubmissionOf(const Fields& from) {
  score::SubmissionScore submission;
  submission.id = Get<std::string>(from, "id");
  ReadPoints(from, &submission);
  submission.labs = Items<score::LabScore>(from, "labs", LabOf);
  if (const Value* const unfinished = from.Find("unfinished")) {
    submission.unfinished = Items<score::UnfinishedRung>(*unfinished, "unfinished", UnfinishedOf);
  }
  submission.messages = Texts(from, "messages");
  return submission;
}

score::LeaderboardEntry EntryOf(const Fields& from) {
  score::LeaderboardEntry entry;
  entry.rank = Whole(from, "rank");
  entry.id = Get<std::string>(from, "id");
  entry.shown_as = Get<std::string>(from, "shown_as");
  entry.score_s = Maybe<double>(from, "score_seconds");
  entry.time_s = Maybe<double>(from, "time_seconds");
  entry.rung = Get<std::string>(from, "rung");
  entry.wrong_answers = Get<int>(from, "wrong_answers");
  entry.note = Get<std::string>(from, "note");
  return entry;
}

score::Leaderboard LeaderboardOf(const Fields& from) {
  return {Get<std::string>(from, "lab"), Get<std::string>(from, "title"), Get<int>(from, "wrong_answer_seconds"),
          Get<bool>(from, "timed"), Items<score::LeaderboardEntry>(from, "entries", EntryOf)};
}

score::GradingReport ReportOf(const Fields& from) {
  score::GradingReport report;
  report.kit_version = Get<std::string>(from, "kit_version");
  report.course = Get<std::string>(from, "course");
  const Fields device = from.Object("device");
  report.device = {Get<std::string>(device, "kind"), Get<std::string>(device, "name"), Get<std::string>(device, "uuid"),
                   Get<std::string>(device, "driver"), score::Peaks()};
  report.sandbox = GetOr<std::string>(from, "sandbox", report.sandbox);
  report.submissions = Items<score::SubmissionScore>(from, "submissions", SubmissionOf);
  if (const Value* const leaderboards = from.Find("leaderboards")) {
    report.leaderboards = Items<score::Leaderboard>(*leaderboards, "leaderboards", LeaderboardOf);
  }
  return report;
}

// The path of the first value in `old` that is missing or different in `now`; "" if there is none.
std::string Lost(const Value& old, const Value& now, const std::string& path) {
  if (old.IsObject() && now.IsObject()) {
    for (const auto& [name, value] : old.GetObject()) {
      std::string inside = fmt::format("{}/{}", path, name.GetString());
      const auto kept = now.FindMember(name);
      if (kept == now.MemberEnd()) return inside;
      if (std::string lost = Lost(value, kept->value, inside); !lost.empty()) return lost;
    }
    return "";
  }
  if (old.IsArray() && now.IsArray() && old.Size() == now.Size()) {
    for (rapidjson::SizeType i = 0; i < old.Size(); ++i) {
      if (std::string lost = Lost(old[i], now[i], fmt::format("{}/{}", path, i)); !lost.empty()) return lost;
    }
    return "";
  }
  return old == now ? "" : path;
}

// Numbers are read exactly, and deeply nested text needs no deep stack. Bytes that are not UTF-8 stay, as in text that
// the judge gives.
rapidjson::Document Parse(const std::string& text) {
  constexpr unsigned kExact = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
  if (text.find('\0') != std::string::npos) throw std::invalid_argument("it has a byte 0");
  rapidjson::Document document;
  document.Parse<kExact>(text.c_str());
  if (!document.HasParseError()) return document;
  const auto line =
      std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(document.GetErrorOffset()), '\n') + 1;
  throw std::invalid_argument(fmt::format("line {}: {}", line, rapidjson::GetParseError_En(document.GetParseError())));
}

Error Unreadable(const std::string& path, const std::string& why) {
  return {ErrorKind::kUsage, fmt::format("{}: {}", path, why)};
}

// `nothing_lost`: writes the report again, and compares.
Result<score::GradingReport> Parsed(const std::string& text, const std::string& path, bool nothing_lost) {
  constexpr const char* kWrite = "; name a file that `warpgrade grade --json` wrote";
  try {
    const rapidjson::Document document = Parse(text);
    if (!document.IsObject() || GetOr<std::string>(Fields(document), "schema", "") != kResultsSchema) {
      return Unreadable(path, fmt::format("this is not a report of the kind {}{}", kResultsSchema, kWrite));
    }
    score::GradingReport report = ReportOf(Fields(document));
    const std::string lost = nothing_lost ? Lost(document, Parse(JsonText(report)), "") : "";
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
