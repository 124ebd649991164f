// Reads one rung of course.yaml: points, technique limits and (throughput_reader.h) throughput scales.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/visibility_reader.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// The names that a rung may refer to, and what it takes from its lab.
struct RungNames {
  std::vector<std::string> metrics;
  std::vector<Target> targets;     // without "any"
  std::vector<std::string> rungs;  // of the lab in the kit; empty: not known
  Allowance allow;                 // of the course and the lab; the rung may add to it
  VisibilityRule visibility;       // of the lab; the rung may change it
};

// Mistakes go to `problems`. nullopt if the points cannot be read, because a sum without them would be wrong.
std::optional<Rung> ReadRung(const NamedNode& node, const std::string& lab_path, const RungNames& names,
                             Problems* problems);

}  // namespace warpgrade::config
