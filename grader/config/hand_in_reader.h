// Reads `due` and `hand_in` of course.yaml: until when a lab can be handed in, and what a late attempt is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// Reads `hand_in` of the whole course. `grace_days` is only there.
void ReadCourseHandIn(const YamlNode& node, HandInRule* rule, int* grace_days, Problems* problems);

// Reads `hand_in` of one lab. Keys that it leaves out stay as they are in `rule`.
void ReadLabHandIn(const YamlNode& node, const std::string& lab, HandInRule* rule, Problems* problems);

// The last second, as seconds since 1970: of "2026-11-22" the end of the day in UTC.
std::optional<int64_t> ReadDue(const YamlNode& node, const std::string& path, Problems* problems);

}  // namespace warpgrade::config
