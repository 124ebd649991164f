// Tests: tests/config/course_visibility_test.cc.
#include "grader/config/visibility_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grader/config/course_keys.h"
#include "grader/config/nearest.h"
#include "grader/times/times.h"

namespace warpgrade::config {
namespace {

constexpr const char* kPublicCases = "public_cases";
constexpr const char* kHiddenCases = "hidden_cases";

std::optional<Visibility> ReadWord(const YamlNode& node, const std::string& path, Problems* problems) {
  const std::optional<std::string> text = ReadText(node, path, problems);
  if (!text) return std::nullopt;
  const auto found = std::find(kVisibilities.begin(), kVisibilities.end(), *text);
  if (found != kVisibilities.end()) return static_cast<Visibility>(std::distance(kVisibilities.begin(), found));
  const std::optional<std::string> near = NearestName(*text, kVisibilities);
  problems->Add(node.place,
                fmt::format("{} is '{}'; {}the words are {}", path, Shown(*text),
                            near ? fmt::format("did you mean '{}'? ", *near) : "", ListNames(kVisibilities)));
  return std::nullopt;
}

// The keys are public_cases, hidden_cases and names of cases, which this room does not know.
void ReadCases(const YamlNode& node, const std::string& path, CaseVisibility* cases, Problems* problems) {
  if (node.kind != YamlNode::Kind::kMap || node.entries.empty()) {
    problems->Add(node.place, path +
                                  " is not a list of cases with words; write {hidden_cases: after_publication}, "
                                  "{public_cases: ...} or {\"NAME OF A CASE\": ...}");
    return;
  }
  std::map<std::string, int> first_line;
  for (const YamlEntry& entry : node.entries) {
    const std::string& name = entry.key.text;
    const auto [first, is_new] = first_line.emplace(name, entry.key.place.line);
    if (!is_new) {
      problems->Add(entry.key.place, fmt::format("{} names '{}' twice, first on line {}; remove one of them", path,
                                                 Shown(name), first->second));
      continue;
    }
    const auto word = ReadWord(entry.value, fmt::format("{}.{}", path, Shown(name)), problems);
    if (!word) continue;
    if (name == kPublicCases) {
      cases->public_cases = *word;
    } else if (name == kHiddenCases) {
      cases->hidden_cases = *word;
    } else {
      cases->named[name] = {*word, entry.key.place.line, entry.key.place.column};
    }
  }
}

}  // namespace

const char* Name(Visibility visibility) { return kVisibilities[static_cast<size_t>(visibility)].c_str(); }

void ReadVisibility(const MapReader& map, VisibilityRule* rule, Problems* problems) {
  if (const YamlNode* node = map.Find("visibility")) {
    rule->rung = ReadWord(*node, map.PathOf("visibility"), problems).value_or(rule->rung);
  }
  if (const YamlNode* node = map.Find("case_visibility")) {
    ReadCases(*node, map.PathOf("case_visibility"), &rule->cases, problems);
  }
}

std::optional<int64_t> ReadPublished(const YamlNode& node, const std::string& path, Problems* problems) {
  const std::optional<std::string> text = ReadText(node, path, problems);
  const std::optional<int64_t> published = text ? ParseTime(*text) : std::nullopt;
  if (text && !published) {
    problems->Add(node.place, fmt::format("{}: '{}' is not a time; write the day on which students get their marks, "
                                          "such as 2026-12-01, or a time, such as 2026-12-01T09:00+01:00",
                                          path, Shown(*text)));
  }
  return published;
}

void CheckDueForVisibility(const Lab& lab, Place place, Problems* problems) {
  if (lab.due) return;
  const auto waits = [](Visibility visibility) { return visibility == Visibility::kAfterDue; };
  std::string what = waits(lab.quiz_visibility) && lab.quiz ? kQuizName : "";
  for (const Rung& rung : lab.rungs) {
    const CaseVisibility& cases = rung.case_visibility;
    const bool any_named = std::any_of(cases.named.begin(), cases.named.end(),
                                       [&waits](const auto& named) { return waits(named.second.visibility); });
    if (waits(cases.public_cases) || waits(cases.hidden_cases) || any_named) what = "cases of " + rung.name;
    if (waits(rung.visibility)) what = rung.name;
  }
  if (what.empty()) return;
  problems->Add(place, fmt::format("{0} has no 'due', but the visibility of {1} is after_due, so students would never "
                                   "see it; add 'due: DATE' to {0}, or choose another visibility",
                                   lab.name, what));
}

}  // namespace warpgrade::config
