// Reads `visibility`, `case_visibility` and `published` of course.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// What holds for all that says nothing else: of the course for its labs, of a lab for its rungs.
struct VisibilityRule {
  Visibility rung = Visibility::kVisible;
  CaseVisibility cases;
};

// Changes in `rule` what `map` says. Mistakes go to `problems`.
void ReadVisibility(const MapReader& map, VisibilityRule* rule, Problems* problems);

// "2026-12-01", from the beginning of this day, or a time. nullopt after reporting a mistake.
std::optional<int64_t> ReadPublished(const YamlNode& node, const std::string& path, Problems* problems);

// Reports a lab that shows something after its due date, but has none. Nobody would ever see it.
// REQUIRES: the lab's rungs have been read.
void CheckDueForVisibility(const Lab& lab, Place place, Problems* problems);

}  // namespace warpgrade::config
