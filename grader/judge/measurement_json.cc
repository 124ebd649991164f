#include "grader/judge/measurement_json.h"

#include <nlohmann/json.hpp>

namespace warpgrade::judge {
namespace {

using nlohmann::json;
using score::ThroughputMeasurement;

template <typename T>
json OptionalToJson(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <typename T>
std::optional<T> OptionalFromJson(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<T>();
}

template <typename Enum>
Enum EnumFromJson(const json& value, Enum last) {
  const int number = value.get<int>();
  if (number < 0 || number > static_cast<int>(last)) throw std::out_of_range("an enumeration's number");
  return static_cast<Enum>(number);
}

json ToJson(const score::CaseFailure& f) {
  return {{"case", f.case_name},
          {"index", OptionalToJson(f.index)},
          {"got", f.got},
          {"want", f.want},
          {"message", f.message}};
}

score::CaseFailure FailureFromJson(const json& j) {
  score::CaseFailure f;
  j.at("case").get_to(f.case_name);
  f.index = OptionalFromJson<uint64_t>(j.at("index"));
  j.at("got").get_to(f.got);
  j.at("want").get_to(f.want);
  j.at("message").get_to(f.message);
  return f;
}

json ToJson(const score::Finding& f) {
  return {{"kind", f.kind},     {"kernel", f.kernel},   {"file", f.file},   {"line", f.line},      {"block", f.block},
          {"thread", f.thread}, {"address", f.address}, {"count", f.count}, {"message", f.message}};
}

score::Finding FindingFromJson(const json& j) {
  score::Finding f;
  j.at("kind").get_to(f.kind);
  j.at("kernel").get_to(f.kernel);
  j.at("file").get_to(f.file);
  j.at("line").get_to(f.line);
  j.at("block").get_to(f.block);
  j.at("thread").get_to(f.thread);
  j.at("address").get_to(f.address);
  j.at("count").get_to(f.count);
  j.at("message").get_to(f.message);
  return f;
}

json ToJson(const score::GpuTelemetry& g) {
  return {{"readings", g.readings},
          {"sm_mhz_min", OptionalToJson(g.sm_mhz_min)},
          {"sm_mhz_median", OptionalToJson(g.sm_mhz_median)},
          {"sm_mhz_max", OptionalToJson(g.sm_mhz_max)},
          {"sm_mhz_highest", OptionalToJson(g.sm_mhz_highest)},
          {"mem_mhz", OptionalToJson(g.mem_mhz)},
          {"temperature_c", OptionalToJson(g.temperature_c)},
          {"power_w", OptionalToJson(g.power_w)},
          {"throttle", OptionalToJson(g.throttle)},
          {"slowed_down", g.slowed_down}};
}

score::GpuTelemetry TelemetryFromJson(const json& j) {
  score::GpuTelemetry g;
  j.at("readings").get_to(g.readings);
  g.sm_mhz_min = OptionalFromJson<int>(j.at("sm_mhz_min"));
  g.sm_mhz_median = OptionalFromJson<int>(j.at("sm_mhz_median"));
  g.sm_mhz_max = OptionalFromJson<int>(j.at("sm_mhz_max"));
  g.sm_mhz_highest = OptionalFromJson<int>(j.at("sm_mhz_highest"));
  g.mem_mhz = OptionalFromJson<int>(j.at("mem_mhz"));
  g.temperature_c = OptionalFromJson<int>(j.at("temperature_c"));
  g.power_w = OptionalFromJson<int>(j.at("power_w"));
  g.throttle = OptionalFromJson<std::vector<std::string>>(j.at("throttle"));
  j.at("slowed_down").get_to(g.slowed_down);
  return g;
}

json ToJson(const ThroughputMeasurement& t) {
  return {{"status", static_cast<int>(t.status)},
          {"value", t.value},
          {"unit", t.unit},
          {"spread_percent", t.spread_percent},
          {"samples", t.samples},
          {"seconds", OptionalToJson(t.seconds)},
          {"ceiling_of", static_cast<int>(t.ceiling_of)},
          {"ceiling", OptionalToJson(t.ceiling)},
          {"reason", t.reason},
          {"gpu", t.gpu ? ToJson(*t.gpu) : json(nullptr)}};
}

ThroughputMeasurement ThroughputFromJson(const json& j) {
  ThroughputMeasurement t;
  t.status = EnumFromJson(j.at("status"), ThroughputMeasurement::Status::kFlagged);
  j.at("value").get_to(t.value);
  j.at("unit").get_to(t.unit);
  j.at("spread_percent").get_to(t.spread_percent);
  j.at("samples").get_to(t.samples);
  t.seconds = OptionalFromJson<double>(j.at("seconds"));
  t.ceiling_of = EnumFromJson(j.at("ceiling_of"), ThroughputMeasurement::Ceiling::kSolution);
  t.ceiling = OptionalFromJson<double>(j.at("ceiling"));
  j.at("reason").get_to(t.reason);
  if (const json& gpu = j.at("gpu"); !gpu.is_null()) t.gpu = TelemetryFromJson(gpu);
  return t;
}

json ToJson(const score::RungMeasurement& m) {
  json failures = json::array(), findings = json::array();
  for (const score::CaseFailure& failure : m.failures) failures.push_back(ToJson(failure));
  for (const score::Finding& finding : m.findings) findings.push_back(ToJson(finding));
  return {{"status", static_cast<int>(m.status)},
          {"cases", m.cases},
          {"cases_passed", m.cases_passed},
          {"failures", failures},
          {"technique_measured", m.technique_measured},
          {"metrics", m.metrics},
          {"metric_lines", m.metric_lines},
          {"findings", findings},
          {"throughput", ToJson(m.throughput)},
          {"messages", m.messages}};
}

score::RungMeasurement MeasurementFromJson(const json& j) {
  score::RungMeasurement m;
  m.status = EnumFromJson(j.at("status"), score::RungStatus::kMissing);
  j.at("cases").get_to(m.cases);
  j.at("cases_passed").get_to(m.cases_passed);
  for (const json& failure : j.at("failures")) m.failures.push_back(FailureFromJson(failure));
  j.at("technique_measured").get_to(m.technique_measured);
  j.at("metrics").get_to(m.metrics);
  j.at("metric_lines").get_to(m.metric_lines);
  for (const json& finding : j.at("findings")) m.findings.push_back(FindingFromJson(finding));
  m.throughput = ThroughputFromJson(j.at("throughput"));
  j.at("messages").get_to(m.messages);
  return m;
}

json ToJson(const config::RunLimits& l) {
  return {{"wall_s", l.wall_s},
          {"cpu_s", l.cpu_s},
          {"memory_mb", l.memory_mb},
          {"output_kb", l.output_kb},
          {"file_mb", l.file_mb},
          {"host_visible_kb", l.host_visible_kb},
          {"instruction_budget", l.instruction_budget},
          {"total_instruction_budget", l.total_instruction_budget}};
}

config::RunLimits LimitsFromJson(const json& j) {
  config::RunLimits l;
  j.at("wall_s").get_to(l.wall_s);
  j.at("cpu_s").get_to(l.cpu_s);
  j.at("memory_mb").get_to(l.memory_mb);
  j.at("output_kb").get_to(l.output_kb);
  j.at("file_mb").get_to(l.file_mb);
  j.at("host_visible_kb").get_to(l.host_visible_kb);
  j.at("instruction_budget").get_to(l.instruction_budget);
  j.at("total_instruction_budget").get_to(l.total_instruction_budget);
  return l;
}

json ToJson(const TimingRule& r) {
  json edges = json::array();
  for (const ThroughputEdge& edge : r.edges) edges.push_back({{"at", edge.at}, {"share", edge.share}});
  return {{"sample_ns", r.sample_ns},
          {"max_calls", r.max_calls},
          {"disturbance_ns", r.disturbance_ns},
          {"edges", edges},
          {"edge_share", r.edge_share},
          {"workers", r.workers},
          {"max_workers", r.max_workers},
          {"min_samples", r.min_samples},
          {"max_samples", r.max_samples},
          {"standard_error_percent", r.standard_error_percent},
          {"budget_ns", r.budget_ns},
          {"max_overhead_ns", r.max_overhead_ns},
          {"max_overhead_spread_ns", r.max_overhead_spread_ns},
          {"attempts", r.attempts}};
}

TimingRule TimingFromJson(const json& j) {
  TimingRule r;
  j.at("sample_ns").get_to(r.sample_ns);
  j.at("max_calls").get_to(r.max_calls);
  j.at("disturbance_ns").get_to(r.disturbance_ns);
  for (const json& edge : j.at("edges")) {
    r.edges.push_back({edge.at("at").get<double>(), edge.at("share").get<bool>()});
  }
  j.at("edge_share").get_to(r.edge_share);
  j.at("workers").get_to(r.workers);
  j.at("max_workers").get_to(r.max_workers);
  j.at("min_samples").get_to(r.min_samples);
  j.at("max_samples").get_to(r.max_samples);
  j.at("standard_error_percent").get_to(r.standard_error_percent);
  j.at("budget_ns").get_to(r.budget_ns);
  j.at("max_overhead_ns").get_to(r.max_overhead_ns);
  j.at("max_overhead_spread_ns").get_to(r.max_overhead_spread_ns);
  j.at("attempts").get_to(r.attempts);
  return r;
}

// Text of a student's making is plain already; should a byte slip through, it is replaced and never thrown about.
std::string Dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

// The library's exceptions stop here.
template <typename T, typename Read>
Result<T> Parse(std::string_view text, const char* what, Read read) {
  try {
    return read(json::parse(text));
  } catch (const std::exception& e) {
    return Error{ErrorKind::kMachine,
                 std::string("cannot read a ") + what + " between two of our processes: " + e.what()};
  }
}

}  // namespace

std::string SerializeMeasurement(const score::RungMeasurement& measurement) { return Dump(ToJson(measurement)); }

Result<score::RungMeasurement> ParseMeasurement(std::string_view text) {
  return Parse<score::RungMeasurement>(text, "measurement", MeasurementFromJson);
}

std::string SerializeOutcome(const Result<score::RungMeasurement>& outcome) {
  if (outcome) return Dump({{"measurement", ToJson(*outcome)}});
  return Dump({{"error", {{"kind", static_cast<int>(outcome.error().kind)}, {"message", outcome.error().message}}}});
}

Result<score::RungMeasurement> ParseOutcome(std::string_view text) {
  using Outcome = Result<score::RungMeasurement>;
  Result<Outcome> parsed = Parse<Outcome>(text, "measurement", [](const json& j) -> Outcome {
    if (!j.contains("error")) return MeasurementFromJson(j.at("measurement"));
    const json& error = j.at("error");
    return Error{EnumFromJson(error.at("kind"), ErrorKind::kMachine), error.at("message").get<std::string>()};
  });
  if (!parsed) return parsed.error();
  return std::move(*parsed);
}

std::string SerializeRequest(const JudgeRequest& r) {
  return Dump({{"lab", std::string(r.lab->name())},
               {"rung", r.rung},
               {"executable", r.executable},
               {"calibrator", r.calibrator},
               {"solution", r.solution},
               {"device", static_cast<int>(r.device)},
               {"limits", ToJson(r.limits)},
               {"confine", r.confine},
               {"hidden", r.hidden},
               {"hidden_cases", r.hidden_cases},
               {"technique", r.technique},
               {"throughput", r.throughput},
               {"emulator_runtime_folder", r.emulator_runtime_folder},
               {"gpu_runtime_folder", r.gpu_runtime_folder},
               {"emulator_threads", r.emulator_threads},
               {"timing", ToJson(r.timing)},
               {"seed", OptionalToJson(r.seed)}});
}

Result<JudgeRequest> ParseRequest(std::string_view text, const Lab* (*find_lab)(std::string_view name)) {
  return Parse<JudgeRequest>(text, "request", [find_lab](const json& j) {
    JudgeRequest r;
    r.lab = find_lab(j.at("lab").get<std::string>());
    if (r.lab == nullptr) throw std::out_of_range("there is no such lab");
    j.at("rung").get_to(r.rung);
    j.at("executable").get_to(r.executable);
    j.at("calibrator").get_to(r.calibrator);
    j.at("solution").get_to(r.solution);
    r.device = EnumFromJson(j.at("device"), DeviceChoice::kGpu);
    r.limits = LimitsFromJson(j.at("limits"));
    j.at("confine").get_to(r.confine);
    j.at("hidden").get_to(r.hidden);
    j.at("hidden_cases").get_to(r.hidden_cases);
    j.at("technique").get_to(r.technique);
    j.at("throughput").get_to(r.throughput);
    j.at("emulator_runtime_folder").get_to(r.emulator_runtime_folder);
    j.at("gpu_runtime_folder").get_to(r.gpu_runtime_folder);
    j.at("emulator_threads").get_to(r.emulator_threads);
    r.timing = TimingFromJson(j.at("timing"));
    r.seed = OptionalFromJson<uint64_t>(j.at("seed"));
    return r;
  });
}

}  // namespace warpgrade::judge
