// Reads the tree of course.yaml.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/config/yaml_tree.h"

namespace warpgrade::config {

// The names that course.yaml does not declare itself.
struct KnownNames {
  std::vector<std::string> metrics;
  KitRungs kit;                   // empty: names of labs and rungs are not compared
  std::vector<std::string> labs;  // that must be in the kit; empty: all
  std::string course_yaml;        // the path of the file: `from` of a lab starts at its folder
};

// Mistakes go to `problems`; if there are any, the course is incomplete.
Course ReadCourse(const YamlNode& root, const KnownNames& known, Problems* problems);

}  // namespace warpgrade::config
