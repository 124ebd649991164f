#include "tests/course/course_files.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <stdexcept>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

std::vector<CourseLab> Read() {
  std::vector<CourseLab> labs;
  for (const auto& lab : YAML::LoadFile(SourcePath("course.yaml"))["labs"]) {
    labs.push_back({lab.first.as<std::string>(), {}});
    for (const auto& rung : lab.second["rungs"]) {
      CourseRung& added = labs.back().rungs.emplace_back(CourseRung{rung.first.as<std::string>(), {}, false});
      added.timed = bool(rung.second["throughput"]);
      for (const YAML::Node& limit : rung.second["technique"]) {
        added.metrics.push_back(limit["metric"].as<std::string>());
      }
    }
  }
  return labs;
}

}  // namespace

bool CourseLab::IsTimed() const {
  return std::any_of(rungs.begin(), rungs.end(), [](const CourseRung& rung) { return rung.timed; });
}

const std::vector<CourseLab>& CourseLabs() {
  static const std::vector<CourseLab> kLabs = Read();
  return kLabs;
}

std::vector<std::string> CourseLabNames() {
  std::vector<std::string> names;
  for (const CourseLab& lab : CourseLabs()) names.push_back(lab.name);
  return names;
}

std::vector<std::string> LabsWithLimits() {
  std::vector<std::string> names;
  for (const CourseLab& lab : CourseLabs()) {
    const auto has_limits = [](const CourseRung& rung) { return !rung.metrics.empty(); };
    if (std::any_of(lab.rungs.begin(), lab.rungs.end(), has_limits)) names.push_back(lab.name);
  }
  return names;
}

const CourseLab& FindCourseLab(const std::string& name) {
  for (const CourseLab& lab : CourseLabs()) {
    if (lab.name == name) return lab;
  }
  throw std::out_of_range("course.yaml has no lab " + name);
}

}  // namespace warpgrade
