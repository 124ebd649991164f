// Reads which rungs of a lab count: `bonus` of a rung, and `best_of` of a lab.
#pragma once

#include <vector>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {

// Fills `lab->counting`. REQUIRES: the rungs and the quiz of `lab` have been read; one that could not be read is only
// in `rungs`. `best_of` may be null. Mistakes go to `problems`, and a group with a mistake is left out.
void ReadCounting(const std::vector<NamedNode>& rungs, const YamlNode* best_of, Lab* lab, Problems* problems);

}  // namespace warpgrade::config
