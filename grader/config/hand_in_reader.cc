// Tests: tests/config/course_hand_in_test.cc.
#include "grader/config/hand_in_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grader/config/course_keys.h"
#include "grader/config/quantity.h"
#include "grader/times/times.h"

namespace warpgrade::config {
namespace {

constexpr int kMostDays = 366;

std::optional<int> ReadDays(const YamlNode& node, const std::string& path, Problems* problems) {
  const bool is_number = node.kind == YamlNode::Kind::kScalar && !node.text.empty() && node.text.size() <= 3 &&
                         node.text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && std::stoi(node.text) <= kMostDays) return std::stoi(node.text);
  problems->Add(node.place,
                fmt::format("{} is not a number of days; write a whole number from 0 to {}", path, kMostDays));
  return std::nullopt;
}

// "10%" as 0.1.
std::optional<double> ReadShare(const YamlNode& node, const std::string& path, Problems* problems) {
  if (node.kind == YamlNode::Kind::kScalar && node.text.ends_with('%')) {
    const Result<double> percent = ParseNumber(std::string_view(node.text).substr(0, node.text.size() - 1));
    if (percent && *percent >= 0 && *percent <= 100) return *percent / 100;
  }
  problems->Add(node.place, fmt::format("{} is not a share; write a percentage from 0% to 100%, such as 10%", path));
  return std::nullopt;
}

std::optional<HandInRule::Attempt> ReadAttempt(const YamlNode& node, const std::string& path, Problems* problems) {
  const std::optional<std::string> text = ReadText(node, path, problems);
  if (!text) return std::nullopt;
  const auto found = std::find(kAttempts.begin(), kAttempts.end(), *text);
  if (found != kAttempts.end()) {
    return static_cast<HandInRule::Attempt>(std::distance(kAttempts.begin(), found));
  }
  problems->Add(node.place,
                fmt::format("{} is '{}'{}", path, Shown(*text), Suggest(*text, kAttempts, "write latest or best")));
  return std::nullopt;
}

void ReadRule(const MapReader& map, HandInRule* rule, Problems* problems) {
  if (const YamlNode* node = map.Find("attempt")) {
    rule->attempt = ReadAttempt(*node, map.PathOf("attempt"), problems).value_or(rule->attempt);
  }
  if (const YamlNode* node = map.Find("late_per_day")) {
    rule->late_per_day = ReadShare(*node, map.PathOf("late_per_day"), problems).value_or(rule->late_per_day);
  }
  if (const YamlNode* node = map.Find("most_days_late")) {
    rule->most_days_late = ReadDays(*node, map.PathOf("most_days_late"), problems);
  }
}

}  // namespace

void ReadCourseHandIn(const YamlNode& node, HandInRule* rule, int* grace_days, Problems* problems) {
  const MapReader map(node, "hand_in", kCourseHandInKeys, problems);
  ReadRule(map, rule, problems);
  if (const YamlNode* days = map.Find("grace_days")) {
    *grace_days = ReadDays(*days, map.PathOf("grace_days"), problems).value_or(0);
  }
}

void ReadLabHandIn(const YamlNode& node, const std::string& lab, HandInRule* rule, Problems* problems) {
  ReadRule(MapReader(node, lab + ".hand_in", kLabHandInKeys, problems), rule, problems);
}

std::optional<int64_t> ReadDue(const YamlNode& node, const std::string& path, Problems* problems) {
  const std::optional<std::string> text = ReadText(node, path, problems);
  const std::optional<int64_t> due = text ? EndOfTime(*text) : std::nullopt;
  if (text && !due) {
    problems->Add(node.place, fmt::format("{}: '{}' is not a time; write the last day, such as 2026-11-22, or a time, "
                                          "such as 2026-11-22T18:00+01:00 (without a zone it is UTC)",
                                          path, Shown(*text)));
  }
  return due;
}

}  // namespace warpgrade::config
