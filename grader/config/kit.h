// Where the parts of warpgrade lie that are files at run time: labs, solutions, the worker to link with, the emulated
// CUDA runtime. kit.yaml says so; CMake writes one into the build folder and one into the installed prefix:
//
//   <prefix>/bin/warpgrade                  the executable
//   <prefix>/share/warpgrade/kit.yaml       names all the rest; relative paths start at <prefix>
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::config {

struct Kit {
  std::string root;  // the prefix: the folder that holds share/warpgrade/kit.yaml
  std::string labs_dir;
  std::string course_yaml;
  std::string solutions_dir, starter_dir;
  std::string emulator_library_dir;  // holds our libcudart.so.13
  std::string worker_archive;        // what a student's rung is linked with, besides the lab's adapter
  std::string calibrator;            // a worker without a student, as an executable
  std::string adapter_pattern;       // path of a lab's adapter archive, with "{lab}" for "lab1"
  std::vector<std::string> include_dirs;

  std::string adapter_archive(const std::string& lab) const;

  // Whether what grading `labs` needs is there: built, or installed. The error (kMachine) names each missing file and
  // how to make it.
  Status CheckBuilt(const std::vector<std::string>& labs) const;
};

// The kit of the executable at `executable` (what /proc/self/exe points to). The environment variable WARPGRADE_KIT, an
// installed prefix, a build folder or a source tree with a build folder in it, goes first. The error says what was
// looked for where: kUsage when WARPGRADE_KIT is wrong, else kMachine.
Result<Kit> FindKit(const std::string& executable);

// Reads one kit.yaml. Paths in the result are absolute and its labs and course.yaml exist.
Result<Kit> ReadKit(const std::string& kit_yaml);

}  // namespace warpgrade::config
