// Reads typed values from a YamlNode. All scalars go through ReadScalar, which checks the kind of node and reports what
// to write instead. Tests: tests/config/course_test.cc.
#include "grader/config/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/config/nearest.h"
#include "grader/config/quantity.h"

namespace warpgrade::config {
namespace {

const char* KindName(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "empty";
    case YamlNode::Kind::kScalar:
      return node.quoted ? "text" : "a single value";
    case YamlNode::Kind::kSequence:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a mapping";
  }
  return "";
}

std::string Subject(const std::string& path) { return path.empty() ? "the file" : path; }

// Reports duplicates and keys that are not plain text; returns the rest.
std::vector<const YamlEntry*> UniqueEntries(const YamlNode& map, const std::string& path, Problems* problems) {
  std::vector<const YamlEntry*> unique;
  std::map<std::string, int> first_line;
  for (const YamlEntry& entry : map.entries) {
    if (entry.key.kind != YamlNode::Kind::kScalar) {
      problems->Add(entry.key.place,
                    fmt::format("a key of {} is {}; write a name", Subject(path), KindName(entry.key)));
      continue;
    }
    const auto [first, is_new] = first_line.emplace(entry.key.text, entry.key.place.line);
    if (is_new) {
      unique.push_back(&entry);
    } else {
      problems->Add(entry.key.place, fmt::format("'{}' occurs twice in {}, first on line {}; remove one of them",
                                                 entry.key.text, Subject(path), first->second));
    }
  }
  return unique;
}

// Names become file names, so they may not have characters with a meaning in paths or in a shell.
bool IsName(std::string_view text) {
  constexpr size_t kLongest = 64;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= kLongest && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

// Reads a plain value with `parse`. `wanted` says in messages what to write.
template <typename T>
std::optional<T> ReadScalar(const YamlNode& node, const std::string& path, const char* wanted,
                            Result<T> (*parse)(std::string_view), Problems* problems) {
  if (node.kind != YamlNode::Kind::kScalar) {
    problems->Add(node.place, fmt::format("{} is {}; write {}", path, KindName(node), wanted));
    return std::nullopt;
  }
  if (node.quoted) {
    problems->Add(node.place, fmt::format("{} is text; write {} without quotes", path, wanted));
    return std::nullopt;
  }
  Result<T> value = parse(node.text);
  if (value) return *value;
  problems->Add(node.place, fmt::format("{}: {}", path, value.error().message));
  return std::nullopt;
}

}  // namespace

MapReader::MapReader(const YamlNode& node, std::string path, const std::vector<std::string>& keys, Problems* problems)
    : node_(node), path_(std::move(path)), keys_(keys), problems_(problems) {
  if (!is_map()) {
    if (const std::string key = KeyWithoutSpace(node_); !key.empty()) {
      ReportNoSpace(node_, key);
      return;
    }
    problems_->Add(node_.place,
                   fmt::format("{} is {}; write a mapping with {}", Subject(path_), KindName(node_), ListNames(keys)));
    return;
  }
  for (const YamlEntry* entry : UniqueEntries(node_, path_, problems_)) {
    if (std::find(keys.begin(), keys.end(), entry->key.text) != keys.end()) continue;
    if (const std::string key = KeyWithoutSpace(*entry); !key.empty()) {
      ReportNoSpace(entry->key, key);
      continue;
    }
    problems_->Add(entry->key.place, fmt::format("unknown key '{}' in {}{}", entry->key.text, Subject(path_),
                                                 Suggest(entry->key.text, keys, "the keys are " + ListNames(keys))));
  }
}

const YamlNode* MapReader::Find(std::string_view key) const {
  for (const YamlEntry& entry : node_.entries) {
    if (entry.key.kind == YamlNode::Kind::kScalar && entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

const YamlNode* MapReader::Require(std::string_view key, std::string_view to_do) const {
  if (!is_map()) return nullptr;  // reported already
  const YamlNode* found = Find(key);
  const bool reported = std::any_of(node_.entries.begin(), node_.entries.end(),
                                    [&](const YamlEntry& entry) { return KeyWithoutSpace(entry) == key; });
  if (!found && !reported) problems_->Add(node_.place, fmt::format("{} has no '{}'; {}", Subject(path_), key, to_do));
  return found;
}

std::string MapReader::KeyWithoutSpace(const YamlNode& text) const {
  if (text.kind != YamlNode::Kind::kScalar || text.quoted) return "";
  const size_t colon = text.text.find(':');
  if (colon == std::string::npos || colon + 1 == text.text.size()) return "";
  const std::string key = text.text.substr(0, colon);
  return std::find(keys_.begin(), keys_.end(), key) != keys_.end() ? key : "";
}

std::string MapReader::KeyWithoutSpace(const YamlEntry& entry) const {
  return entry.value.kind == YamlNode::Kind::kNull ? KeyWithoutSpace(entry.key) : "";
}

void MapReader::ReportNoSpace(const YamlNode& text, const std::string& key) {
  problems_->Add(text.place, fmt::format("'{}' in {} has no space after the colon; write '{}: {}'", Shown(text.text),
                                         Subject(path_), key, Shown(text.text.substr(key.size() + 1))));
}

std::string MapReader::PathOf(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

std::vector<NamedNode> ReadNames(const YamlNode& node, const std::string& path, const std::string& what,
                                 Problems* problems) {
  std::vector<NamedNode> names;
  if (node.kind != YamlNode::Kind::kMap) {
    problems->Add(node.place,
                  fmt::format("{} is {}; write a mapping with one entry for each {}", path, KindName(node), what));
    return names;
  }
  for (const YamlEntry* entry : UniqueEntries(node, path, problems)) {
    if (!IsName(entry->key.text)) {
      problems->Add(entry->key.place,
                    fmt::format("'{}' cannot be the name of a {}; use letters, digits and underscores",
                                entry->key.text.substr(0, 64), what));
      continue;
    }
    names.push_back({entry->key.text, entry->key.place, &entry->value});
  }
  if (node.entries.empty()) problems->Add(node.place, fmt::format("{} is empty; add a {}", path, what));
  return names;
}

std::optional<std::string> ReadText(const YamlNode& node, const std::string& path, Problems* problems) {
  constexpr size_t kLongest = 200;
  if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) {
    const char* kind = node.kind == YamlNode::Kind::kScalar ? "empty" : KindName(node);
    problems->Add(node.place, fmt::format("{} is {}; write some text", path, kind));
    return std::nullopt;
  }
  if (node.text.size() > kLongest || node.text.find('\n') != std::string::npos) {
    problems->Add(node.place, fmt::format("{} is too long; write one line of at most {} bytes", path, kLongest));
    return std::nullopt;
  }
  return node.text;
}

std::optional<Points> ReadPoints(const YamlNode& node, const std::string& path, Problems* problems) {
  return ReadScalar(node, path, "a number of points", &ParsePoints, problems);
}
std::optional<double> ReadNumber(const YamlNode& node, const std::string& path, Problems* problems) {
  return ReadScalar(node, path, "a number", &ParseNumber, problems);
}
std::optional<int> ReadSeconds(const YamlNode& node, const std::string& path, Problems* problems) {
  return ReadScalar(node, path, "a duration such as 60s", &ParseSeconds, problems);
}
std::optional<int64_t> ReadBytes(const YamlNode& node, const std::string& path, Problems* problems) {
  return ReadScalar(node, path, "a size such as 512MB", &ParseBytes, problems);
}
std::optional<uint64_t> ReadCount(const YamlNode& node, const std::string& path, Problems* problems) {
  return ReadScalar(node, path, "a whole number such as 2e9", &ParseCount, problems);
}

std::string Suggest(std::string_view name, const std::vector<std::string>& candidates, std::string_view to_do) {
  if (const std::optional<std::string> nearest = NearestName(name, candidates)) {
    return fmt::format("; did you mean '{}'?", *nearest);
  }
  return fmt::format("; {}", to_do);
}

}  // namespace warpgrade::config
