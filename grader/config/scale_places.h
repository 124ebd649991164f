// Where the throughput scales and the targets stand in the text of a course.yaml, for a command that changes only them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/config/problems.h"
#include "grader/result/result.h"

namespace warpgrade::config {

// "h200: {unit: GB/s, zero: 300, full: 1150}": an entry of a map.
struct EntryPlace {
  std::string name;
  Place key, value;
  int last_line = 0;                                             // of its last key or scalar
  std::map<std::string, std::pair<Place, std::string>> scalars;  // of its value, if that is a map: place and text
};

struct MapPlace {
  Place value;
  std::vector<EntryPlace> entries;  // in the order of the file
};

struct ScalePlaces {
  std::optional<MapPlace> targets;
  std::map<std::pair<std::string, std::string>, MapPlace> throughput;  // by lab and rung
};

// Of a course.yaml that LoadCourse accepts. Errors (kUsage): it is no YAML; they name `path`.
Result<ScalePlaces> FindScalePlaces(const std::string& text, const std::string& path);

}  // namespace warpgrade::config
