// Reads `throughput` of a rung: for each target, how many points a measured speed gives.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// Fills rung->throughput_scales. If `points_known`, it compares their points with rung->throughput. REQUIRES:
// rung->arithmetic has been read. Mistakes go to
// `problems`.
void ReadThroughput(const YamlNode& node, const std::string& path, const std::vector<Target>& targets, Rung* rung,
                    bool points_known, Problems* problems);

}  // namespace warpgrade::config
