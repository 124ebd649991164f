// What `warpgrade release` writes: a folder with which students, or the staff, work on the course.
//
//   README.md  LICENSE  Makefile  CTestTestfile.cmake  .gitignore
//   warpgrade                                the launcher: finds the compilers, then becomes kit/bin/warpgrade
//   course.yaml                              for students without what only the staff may see
//   starter/  labs/  docs/                   files to edit, handouts with the headers of rungs, documents
//   kit/                                     the executable and its libraries
//   .github/workflows/check.yml  .devcontainer/
//   solutions/                               only for the staff
//
// Students get no solutions, no wrong or other right programs, no hidden cases and no comments for the staff.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/config/kit.h"
#include "grader/config/kit_files.h"
#include "grader/result/result.h"

namespace warpgrade::release {

enum class Readers { kStudents, kStaff };

struct Bundle {
  Readers readers = Readers::kStudents;
  config::Kit kit;
  std::string executable;   // the edition for these readers
  std::string course_yaml;  // the path of the course's rules
  std::string course_name;
  config::KitRungs labs;  // of the course, with their rungs
};

using BundleFile = config::KitFile;

// Sorted by name. Errors (kMachine): a file of the kit cannot be read; (kUsage) the course's rules are no YAML.
Result<std::vector<BundleFile>> ContentsOf(const Bundle& bundle);

}  // namespace warpgrade::release
