// Tests: tests/config/scale_places_test.cc.
#include "grader/config/scale_places.h"

#include <algorithm>

#include "grader/config/yaml_tree.h"

namespace warpgrade::config {
namespace {

const YamlNode* ValueOf(const YamlNode& map, const std::string& key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

int LastLine(const YamlNode& node) {
  int last = node.place.line;
  for (const YamlNode& item : node.items) last = std::max(last, LastLine(item));
  for (const YamlEntry& entry : node.entries) last = std::max({last, LastLine(entry.key), LastLine(entry.value)});
  return last;
}

MapPlace PlacesIn(const YamlNode& map) {
  MapPlace places{.value = map.place, .entries = {}};
  for (const YamlEntry& entry : map.entries) {
    EntryPlace place{.name = entry.key.text, .key = entry.key.place, .value = entry.value.place, .scalars = {}};
    place.last_line = std::max(entry.key.place.line, LastLine(entry.value));
    for (const YamlEntry& field : entry.value.entries) {
      if (field.value.kind != YamlNode::Kind::kScalar) continue;
      place.scalars[field.key.text] = {field.value.place, field.value.text};
    }
    places.entries.push_back(std::move(place));
  }
  return places;
}

}  // namespace

Result<ScalePlaces> FindScalePlaces(const std::string& text, const std::string& path) {
  Problems problems(path);
  const std::optional<YamlNode> root = ParseYaml(text, &problems);
  if (!root) return problems.ToError(ErrorKind::kUsage);
  ScalePlaces places;
  if (const YamlNode* targets = ValueOf(*root, "targets")) places.targets = PlacesIn(*targets);
  const YamlNode* labs = ValueOf(*root, "labs");
  for (const YamlEntry& lab : labs == nullptr ? std::vector<YamlEntry>() : labs->entries) {
    const YamlNode* rungs = ValueOf(lab.value, "rungs");
    for (const YamlEntry& rung : rungs == nullptr ? std::vector<YamlEntry>() : rungs->entries) {
      const YamlNode* throughput = ValueOf(rung.value, "throughput");
      if (throughput != nullptr) places.throughput[{lab.key.text, rung.key.text}] = PlacesIn(*throughput);
    }
  }
  return places;
}

}  // namespace warpgrade::config
