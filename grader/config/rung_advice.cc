// Advice on the points, the technique limits and the throughput scales of a rung. A limit is compared with what a
// grading measured of the solution, if the caller knows it. Tests: tests/cli/validate_command_test.cc.
#include "grader/config/rung_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/config/course_keys.h"
#include "grader/config/quantity.h"

namespace warpgrade::config {
namespace {

using Unit = ThroughputScale::Unit;

const YamlEntry* EntryAt(const YamlNode& map, std::string_view key) {
  const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                  [key](const YamlEntry& entry) { return entry.key.text == key; });
  return found == map.entries.end() ? nullptr : &*found;
}

struct Found {
  const YamlNode* value = nullptr;
  Place key, nearest;  // nearest: of the value, or of the last key that is there
};

Found Find(const YamlNode& root, std::initializer_list<std::string_view> keys) {
  Found found{&root, root.place, root.place};
  for (const std::string_view key : keys) {
    const YamlEntry* entry = EntryAt(*found.value, key);
    if (entry == nullptr) return {nullptr, found.key, found.nearest};
    found = {&entry->value, entry->key.place, entry->value.place};
  }
  return found;
}

const MeasuredSolution* MeasuredOf(const AdviceFacts& facts, const Lab& lab, const Rung& rung) {
  const auto of_lab = facts.measured.find(lab.name);
  if (of_lab == facts.measured.end()) return nullptr;
  const auto of_rung = of_lab->second.find(rung.name);
  return of_rung == of_lab->second.end() ? nullptr : &of_rung->second;
}

bool Has(const RungNamesByLab& names, const Lab& lab, const Rung& rung) {
  const auto of_lab = names.find(lab.name);
  return of_lab != names.end() && of_lab->second.contains(rung.name);
}

std::string BoundsText(const MetricBounds& bounds) {
  std::string text = bounds.metric;
  if (bounds.min) text += fmt::format(" min {}", NumberText(*bounds.min));
  if (bounds.max) text += fmt::format(" max {}", NumberText(*bounds.max));
  return text;
}

// The place of `key` in a limit or a bound.
Place PlaceIn(const YamlNode& map, std::string_view key) {
  const YamlEntry* entry = EntryAt(map, key);
  return entry == nullptr ? map.place : entry->value.place;
}

// What holds for all programs, or for none, whatever is measured.
void AdviseOnBounds(const YamlNode& node, const std::string& path, const MetricBounds& bounds,
                    const std::set<std::string>& shares, Problems* remarks) {
  if (bounds.max && *bounds.max < 0) {
    remarks->Add(PlaceIn(node, "max"), fmt::format("{}: nobody can meet max {}, because {} is never below 0; write 0 "
                                                   "or more",
                                                   path, NumberText(*bounds.max), bounds.metric));
  }
  if (bounds.min && *bounds.min <= 0 && !bounds.max) {
    remarks->Add(PlaceIn(node, "min"), fmt::format("{}: every program meets min {}, because {} is never below 0; write "
                                                   "a higher bound, or 'max' in place of 'min'",
                                                   path, NumberText(*bounds.min), bounds.metric));
  }
  if (!shares.contains(bounds.metric)) return;
  if (bounds.min && *bounds.min > 1) {
    remarks->Add(PlaceIn(node, "min"), fmt::format("{}: nobody can meet min {}, because {} is at most 1; write 0.9 for "
                                                   "90%",
                                                   path, NumberText(*bounds.min), bounds.metric));
  }
  if (bounds.max && *bounds.max >= 1 && !bounds.min) {
    remarks->Add(PlaceIn(node, "max"), fmt::format("{}: every program meets max {}, because {} is at most 1; write "
                                                   "'min' in place of 'max', or a lower bound",
                                                   path, NumberText(*bounds.max), bounds.metric));
  }
}

// Two bounds on one metric of which at most one can hold.
bool Exclude(const MetricBounds& a, const MetricBounds& b) {
  if (a.metric != b.metric) return false;
  return (a.min && b.max && *a.min > *b.max) || (b.min && a.max && *b.min > *a.max);
}

void CompareWithSolution(const YamlNode& node, const std::string& path, const MetricBounds& bounds,
                         const MeasuredSolution& solution, const std::string& measured_by, Problems* remarks) {
  std::optional<double> miss;
  bool too_low = false;
  for (const auto* metrics : {&solution.metrics, &solution.answer_metrics}) {
    const auto value = metrics->find(bounds.metric);
    if (miss || value == metrics->end()) continue;
    too_low = bounds.min && value->second < *bounds.min;
    if (too_low || (bounds.max && value->second > *bounds.max)) miss = value->second;
  }
  if (!miss) return;
  remarks->Add(PlaceIn(node, too_low ? "min" : "max"),
               fmt::format("{}: the course's own solution misses {}: it has {}, as {} says; write a bound that it "
                           "meets, with some margin",
                           path, BoundsText(bounds), NumberText(*miss), measured_by));
}

// The node of bound number `i` in `provided`, which may be a list or one bound.
const YamlNode* ProvidedNode(const YamlNode& limit, size_t i) {
  const YamlEntry* provided = EntryAt(limit, "provided");
  if (provided == nullptr) return nullptr;
  if (provided->value.kind != YamlNode::Kind::kSequence) return &provided->value;
  return i < provided->value.items.size() ? &provided->value.items[i] : nullptr;
}

void AdviseOnLimit(const YamlNode& node, const std::string& path, const TechniqueLimit& limit, const AdviceFacts& facts,
                   const MeasuredSolution* solution, Problems* remarks) {
  if (limit.points == Points()) {
    remarks->Add(PlaceIn(node, "points"),
                 fmt::format("{} gives no points, so students see a limit that does not matter; give it points, or "
                             "remove it",
                             path));
  }
  AdviseOnBounds(node, path, limit.bounds, facts.shares, remarks);
  if (solution != nullptr) CompareWithSolution(node, path, limit.bounds, *solution, facts.measured_by, remarks);
  for (size_t i = 0; i < limit.provided.size(); ++i) {
    const YamlNode* bound = ProvidedNode(node, i);
    if (bound == nullptr) continue;
    const std::string its_path = fmt::format("{}.provided[{}]", path, i);
    AdviseOnBounds(*bound, its_path, limit.provided[i], facts.shares, remarks);
    if (solution != nullptr) {
      CompareWithSolution(*bound, its_path, limit.provided[i], *solution, facts.measured_by, remarks);
    }
    if (Exclude(limit.bounds, limit.provided[i])) {
      remarks->Add(bound->place, fmt::format("{}: nobody can meet {} and the limit's own {}; correct one of them",
                                             its_path, BoundsText(limit.provided[i]), BoundsText(limit.bounds)));
    }
  }
}

// Where a scale gives all points, and where that stands.
std::pair<double, Place> FullSpeed(const YamlNode& node, const ThroughputScale& scale) {
  if (scale.full) return {*scale.full, PlaceIn(node, "full")};
  const YamlEntry* steps = EntryAt(node, "steps");
  if (steps == nullptr || steps->value.items.empty() || scale.steps.empty()) return {0, node.place};
  return {scale.steps.back().at, PlaceIn(steps->value.items.back(), "at")};
}

void AdviseOnScale(const YamlNode& node, const std::string& path, const ThroughputScale& scale,
                   const MeasuredSolution* solution, const std::string& measured_by, Problems* remarks) {
  const auto [full, place] = FullSpeed(node, scale);
  if (scale.unit == Unit::kShareOfSolution && full >= 1) {
    remarks->Add(place, fmt::format("{}: all points need {} of the solution's speed, which the solution itself reaches "
                                    "by luck only; write 0.95 or less",
                                    path, NumberText(full)));
  }
  if (scale.unit == Unit::kShareOfCopy && full > 1) {
    remarks->Add(place, fmt::format("{}: all points need {} of the copy bandwidth, and hardly a kernel is faster than "
                                    "a copy; write 0.9 or less",
                                    path, NumberText(full)));
  }
  if (!scale.steps.empty() && scale.steps.front().at == 0) {
    const YamlEntry* steps = EntryAt(node, "steps");
    remarks->Add(PlaceIn(steps->value.items.front(), "at"),
                 fmt::format("{}: every right program reaches 0; write the speed that a slow program has", path));
  }
  if (solution == nullptr) return;
  const auto speed = solution->speeds.find(scale.unit);
  if (speed == solution->speeds.end() || scale.unit == Unit::kShareOfSolution || speed->second >= full) return;
  remarks->Add(place,
               fmt::format("{}: the course's own solution does not reach {}: it has {}, as {} says; write a speed "
                           "that is lower by more than the solution's speed varies",
                           path, NumberText(full), NumberText(speed->second), measured_by));
}

void AdviseOnPoints(const YamlNode& root, const Lab& lab, const Rung& rung, Problems* remarks) {
  const Place place = PlaceAt(root, {"labs", lab.name, "rungs", rung.name, "points"});
  const std::string path = fmt::format("{}.{}", lab.name, rung.name);
  if (rung.Total() == Points()) {
    remarks->Add(place, path + " gives no points at all; give it some, or remove the rung");
  } else if (rung.correctness == Points()) {
    remarks->Add(place, path +
                            " gives no points for right results, only for technique or speed; give correctness some "
                            "points");
  }
}

}  // namespace

const YamlNode* At(const YamlNode& root, std::initializer_list<std::string_view> keys) {
  return Find(root, keys).value;
}
Place PlaceAt(const YamlNode& root, std::initializer_list<std::string_view> keys) { return Find(root, keys).nearest; }
Place KeyPlaceAt(const YamlNode& root, std::initializer_list<std::string_view> keys) { return Find(root, keys).key; }

void AdviseOnRung(const YamlNode& root, const Lab& lab, const Rung& rung, const AdviceFacts& facts,
                  const std::string& measured_target, Problems* remarks) {
  const std::string path = fmt::format("{}.{}", lab.name, rung.name);
  const Place name = KeyPlaceAt(root, {"labs", lab.name, "rungs", rung.name});
  if (facts.solutions && !Has(*facts.solutions, lab, rung)) {
    remarks->Add(name, fmt::format("{0} has no solution, so nothing shows that its points can be reached; write "
                                   "solutions/{1}/{2}.cu",
                                   path, lab.name, rung.name));
  }
  if (facts.mutants && !Has(*facts.mutants, lab, rung)) {
    remarks->Add(name, fmt::format("{0} has no mutant, so nothing shows that wrong programs lose points; add one to "
                                   "labs/{1}/mutants/",
                                   path, lab.name));
  }
  AdviseOnPoints(root, lab, rung, remarks);
  const MeasuredSolution* solution = MeasuredOf(facts, lab, rung);
  const YamlNode* technique = At(root, {"labs", lab.name, "rungs", rung.name, "technique"});
  for (size_t i = 0; i < rung.technique_limits.size() && technique != nullptr && i < technique->items.size(); ++i) {
    AdviseOnLimit(technique->items[i], fmt::format("{}.technique[{}]", path, i), rung.technique_limits[i], facts,
                  solution, remarks);
  }
  for (const auto& [target, scale] : rung.throughput_scales) {
    const YamlNode* node = At(root, {"labs", lab.name, "rungs", rung.name, "throughput", target});
    if (node == nullptr) continue;
    // A scale for "any" counts on a GPU that has none of its own.
    const bool counts =
        measured_target == target || (target == kAnyTarget && !rung.throughput_scales.contains(measured_target));
    AdviseOnScale(*node, fmt::format("{}.throughput.{}", path, target), scale, counts ? solution : nullptr,
                  facts.measured_by, remarks);
  }
}

}  // namespace warpgrade::config
