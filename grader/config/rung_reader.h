// Reads one rung of course.yaml: points, technique limits and (throughput_reader.h) throughput scales.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// What a rung may refer to.
struct RungNames {
  std::vector<std::string> metrics;
  std::vector<std::string> targets;  // ids, without "any"
  Allowance allow;                   // the course's and the lab's, which the rung adds to
};

// Mistakes go to `problems`; nullopt when the points could not be read, so that their sum would mislead.
std::optional<Rung> ReadRung(const NamedNode& node, const std::string& lab_path, const RungNames& names,
                             Problems* problems);

}  // namespace warpgrade::config
