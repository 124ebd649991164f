// A YAML file as a tree, with the place of every value. Only yaml_tree.cc uses yaml-cpp. Its exceptions stop there, and
// files that yaml-cpp accepts but we do not (alias bombs, a second document) are refused there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/problems.h"

namespace warpgrade::config {

struct YamlEntry;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMap };
  Kind kind = Kind::kNull;
  Place place;                     // of the value; an empty value has the place of its key
  std::string text;                // kScalar
  bool quoted = false;             // kScalar: '8' and "8" are text, 8 is a number
  std::vector<YamlNode> items;     // kSequence
  std::vector<YamlEntry> entries;  // kMap, in the file's order, duplicates kept
};

struct YamlEntry {
  YamlNode key, value;
};

inline constexpr size_t kMostYamlBytes = 1 << 20;
inline constexpr size_t kMostYamlDepth = 32;
inline constexpr size_t kMostYamlNodes = 20'000;  // with the aliases written out

// How large a file may be. These are for files that people write; a platform's export may be larger.
struct YamlLimits {
  size_t bytes = kMostYamlBytes, nodes = kMostYamlNodes;
};

// The single document in `text`. Mistakes go to `problems`; nullopt if there is no tree. An empty document is a
// mistake, and so are merge keys ("<<"). Aliases are replaced by copies of their values.
std::optional<YamlNode> ParseYaml(const std::string& text, Problems* problems, const YamlLimits& limits = {});

// The same for a regular file.
std::optional<YamlNode> ReadYamlFile(const std::string& path, Problems* problems, const YamlLimits& limits = {});

}  // namespace warpgrade::config
