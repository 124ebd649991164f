// What students get of course.yaml, of a lab.yaml and of a quiz. Comments are left out: they are written for the
// course's staff.
#pragma once

#include <string>

#include "grader/config/yaml_tree.h"
#include "grader/result/result.h"

namespace warpgrade::config {

// The tree as text that ParseYaml reads as the same tree. A mapping or a list that fits in a line is written in one.
std::string YamlText(const YamlNode& node);

// `text` as a scalar of YAML: in quotes where it would mean something else without.
std::string YamlScalar(const std::string& text);

// The course.yaml at `path` without what students must not see: `slurm`, which names the staff's accounts and folders.
// All other keys are about what students get points for, and when. A lab outside of the kit becomes one in labs/LAB,
// beside the file. Errors (kUsage): it is no YAML.
Result<std::string> CourseForStudents(const std::string& path);

// The course.yaml at `path` for a folder or an archive that has its labs outside of the kit in labs/LAB: as it is, if
// it has no such lab. Errors (kUsage): it is no YAML.
Result<std::string> CourseWithItsLabs(const std::string& path);

// The course.yaml at `path` for a copy elsewhere on this machine: labs outside of the kit stay where they are. As it
// is, if it has no such lab. Errors (kUsage): it is no YAML.
Result<std::string> CourseForACopy(const std::string& path);

// The lab.yaml at `path` without its comments. Errors (kUsage): it is no YAML.
Result<std::string> LabForStudents(const std::string& path);

// The quiz.yaml at `path`. Errors (kMachine): it is no YAML.
Result<std::string> QuizForStudents(const std::string& path);

}  // namespace warpgrade::config
