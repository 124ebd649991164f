// Takes the three keys that it needs of each submission, and nothing of what the students or their programs wrote.
// Tests: tests/roster/gradescope_test.cc.
#include "grader/roster/gradescope.h"

#include <fmt/format.h>

#include "grader/config/yaml_tree.h"
#include "grader/times/times.h"

namespace warpgrade::roster {
namespace {

using config::Problems;
using config::YamlNode;

// The file also has what an autograder printed, so it is large.
constexpr config::YamlLimits kLimits = {.bytes = 64 << 20, .nodes = 1'000'000};

// The value of `key`, which Gradescope writes as a Ruby symbol, ":key". nullptr if there is none.
const YamlNode* Find(const YamlNode& map, const std::string& key) {
  for (const config::YamlEntry& entry : map.entries) {
    if (entry.key.text == ":" + key || entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

std::string TextOf(const YamlNode& map, const std::string& key) {
  const YamlNode* const value = Find(map, key);
  return value == nullptr ? "" : value->text;
}

GradescopeEntry EntryOf(const YamlNode& node, Problems* problems) {
  GradescopeEntry entry;
  const YamlNode* const submitters = Find(node, "submitters");
  if (submitters == nullptr || submitters->kind != YamlNode::Kind::kSequence) {
    problems->Add(node.place, "this submission has no list of submitters; export the submissions again");
    return entry;
  }
  for (const YamlNode& one : submitters->items) {
    entry.submitters.push_back({TextOf(one, "name"), TextOf(one, "sid"), TextOf(one, "email")});
  }
  if (const YamlNode* const created = Find(node, "created_at")) {
    entry.created_at = ParseTime(created->text);
    if (!entry.created_at) {
      problems->Add(created->place, fmt::format("'{}' is not a time, such as 2026-11-22 10:15:00 Z; correct it",
                                                config::Shown(created->text)));
    }
  }
  return entry;
}

}  // namespace

Result<std::map<std::string, GradescopeEntry>> ReadGradescope(const std::string& path) {
  Problems problems(path);
  std::map<std::string, GradescopeEntry> entries;
  const std::optional<YamlNode> root = config::ReadYamlFile(path, &problems, kLimits);
  if (root && root->kind != YamlNode::Kind::kMap) {
    problems.Add(root->place, "this is not a list of submissions; export the submissions again");
  } else if (root) {
    for (const config::YamlEntry& entry : root->entries) entries[entry.key.text] = EntryOf(entry.value, &problems);
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kUsage);
  return entries;
}

}  // namespace warpgrade::roster
