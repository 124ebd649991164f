// Reads one rung: its points, its technique limits and, through throughput_reader.cc, its throughput scales. It checks
// that the points of the limits sum to the technique points of the rung. Tests: tests/config/course_technique_test.cc.
#include "grader/config/rung_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "grader/config/allowance_reader.h"
#include "grader/config/course_keys.h"
#include "grader/config/nearest.h"
#include "grader/config/quantity.h"
#include "grader/config/throughput_reader.h"

namespace warpgrade::config {
namespace {

// One entry of a rung's `technique` list, before the points are shared out.
struct LimitNode {
  TechniqueLimit limit;
  std::optional<Points> points;
  Place place;
};

bool ReadRungPoints(const YamlNode& node, const std::string& path, Rung* rung, Problems* problems) {
  const size_t before = problems->count();
  const MapReader map(node, path, kPointsKeys, problems);
  const auto read = [&](const char* key, const YamlNode* value, Points* points) {
    if (!value) return;
    if (const auto found = ReadPoints(*value, map.PathOf(key), problems)) *points = *found;
  };
  read("correctness", map.Require("correctness", "add 'correctness: 10', the points for right answers"),
       &rung->correctness);
  read("technique", map.Find("technique"), &rung->technique);
  read("throughput", map.Find("throughput"), &rung->throughput);
  return problems->count() == before;
}

// The metric of a limit; "" after reporting a missing or unknown one.
std::string ReadMetric(const MapReader& map, const std::vector<std::string>& known, Problems* problems) {
  const YamlNode* node = map.Require("metric", "add 'metric: NAME'; `warpgrade course --metrics` lists the metrics");
  if (!node) return "";
  const std::optional<std::string> metric = ReadText(*node, map.PathOf("metric"), problems);
  if (!metric) return "";
  if (std::find(known.begin(), known.end(), *metric) != known.end()) return *metric;
  problems->Add(node->place, fmt::format("unknown metric '{}'{}", *metric,
                                         Suggest(*metric, known, "`warpgrade course --metrics` lists the metrics")));
  return "";
}

MetricBounds ReadBounds(const MapReader& map, const YamlNode& node, const std::string& path,
                        const std::vector<std::string>& known_metrics, Problems* problems) {
  MetricBounds bounds;
  bounds.metric = ReadMetric(map, known_metrics, problems);
  const YamlNode* min = map.Find("min");
  const YamlNode* max = map.Find("max");
  if (min) bounds.min = ReadNumber(*min, map.PathOf("min"), problems);
  if (max) bounds.max = ReadNumber(*max, map.PathOf("max"), problems);
  if (!min && !max) problems->Add(node.place, path + " has neither 'min' nor 'max'; add one of them");
  if (bounds.min && bounds.max && *bounds.min > *bounds.max) {
    problems->Add(min->place, fmt::format("{}: min {} is above max {}, so no value can meet the limit; swap them", path,
                                          NumberText(*bounds.min), NumberText(*bounds.max)));
  }
  return bounds;
}

// A list of bounds. One that stands alone needs no list.
std::vector<MetricBounds> ReadProvided(const YamlNode& node, const std::string& path,
                                       const std::vector<std::string>& known_metrics, Problems* problems) {
  std::vector<MetricBounds> provided;
  const auto read = [&](const YamlNode& one, const std::string& its_path) {
    const MapReader map(one, its_path, kProvidedKeys, problems);
    if (map.is_map()) provided.push_back(ReadBounds(map, one, its_path, known_metrics, problems));
  };
  if (node.kind != YamlNode::Kind::kSequence) {
    read(node, path);
    return provided;
  }
  if (node.items.empty()) {
    problems->Add(node.place, path + " is empty; write a condition such as {metric: NAME, max: 0}, or leave it out");
  }
  for (size_t i = 0; i < node.items.size(); ++i) read(node.items[i], fmt::format("{}[{}]", path, i));
  return provided;
}

std::optional<LimitNode> ReadLimit(const YamlNode& node, const std::string& path,
                                   const std::vector<std::string>& known_metrics, Problems* problems) {
  const size_t before = problems->count();
  const MapReader map(node, path, kTechniqueKeys, problems);
  if (!map.is_map()) return std::nullopt;
  LimitNode result;
  result.place = node.place;
  result.limit.bounds = ReadBounds(map, node, path, known_metrics, problems);
  if (const YamlNode* provided = map.Find("provided")) {
    result.limit.provided = ReadProvided(*provided, map.PathOf("provided"), known_metrics, problems);
  }
  if (const YamlNode* points = map.Find("points")) {
    result.points = ReadPoints(*points, map.PathOf("points"), problems);
  }
  if (problems->count() != before) return std::nullopt;
  return result;
}

// Two limits on one metric would show up as two lines that look the same.
void ReportRepeatedMetrics(const std::vector<LimitNode>& limits, const std::string& path, Problems* problems) {
  std::map<std::string, int> first_line;
  for (const LimitNode& limit : limits) {
    const auto [first, is_new] = first_line.emplace(limit.limit.bounds.metric, limit.place.line);
    if (is_new) continue;
    problems->Add(limit.place, fmt::format("{} limits {} twice, first on line {}; write min and max in one limit", path,
                                           limit.limit.bounds.metric, first->second));
  }
}

// Gives every limit its points: its own, or an equal share when none has any.
void ShareOutPoints(std::vector<LimitNode>* limits, const YamlNode& node, const std::string& path, Points technique,
                    Problems* problems) {
  const auto with_points = static_cast<size_t>(
      std::count_if(limits->begin(), limits->end(), [](const LimitNode& limit) { return limit.points.has_value(); }));
  if (with_points == 0) {
    const int64_t share = technique.hundredths() / static_cast<int64_t>(limits->size());
    if (share * static_cast<int64_t>(limits->size()) != technique.hundredths()) {
      problems->Add(node.place, fmt::format("{} points cannot be divided evenly among the {} limits of {}; give each "
                                            "limit its 'points'",
                                            technique.ToString(), limits->size(), path));
    }
    for (LimitNode& limit : *limits) limit.points = Points::FromHundredths(share);
    return;
  }
  if (with_points != limits->size()) {
    problems->Add(node.place, fmt::format("some limits of {} have points and some do not; give points to every "
                                          "limit, or to none",
                                          path));
    return;
  }
  Points sum;
  for (const LimitNode& limit : *limits) sum += *limit.points;
  if (sum != technique) {
    problems->Add(node.place, fmt::format("the points of the limits in {} add up to {}, but the rung has {} points for "
                                          "technique; change one of them, so that both are the same",
                                          path, sum.ToString(), technique.ToString()));
  }
}

void ReadTechnique(const YamlNode& node, const std::string& path, const std::vector<std::string>& known_metrics,
                   Rung* rung, bool points_known, Problems* problems) {
  if (node.kind != YamlNode::Kind::kSequence || node.items.empty()) {
    problems->Add(node.place, path +
                                  " is not a list of limits; write '- {metric: NAME, max: 0}' for each, or leave "
                                  "it out");
    return;
  }
  const size_t before = problems->count();
  std::vector<LimitNode> limits;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const auto limit = ReadLimit(node.items[i], fmt::format("{}[{}]", path, i), known_metrics, problems);
    if (limit) limits.push_back(*limit);
  }
  ReportRepeatedMetrics(limits, path, problems);
  if (problems->count() != before || !points_known) return;  // a sum over half a list would mislead
  if (rung->technique == Points()) {
    problems->Add(node.place, path +
                                  " has limits, but the rung has no technique points; add points, or remove the "
                                  "limits");
    return;
  }
  ShareOutPoints(&limits, node, path, rung->technique, problems);
  for (LimitNode& limit : limits) {
    limit.limit.points = limit.points.value_or(Points());
    rung->technique_limits.push_back(limit.limit);
  }
}

void ReadArithmetic(const YamlNode& node, const std::string& path, Rung* rung, Problems* problems) {
  const std::optional<std::string> text = ReadText(node, path, problems);
  if (!text) return;
  const auto found = std::find(kArithmetics.begin(), kArithmetics.end(), *text);
  if (found != kArithmetics.end()) {
    rung->arithmetic = static_cast<Rung::Arithmetic>(found - kArithmetics.begin());
    return;
  }
  problems->Add(node.place, fmt::format("unknown arithmetic '{}' in {}{}", *text, path,
                                        Suggest(*text, kArithmetics, "the kinds are " + ListNames(kArithmetics))));
}

void ReportMissingLimits(const Rung& rung, const std::string& path, Place place, Problems* problems) {
  problems->Add(place, fmt::format("{} has {} technique points but no limits; add 'technique: [...]', or set technique "
                                   "to 0",
                                   path, rung.technique.ToString()));
}

}  // namespace

std::optional<Rung> ReadRung(const NamedNode& node, const std::string& lab_path, const RungNames& names,
                             Problems* problems) {
  const std::string path = lab_path + '.' + node.name;
  const MapReader map(*node.value, path, kRungKeys, problems);
  if (!map.is_map()) return std::nullopt;
  Rung rung;
  rung.name = node.name;
  rung.allow = names.allow;
  ReadAllowance(map, &rung.allow, problems);
  VisibilityRule visibility = names.visibility;
  ReadVisibility(map, &visibility, problems);
  rung.visibility = visibility.rung;
  rung.case_visibility = std::move(visibility.cases);
  if (const YamlNode* title = map.Require("title", "add 'title: TEXT', the name that reports show")) {
    rung.title = ReadText(*title, map.PathOf("title"), problems).value_or("");
  }
  if (const YamlNode* arithmetic = map.Find("arithmetic")) {
    ReadArithmetic(*arithmetic, map.PathOf("arithmetic"), &rung, problems);
  }
  const YamlNode* points = map.Require("points", "add 'points: {correctness: 10}'");
  const bool points_known = points && ReadRungPoints(*points, map.PathOf("points"), &rung, problems);

  if (const YamlNode* technique = map.Find("technique")) {
    ReadTechnique(*technique, map.PathOf("technique"), names.metrics, &rung, points_known, problems);
  } else if (points_known && rung.technique > Points()) {
    ReportMissingLimits(rung, path, points->place, problems);
  }
  if (const YamlNode* throughput = map.Find("throughput")) {
    ReadThroughput(*throughput, map.PathOf("throughput"), names.targets, &rung, points_known, problems);
  } else if (points_known && rung.throughput > Points()) {
    problems->Add(points->place, fmt::format("{} has {} throughput points but no scale; add 'throughput: ...', or set "
                                             "throughput to 0",
                                             path, rung.throughput.ToString()));
  }
  if (!points_known) return std::nullopt;
  return rung;
}

}  // namespace warpgrade::config
