#include "tests/course/course_files.h"

#include <yaml-cpp/yaml.h>

#include <stdexcept>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

std::vector<CourseLab> Read() {
  std::vector<CourseLab> labs;
  for (const auto& lab : YAML::LoadFile(SourcePath("course.yaml"))["labs"]) {
    labs.push_back({lab.first.as<std::string>(), {}});
    for (const auto& rung : lab.second["rungs"]) {
      CourseRung& added = labs.back().rungs.emplace_back(CourseRung{rung.first.as<std::string>(), {}});
      for (const YAML::Node& limit : rung.second["technique"]) {
        added.metrics.push_back(limit["metric"].as<std::string>());
      }
    }
  }
  return labs;
}

}  // namespace

const std::vector<CourseLab>& CourseLabs() {
  static const std::vector<CourseLab> kLabs = Read();
  return kLabs;
}

std::vector<std::string> CourseLabNames() {
  std::vector<std::string> names;
  for (const CourseLab& lab : CourseLabs()) names.push_back(lab.name);
  return names;
}

const CourseLab& FindCourseLab(const std::string& name) {
  for (const CourseLab& lab : CourseLabs()) {
    if (lab.name == name) return lab;
  }
  throw std::out_of_range("course.yaml has no lab " + name);
}

}  // namespace warpgrade
