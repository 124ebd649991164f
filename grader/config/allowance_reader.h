// Reads an `allow` mapping of course.yaml.
#pragma once

#include <string>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// If `map` has an `allow`, adds its entries to `allow`.
void ReadAllowance(const MapReader& map, Allowance* allow, Problems* problems);

}  // namespace warpgrade::config
