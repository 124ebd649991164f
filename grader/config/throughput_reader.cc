// Reads the throughput scales of a rung, one for each target: steps, or a line from `zero` to `full`. What a number may
// be depends on the unit, so the unit is read first. Tests: tests/config/course_throughput_test.cc.
#include "grader/config/throughput_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/config/course_keys.h"
#include "grader/config/nearest.h"
#include "grader/config/quantity.h"

namespace warpgrade::config {
namespace {

using Unit = ThroughputScale::Unit;

// A reduction reads without writing and may pass a copy by a little, and a student may pass the course's solution; more
// than this is a percentage by mistake.
constexpr double kMostShare = 1.5;
constexpr double kMostAbsolute = 1e9;  // GB/s or GFLOP/s

bool IsShare(Unit unit) { return unit == Unit::kShareOfCopy || unit == Unit::kShareOfSolution; }

struct ScaleReader {
  std::string path;
  const Target* target = nullptr;  // nullptr: "any"
  Rung::Arithmetic arithmetic = Rung::Arithmetic::kFloat;
  Points available;
  bool points_known = false;
  Problems* problems = nullptr;

  // The unit, or nullopt after reporting.
  std::optional<Unit> ReadUnit(const MapReader& map, bool any_target) const {
    const YamlNode* node =
        map.Require("unit", fmt::format("add 'unit: {}' or another of {}", kUnits[0], ListNames(kUnits)));
    if (!node) return std::nullopt;
    const std::optional<std::string> text = ReadText(*node, map.PathOf("unit"), problems);
    if (!text) return std::nullopt;
    const auto found = std::find(kUnits.begin(), kUnits.end(), *text);
    if (found == kUnits.end()) {
      problems->Add(node->place, fmt::format("unknown unit '{}'{}", *text,
                                             Suggest(*text, kUnits, "the units are " + ListNames(kUnits))));
      return std::nullopt;
    }
    const auto unit = static_cast<Unit>(found - kUnits.begin());
    if (any_target && !IsShare(unit)) {
      problems->Add(node->place, fmt::format("{}: a speed in '{}' is not comparable between GPUs; use share_of_copy or "
                                             "share_of_solution, or name a target",
                                             path, *text));
    }
    return unit;
  }

  std::optional<double> ReadSpeed(const YamlNode& node, const std::string& value_path, Unit unit) const {
    const std::optional<double> value = ReadNumber(node, value_path, problems);
    if (!value) return std::nullopt;
    if (*value < 0) {
      problems->Add(node.place, fmt::format("{}: {} is negative; write a speed of 0 or more", value_path, node.text));
      return std::nullopt;
    }
    if (IsShare(unit) && *value > kMostShare) {
      const char* of = unit == Unit::kShareOfCopy ? "copy bandwidth" : "solution's speed";
      problems->Add(node.place, fmt::format("{}: {} is too large for a share of the {}; write 0.7 for 70%", value_path,
                                            node.text, of));
      return std::nullopt;
    }
    if (*value > kMostAbsolute) {
      problems->Add(node.place, fmt::format("{}: {} is out of range; write at most 1e9", value_path, node.text));
      return std::nullopt;
    }
    ReportAbovePeak(node, value_path, unit, *value);
    return value;
  }

  // A measured speed above a peak is flagged and gives no points, so nobody could reach the threshold.
  void ReportAbovePeak(const YamlNode& node, const std::string& value_path, Unit unit, double value) const {
    if (target == nullptr || IsShare(unit)) return;
    const bool tensor = arithmetic == Rung::Arithmetic::kTensor;
    const bool bytes = unit == Unit::kGigabytesPerSecond;
    const char* key = bytes ? "peak_bandwidth" : tensor ? "peak_tensor" : "peak_arithmetic";
    const std::optional<double>& peak = bytes    ? target->peak_bandwidth_gb_s
                                        : tensor ? target->peak_tensor_gflop_s
                                                 : target->peak_gflop_s;
    if (!peak || value <= *peak) return;
    problems->Add(node.place,
                  fmt::format("{}: nobody can reach {} {}, because {} of {} is {}; write a lower speed, or correct "
                              "the peak",
                              value_path, NumberText(value), kUnits[static_cast<size_t>(unit)], key, target->id,
                              NumberText(*peak)));
  }

  void ReadLinear(const MapReader& map, const YamlNode& zero, const YamlNode& full, ThroughputScale* scale) const {
    scale->zero = ReadSpeed(zero, map.PathOf("zero"), scale->unit);
    scale->full = ReadSpeed(full, map.PathOf("full"), scale->unit);
    if (scale->zero && scale->full && *scale->zero >= *scale->full) {
      problems->Add(zero.place, fmt::format("{}: zero {} is not below full {}; 'full' must be the higher speed", path,
                                            NumberText(*scale->zero), NumberText(*scale->full)));
    }
  }

  void ReadSteps(const YamlNode& node, const std::string& steps_path, ThroughputScale* scale) const {
    if (node.kind != YamlNode::Kind::kSequence || node.items.empty()) {
      problems->Add(node.place, steps_path + " is not a list of steps; write '- {at: 100, points: 1}' for each");
      return;
    }
    const size_t before = problems->count();
    for (size_t i = 0; i < node.items.size(); ++i) {
      ReadStep(node.items[i], fmt::format("{}[{}]", steps_path, i), scale);
    }
    if (problems->count() != before || !points_known || available == Points()) return;
    const Points highest = scale->steps.back().points;
    if (highest != available) {
      problems->Add(
          node.items.back().place,
          fmt::format("{}: the highest step gives {} points, but the rung has {} for throughput; change one of "
                      "them, so that both are the same",
                      steps_path, highest.ToString(), available.ToString()));
    }
  }

  void ReadStep(const YamlNode& node, const std::string& step_path, ThroughputScale* scale) const {
    const MapReader map(node, step_path, kStepKeys, problems);
    const YamlNode* at_node = map.Require("at", "add the speed at which the step starts");
    const YamlNode* points_node = map.Require("points", "add the points that it gives");
    std::optional<double> at;
    std::optional<Points> points;
    if (at_node) at = ReadSpeed(*at_node, map.PathOf("at"), scale->unit);
    if (points_node) points = ReadPoints(*points_node, map.PathOf("points"), problems);
    if (!at || !points) return;
    if (!scale->steps.empty()) {
      const ThroughputScale::Step& last = scale->steps.back();
      if (*at <= last.at) {
        problems->Add(at_node->place,
                      fmt::format("{}: {} is not above {}, the speed of the step before; write the steps in "
                                  "ascending order",
                                  step_path, NumberText(*at), NumberText(last.at)));
      }
      if (*points <= last.points) {
        problems->Add(points_node->place,
                      fmt::format("{}: {} points are not more than {}, the points of the step before; give "
                                  "more points for a higher speed",
                                  step_path, points->ToString(), last.points.ToString()));
      }
    }
    scale->steps.push_back({*at, *points});
  }

  std::optional<ThroughputScale> Read(const YamlNode& node, bool any_target) const {
    const size_t before = problems->count();
    const MapReader map(node, path, kThroughputKeys, problems);
    if (!map.is_map()) return std::nullopt;
    const YamlNode* steps = map.Find("steps");
    const YamlNode* zero = map.Find("zero");
    const YamlNode* full = map.Find("full");
    if (steps && (zero || full)) {
      problems->Add(node.place, path + " has both 'steps' and 'zero'/'full'; remove one of the two");
    } else if (!steps && !zero && !full) {
      problems->Add(node.place, path + " has no scale; add 'steps', or 'zero' and 'full'");
    } else if (!steps && !(zero && full)) {
      problems->Add(node.place, fmt::format("{} has '{}' without '{}'; add it", path, zero ? "zero" : "full",
                                            zero ? "full" : "zero"));
    }
    ThroughputScale scale;
    const std::optional<Unit> unit = ReadUnit(map, any_target);
    if (!unit) return std::nullopt;  // what a number may be depends on its unit
    scale.unit = *unit;
    if (steps) ReadSteps(*steps, map.PathOf("steps"), &scale);
    if (zero && full) ReadLinear(map, *zero, *full, &scale);
    if (problems->count() != before) return std::nullopt;
    return scale;
  }
};

}  // namespace

void ReadThroughput(const YamlNode& node, const std::string& path, const std::vector<Target>& targets, Rung* rung,
                    bool points_known, Problems* problems) {
  std::vector<std::string> known;
  known.reserve(targets.size() + 1);
  for (const Target& target : targets) known.push_back(target.id);
  known.push_back(kAnyTarget);
  for (const NamedNode& named : ReadNames(node, path, "target", problems)) {
    if (std::find(known.begin(), known.end(), named.name) == known.end()) {
      problems->Add(named.name_place, fmt::format("unknown target '{}' in {}{}", named.name, path,
                                                  Suggest(named.name, known,
                                                          "the targets are " + ListNames(known) +
                                                              "; name another GPU under 'targets' of course.yaml")));
      continue;
    }
    const auto target =
        std::find_if(targets.begin(), targets.end(), [&named](const Target& one) { return one.id == named.name; });
    const ScaleReader reader{path + '.' + named.name,
                             target == targets.end() ? nullptr : &*target,
                             rung->arithmetic,
                             rung->throughput,
                             points_known,
                             problems};
    const auto scale = reader.Read(*named.value, named.name == kAnyTarget);
    if (scale) rung->throughput_scales[named.name] = *scale;
  }
  if (points_known && rung->throughput == Points()) {
    problems->Add(node.place, path +
                                  " has a scale, but the rung has no throughput points; add points, or remove the "
                                  "scale");
  }
}

}  // namespace warpgrade::config
