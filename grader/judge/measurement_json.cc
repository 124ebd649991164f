// Each struct that travels has one list of its fields (Fields), from which it is both written and read. The structured
// binding at the start of a list names every field, so a struct with one more does not compile before its list has it.
//
// Tests: tests/judge/measurement_json_test.cc.
#include "grader/judge/measurement_json.h"

#include <concepts>
#include <nlohmann/json.hpp>
#include <tuple>
#include <type_traits>

namespace warpgrade::judge {
namespace {

using nlohmann::json;

template <typename T>
struct JsonField {
  const char* name;
  T& value;
};
template <typename T>
JsonField(const char*, T&) -> JsonField<T>;

// Matches a Struct or a const Struct.
template <typename T, typename Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

auto Fields(Is<score::CaseFailure> auto& of) {
  auto& [case_name, index, got, want, message, explained, case_number, case_elements, alike] = of;
  return std::tuple(JsonField{"case", case_name}, JsonField{"index", index}, JsonField{"got", got},
                    JsonField{"want", want}, JsonField{"message", message}, JsonField{"explained", explained},
                    JsonField{"case_number", case_number}, JsonField{"case_elements", case_elements},
                    JsonField{"alike", alike});
}

auto Fields(Is<score::Finding> auto& of) {
  auto& [kind, kernel, file, line, block, thread, address, count, message, advice, other_file, other_line, line_at,
         other_line_at, reach, barrier_line, reads_first, in_local, cases, case_name, case_number, case_elements] = of;
  return std::tuple(
      JsonField{"kind", kind}, JsonField{"kernel", kernel}, JsonField{"file", file}, JsonField{"line", line},
      JsonField{"block", block}, JsonField{"thread", thread}, JsonField{"address", address}, JsonField{"count", count},
      JsonField{"message", message}, JsonField{"advice", advice}, JsonField{"other_file", other_file},
      JsonField{"other_line", other_line}, JsonField{"line_at", line_at}, JsonField{"other_line_at", other_line_at},
      JsonField{"reach", reach}, JsonField{"barrier_line", barrier_line}, JsonField{"reads_first", reads_first},
      JsonField{"in_local", in_local}, JsonField{"cases", cases}, JsonField{"case_name", case_name},
      JsonField{"case_number", case_number}, JsonField{"case_elements", case_elements});
}

auto Fields(Is<score::LineCounts> auto& of) {
  auto& [line, instructions, load_requests, load_sectors, store_requests, store_sectors, shared_requests, shared_turns,
         branches, divergent_branches] = of;
  return std::tuple(JsonField{"line", line}, JsonField{"instructions", instructions},
                    JsonField{"load_requests", load_requests}, JsonField{"load_sectors", load_sectors},
                    JsonField{"store_requests", store_requests}, JsonField{"store_sectors", store_sectors},
                    JsonField{"shared_requests", shared_requests}, JsonField{"shared_turns", shared_turns},
                    JsonField{"branches", branches}, JsonField{"divergent_branches", divergent_branches});
}

auto Fields(Is<score::Acceptance> auto& of) {
  auto& [by, when, because] = of;
  return std::tuple(JsonField{"by", by}, JsonField{"when", when}, JsonField{"because", because});
}

auto Fields(Is<score::GpuTelemetry> auto& of) {
  auto& [readings, sm_mhz_min, sm_mhz_median, sm_mhz_max, sm_mhz_highest, mem_mhz, temperature_c, power_w, throttle,
         slowed_down, uuid] = of;
  return std::tuple(JsonField{"readings", readings}, JsonField{"sm_mhz_min", sm_mhz_min},
                    JsonField{"sm_mhz_median", sm_mhz_median}, JsonField{"sm_mhz_max", sm_mhz_max},
                    JsonField{"sm_mhz_highest", sm_mhz_highest}, JsonField{"mem_mhz", mem_mhz},
                    JsonField{"temperature_c", temperature_c}, JsonField{"power_w", power_w},
                    JsonField{"throttle", throttle}, JsonField{"slowed_down", slowed_down}, JsonField{"uuid", uuid});
}

auto Fields(Is<score::ThroughputMeasurement> auto& of) {
  auto& [status, value, unit, spread_percent, samples, seconds, exclusive_seconds, ceiling_of, ceiling, reason,
         accepted, gpu] = of;
  return std::tuple(JsonField{"status", status}, JsonField{"value", value}, JsonField{"unit", unit},
                    JsonField{"spread_percent", spread_percent}, JsonField{"samples", samples},
                    JsonField{"seconds", seconds}, JsonField{"exclusive_seconds", exclusive_seconds},
                    JsonField{"ceiling_of", ceiling_of}, JsonField{"ceiling", ceiling}, JsonField{"reason", reason},
                    JsonField{"accepted", accepted}, JsonField{"gpu", gpu});
}

auto Fields(Is<score::SizeMeasurement> auto& of) {
  auto& [elements, throughput, clock_error_percent, metrics] = of;
  return std::tuple(JsonField{"elements", elements}, JsonField{"throughput", throughput},
                    JsonField{"clock_error_percent", clock_error_percent}, JsonField{"metrics", metrics});
}

auto Fields(Is<score::Triple> auto& of) {
  auto& [x, y, z] = of;
  return std::tuple(JsonField{"x", x}, JsonField{"y", y}, JsonField{"z", z});
}

auto Fields(Is<score::MemoryRequest> auto& of) {
  auto& [bytes, lanes, at, array, kernel, block, block_size, warp, cost, fewest] = of;
  return std::tuple(JsonField{"bytes", bytes}, JsonField{"lanes", lanes}, JsonField{"at", at},
                    JsonField{"array", array}, JsonField{"kernel", kernel}, JsonField{"block", block},
                    JsonField{"block_size", block_size}, JsonField{"warp", warp}, JsonField{"cost", cost},
                    JsonField{"fewest", fewest});
}

auto Fields(Is<score::RequestsOfCost> auto& of) {
  auto& [cost, fewest, count] = of;
  return std::tuple(JsonField{"cost", cost}, JsonField{"fewest", fewest}, JsonField{"count", count});
}

auto Fields(Is<score::LineRequests> auto& of) {
  auto& [line, in_shared, does, requests, cost, fewest, costs, shown] = of;
  return std::tuple(JsonField{"line", line}, JsonField{"in_shared", in_shared}, JsonField{"does", does},
                    JsonField{"requests", requests}, JsonField{"cost", cost}, JsonField{"fewest", fewest},
                    JsonField{"costs", costs}, JsonField{"shown", shown});
}

auto Fields(Is<score::BranchStep> auto& of) {
  auto& [alive, at, inside] = of;
  return std::tuple(JsonField{"alive", alive}, JsonField{"at", at}, JsonField{"inside", inside});
}

auto Fields(Is<score::LineBranches> auto& of) {
  auto& [line, executed, divergent, kernel, block, block_size, warp, warp_executed, warp_divergent, steps] = of;
  return std::tuple(JsonField{"line", line}, JsonField{"executed", executed}, JsonField{"divergent", divergent},
                    JsonField{"kernel", kernel}, JsonField{"block", block}, JsonField{"block_size", block_size},
                    JsonField{"warp", warp}, JsonField{"warp_executed", warp_executed},
                    JsonField{"warp_divergent", warp_divergent}, JsonField{"steps", steps});
}

auto Fields(Is<score::RaceAccess> auto& of) {
  auto& [line, verb, block, thread, warp, lane] = of;
  return std::tuple(JsonField{"line", line}, JsonField{"verb", verb}, JsonField{"block", block},
                    JsonField{"thread", thread}, JsonField{"warp", warp}, JsonField{"lane", lane});
}

auto Fields(Is<score::RaceOfTwo> auto& of) {
  auto& [kernel, place, reach, first, second, barrier_line] = of;
  return std::tuple(JsonField{"kernel", kernel}, JsonField{"place", place}, JsonField{"reach", reach},
                    JsonField{"first", first}, JsonField{"second", second}, JsonField{"barrier_line", barrier_line});
}

auto Fields(Is<score::StepArray> auto& of) {
  auto& [name, space, type, bytes, elements] = of;
  return std::tuple(JsonField{"name", name}, JsonField{"space", space}, JsonField{"type", type},
                    JsonField{"bytes", bytes}, JsonField{"elements", elements});
}

auto Fields(Is<score::StepValue> auto& of) {
  auto& [array, element, bits] = of;
  return std::tuple(JsonField{"array", array}, JsonField{"element", element}, JsonField{"bits", bits});
}

auto Fields(Is<score::StepRead> auto& of) {
  auto& [thread, what] = of;
  return std::tuple(JsonField{"thread", thread}, JsonField{"what", what});
}

auto Fields(Is<score::StepWrite> auto& of) {
  auto& [thread, does, what, sources, more_sources] = of;
  return std::tuple(JsonField{"thread", thread}, JsonField{"does", does}, JsonField{"what", what},
                    JsonField{"sources", sources}, JsonField{"more_sources", more_sources});
}

auto Fields(Is<score::BlockStep> auto& of) {
  auto& [interval, part, lines, shared_loads, shared_stores, shared_atomics, shuffles, shared_load_lanes,
         shared_store_lanes, reads, writes] = of;
  return std::tuple(JsonField{"interval", interval}, JsonField{"part", part}, JsonField{"lines", lines},
                    JsonField{"shared_loads", shared_loads}, JsonField{"shared_stores", shared_stores},
                    JsonField{"shared_atomics", shared_atomics}, JsonField{"shuffles", shuffles},
                    JsonField{"shared_load_lanes", shared_load_lanes},
                    JsonField{"shared_store_lanes", shared_store_lanes}, JsonField{"reads", reads},
                    JsonField{"writes", writes});
}

auto Fields(Is<score::BlockSteps> auto& of) {
  auto& [kernel, launch, launches, grid, block_size, block, arrays, steps, left_out] = of;
  return std::tuple(JsonField{"kernel", kernel}, JsonField{"launch", launch}, JsonField{"launches", launches},
                    JsonField{"grid", grid}, JsonField{"block_size", block_size}, JsonField{"block", block},
                    JsonField{"arrays", arrays}, JsonField{"steps", steps}, JsonField{"left_out", left_out});
}

auto Fields(Is<score::Pictures> auto& of) {
  auto& [case_name, requests, branches, races, steps, launches_with_steps] = of;
  return std::tuple(JsonField{"case", case_name}, JsonField{"requests", requests}, JsonField{"branches", branches},
                    JsonField{"races", races}, JsonField{"steps", steps},
                    JsonField{"launches_with_steps", launches_with_steps});
}

auto Fields(Is<score::AnswerChecks> auto& of) {
  auto& [tolerance_used, closest, reference_s, slowest] = of;
  return std::tuple(JsonField{"tolerance_used", tolerance_used}, JsonField{"closest", closest},
                    JsonField{"reference_s", reference_s}, JsonField{"slowest", slowest});
}

auto Fields(Is<score::RungMeasurement> auto& of) {
  auto& [status, cases, cases_run, cases_passed, cases_faulty, failures, technique_measured, metrics, answer_metrics,
         metric_lines, line_counts, findings, throughput, hint, messages, pictures, delay_seed, out_of_time, sizes,
         checks] = of;
  return std::tuple(JsonField{"status", status}, JsonField{"cases", cases}, JsonField{"cases_run", cases_run},
                    JsonField{"cases_passed", cases_passed}, JsonField{"cases_faulty", cases_faulty},
                    JsonField{"failures", failures}, JsonField{"technique_measured", technique_measured},
                    JsonField{"metrics", metrics}, JsonField{"answer_metrics", answer_metrics},
                    JsonField{"metric_lines", metric_lines}, JsonField{"line_counts", line_counts},
                    JsonField{"findings", findings}, JsonField{"throughput", throughput}, JsonField{"hint", hint},
                    JsonField{"messages", messages}, JsonField{"pictures", pictures},
                    JsonField{"delay_seed", delay_seed}, JsonField{"out_of_time", out_of_time},
                    JsonField{"sizes", sizes}, JsonField{"checks", checks});
}

auto Fields(Is<config::RunLimits> auto& of) {
  auto& [wall_s, cpu_s, memory_mb, output_kb, file_mb, host_visible_kb, instruction_budget, total_instruction_budget] =
      of;
  return std::tuple(JsonField{"wall_s", wall_s}, JsonField{"cpu_s", cpu_s}, JsonField{"memory_mb", memory_mb},
                    JsonField{"output_kb", output_kb}, JsonField{"file_mb", file_mb},
                    JsonField{"host_visible_kb", host_visible_kb}, JsonField{"instruction_budget", instruction_budget},
                    JsonField{"total_instruction_budget", total_instruction_budget});
}

auto Fields(Is<ThroughputEdge> auto& of) {
  auto& [at, share] = of;
  return std::tuple(JsonField{"at", at}, JsonField{"share", share});
}

auto Fields(Is<TimingRule> auto& of) {
  auto& [sample_ns, max_calls, min_samples, max_samples, standard_error_percent, budget_ns, long_calls_ns,
         most_calls_ns, warm_calls_ns, most_warm_ns, long_samples, max_overhead_ns, max_overhead_spread_ns,
         disturbance_ns, attempts, edges, edge_share, workers, max_workers] = of;
  return std::tuple(
      JsonField{"sample_ns", sample_ns}, JsonField{"max_calls", max_calls}, JsonField{"min_samples", min_samples},
      JsonField{"max_samples", max_samples}, JsonField{"standard_error_percent", standard_error_percent},
      JsonField{"budget_ns", budget_ns}, JsonField{"long_calls_ns", long_calls_ns},
      JsonField{"most_calls_ns", most_calls_ns}, JsonField{"warm_calls_ns", warm_calls_ns},
      JsonField{"most_warm_ns", most_warm_ns}, JsonField{"long_samples", long_samples},
      JsonField{"max_overhead_ns", max_overhead_ns}, JsonField{"max_overhead_spread_ns", max_overhead_spread_ns},
      JsonField{"disturbance_ns", disturbance_ns}, JsonField{"attempts", attempts}, JsonField{"edges", edges},
      JsonField{"edge_share", edge_share}, JsonField{"workers", workers}, JsonField{"max_workers", max_workers});
}

auto Fields(Is<config::MetricBounds> auto& of) {
  auto& [metric, min, max] = of;
  return std::tuple(JsonField{"metric", metric}, JsonField{"min", min}, JsonField{"max", max});
}

auto Fields(Is<Isolation> auto& of) {
  auto& [confine, namespaces, hidden, alone] = of;
  return std::tuple(JsonField{"confine", confine}, JsonField{"namespaces", namespaces}, JsonField{"hidden", hidden},
                    JsonField{"alone", alone});
}

auto Fields(Is<BlockToRecord> auto& of) {
  auto& [block, launch] = of;
  return std::tuple(JsonField{"block", block}, JsonField{"launch", launch});
}

auto Fields(Is<MeasuredParts> auto& of) {
  auto& [public_cases, hidden_cases, technique, pictures, only_pictures, steps, throughput, most_elements, sizes,
         sizes_ns] = of;
  return std::tuple(JsonField{"public_cases", public_cases}, JsonField{"hidden_cases", hidden_cases},
                    JsonField{"technique", technique}, JsonField{"pictures", pictures},
                    JsonField{"only_pictures", only_pictures}, JsonField{"steps", steps},
                    JsonField{"throughput", throughput}, JsonField{"most_elements", most_elements},
                    JsonField{"sizes", sizes}, JsonField{"sizes_ns", sizes_ns});
}

// All fields except the lab, which travels as its name, `cancel`, which the child does not use, and `progress`, which
// it inherits.
auto Fields(Is<JudgeRequest> auto& of) {
  auto& [lab, rung, executable, calibrator, solution, device, gpu, limits, isolation, parts, emulator_runtime_folder,
         gpu_runtime_folder, emulator_threads, only_case, hides_cases, delay_seed, wanted_counts, timing, seed, cancel,
         progress] = of;
  return std::tuple(JsonField{"rung", rung}, JsonField{"executable", executable}, JsonField{"calibrator", calibrator},
                    JsonField{"solution", solution}, JsonField{"device", device}, JsonField{"gpu", gpu},
                    JsonField{"limits", limits}, JsonField{"isolation", isolation}, JsonField{"parts", parts},
                    JsonField{"emulator_runtime_folder", emulator_runtime_folder},
                    JsonField{"gpu_runtime_folder", gpu_runtime_folder},
                    JsonField{"emulator_threads", emulator_threads}, JsonField{"only_case", only_case},
                    JsonField{"hides_cases", hides_cases}, JsonField{"delay_seed", delay_seed},
                    JsonField{"wanted_counts", wanted_counts}, JsonField{"timing", timing}, JsonField{"seed", seed});
}

// The last value of each enumeration that travels: a larger number is refused.
template <typename Enum>
constexpr Enum kLastValue{};
template <>
constexpr auto kLastValue<score::RungStatus> = score::RungStatus::kMissing;
template <>
constexpr auto kLastValue<score::ThroughputMeasurement::Status> = score::ThroughputMeasurement::Status::kFlagged;
template <>
constexpr auto kLastValue<score::ThroughputMeasurement::Ceiling> = score::ThroughputMeasurement::Ceiling::kSolution;
template <>
constexpr auto kLastValue<score::LineRequests::Does> = score::LineRequests::Does::kAtomic;
template <>
constexpr auto kLastValue<score::StepArray::Space> = score::StepArray::Space::kRegisters;
template <>
constexpr auto kLastValue<score::StepArray::Type> = score::StepArray::Type::kFloat;
template <>
constexpr auto kLastValue<score::StepWrite::Does> = score::StepWrite::Does::kShuffle;
template <>
constexpr auto kLastValue<DeviceChoice> = DeviceChoice::kGpu;
template <>
constexpr auto kLastValue<ErrorKind> = ErrorKind::kMachine;

template <typename T>
concept HasFields = requires(T& of) {
  Fields(of);
};

template <typename T, template <typename...> class Template>
constexpr bool kIsA = false;
template <template <typename...> class Template, typename... Arguments>
constexpr bool kIsA<Template<Arguments...>, Template> = true;

template <typename T>
json ToJson(const T& value) {
  if constexpr (HasFields<T>) {
    json object = json::object();
    std::apply([&object](const auto&... field) { ((object[field.name] = ToJson(field.value)), ...); }, Fields(value));
    return object;
  } else if constexpr (kIsA<T, std::optional>) {
    return value ? ToJson(*value) : json(nullptr);
  } else if constexpr (kIsA<T, std::vector>) {
    json array = json::array();
    for (const auto& item : value) array.push_back(ToJson(item));
    return array;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else {
    return value;  // a number, a text, or a map of them
  }
}

// Throws what the JSON library throws.
template <typename T>
void FromJson(const json& from, T* value) {
  if constexpr (HasFields<T>) {
    std::apply([&from](const auto&... field) { (FromJson(from.at(field.name), &field.value), ...); }, Fields(*value));
  } else if constexpr (kIsA<T, std::optional>) {
    value->reset();
    if (!from.is_null()) FromJson(from, &value->emplace());
  } else if constexpr (kIsA<T, std::vector>) {
    value->clear();
    for (const json& item : from) FromJson(item, &value->emplace_back());
  } else if constexpr (std::is_enum_v<T>) {
    const int number = from.get<int>();
    if (number < 0 || number > static_cast<int>(kLastValue<T>)) throw std::out_of_range("an enumeration's number");
    *value = static_cast<T>(number);
  } else {
    from.get_to(*value);
  }
}

template <typename T>
T FromJson(const json& from) {
  T value;
  FromJson(from, &value);
  return value;
}

// Text from a student's program has been made plain already. If a wrong byte slips through, it is replaced and nothing
// throws.
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
  return Parse<score::RungMeasurement>(text, "measurement",
                                       [](const json& j) { return FromJson<score::RungMeasurement>(j); });
}

std::string SerializeOutcome(const Result<score::RungMeasurement>& outcome) {
  if (outcome) return Dump({{"measurement", ToJson(*outcome)}});
  return Dump({{"error", {{"kind", ToJson(outcome.error().kind)}, {"message", outcome.error().message}}}});
}

Result<score::RungMeasurement> ParseOutcome(std::string_view text) {
  using Outcome = Result<score::RungMeasurement>;
  Result<Outcome> parsed = Parse<Outcome>(text, "measurement", [](const json& j) -> Outcome {
    if (!j.contains("error")) return FromJson<score::RungMeasurement>(j.at("measurement"));
    const json& error = j.at("error");
    return Error{FromJson<ErrorKind>(error.at("kind")), error.at("message").get<std::string>()};
  });
  if (!parsed) return parsed.error();
  return std::move(*parsed);
}

std::string SerializeRequest(const JudgeRequest& request) {
  json object = ToJson(request);
  object["lab"] = std::string(request.lab->name());
  object["lab_source"] = std::string(request.lab->source());
  return Dump(object);
}

Result<JudgeRequest> ParseRequest(std::string_view text, LabFinder find_lab) {
  return Parse<JudgeRequest>(text, "request", [find_lab](const json& j) {
    auto request = FromJson<JudgeRequest>(j);
    request.lab = find_lab(j.at("lab").get<std::string>(), j.at("lab_source").get<std::string>());
    if (request.lab == nullptr) throw std::out_of_range("there is no such lab");
    return request;
  });
}

}  // namespace warpgrade::judge
