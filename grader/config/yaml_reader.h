// Reads typed values from a YamlNode and reports every mistake with its place. `path` is the name of the value in
// messages: "lab1.v3_sequential.points".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/config/points.h"
#include "grader/config/yaml_tree.h"

namespace warpgrade::config {

// A mapping with fixed keys. The constructor reports a value that is not a mapping, and unknown and duplicate keys.
class MapReader {
 public:
  // `keys` are all keys that may occur. `path` is "" for the file itself. `node`, `keys` and `problems` must outlive
  // this object.
  MapReader(const YamlNode& node, std::string path, const std::vector<std::string>& keys, Problems* problems);

  bool is_map() const { return node_.kind == YamlNode::Kind::kMap; }
  const YamlNode* Find(std::string_view key) const;
  // Like Find, but reports a missing key: "PATH has no 'key'; TO_DO".
  const YamlNode* Require(std::string_view key, std::string_view to_do) const;
  std::string PathOf(std::string_view key) const;

 private:
  // The key in a text such as "points:5", which YAML does not take apart; "": it is something else.
  std::string KeyWithoutSpace(const YamlNode& text) const;
  std::string KeyWithoutSpace(const YamlEntry& entry) const;
  void ReportNoSpace(const YamlNode& text, const std::string& key);

  const YamlNode& node_;
  std::string path_;
  const std::vector<std::string>& keys_;
  Problems* problems_;
};

// A mapping whose keys are chosen by the author (labs, rungs, targets). They consist of letters, digits and underscores
// and are unique. `what` is the word for one of them in messages: "rung".
struct NamedNode {
  std::string name;
  Place name_place;
  const YamlNode* value = nullptr;
};
std::vector<NamedNode> ReadNames(const YamlNode& node, const std::string& path, const std::string& what,
                                 Problems* problems);

// Read scalars. Each function reports a wrong type or form and then returns nullopt.
std::optional<std::string> ReadText(const YamlNode& node, const std::string& path, Problems* problems);
std::optional<Points> ReadPoints(const YamlNode& node, const std::string& path, Problems* problems);
std::optional<double> ReadNumber(const YamlNode& node, const std::string& path, Problems* problems);
std::optional<int> ReadSeconds(const YamlNode& node, const std::string& path, Problems* problems);
std::optional<int64_t> ReadBytes(const YamlNode& node, const std::string& path, Problems* problems);
std::optional<uint64_t> ReadCount(const YamlNode& node, const std::string& path, Problems* problems);

// "; did you mean 'x'?" or, if no candidate is near, "; TO_DO".
std::string Suggest(std::string_view name, const std::vector<std::string>& candidates, std::string_view to_do);

}  // namespace warpgrade::config
