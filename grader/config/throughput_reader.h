// Reads a rung's `throughput`: for each target, how a measured speed becomes points.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// Fills rung->throughput_scales and compares them with rung->throughput, unless !points_known. Mistakes go to
// `problems`.
void ReadThroughput(const YamlNode& node, const std::string& path, const std::vector<std::string>& targets, Rung* rung,
                    bool points_known, Problems* problems);

}  // namespace warpgrade::config
