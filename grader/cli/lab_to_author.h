// Finds the lab that an author names: by its folder, or by its name in course.yaml.
#pragma once

#include <string>

#include "grader/build/files.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct LabToAuthor {
  config::Kit kit;  // knows the labs of the course that are outside of it
  std::string course_yaml;
  config::Course course;
  std::string lab;                                 // its name in the course
  std::optional<build::WorkDirectory> own_course;  // holds course_yaml, if the lab was named by its folder
};

// `typed` is a folder with a lab.yaml, or the name of a lab in `course_yaml` ("" for the kit's). The course of a folder
// is its own course.yaml, or if that does not bring the lab, one with this lab alone. Errors (kUsage): there is no such
// lab, or its files have mistakes.
Result<LabToAuthor> FindLabToAuthor(const std::string& typed, const std::string& course_yaml);

}  // namespace warpgrade::cli
