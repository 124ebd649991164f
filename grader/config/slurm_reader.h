// Reads `slurm`: where `warpgrade batch --engine slurm` lets submissions be graded.
#pragma once

#include <optional>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// What `node` says, and the defaults for the rest. Mistakes go to `problems`.
Slurm ReadSlurm(const YamlNode& node, Problems* problems);

}  // namespace warpgrade::config
