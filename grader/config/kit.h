// The paths of the files that warpgrade needs at run time: labs, solutions, the worker to link with, the emulated CUDA
// runtime. kit.yaml has them. CMake writes one into the build folder and one into the installed prefix:
//
//   <prefix>/bin/warpgrade                  the executable
//   <prefix>/share/warpgrade/kit.yaml       names all the rest; relative paths start at <prefix>
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::config {

// The labs of a kit, each with the names of its rungs. A lab without rungs: they are not known.
using KitRungs = std::map<std::string, std::vector<std::string>>;

// A lab that course.yaml brings from outside of the kit with `from`.
struct OutsideLab {
  std::string folder;   // its own; has lab.yaml, solutions/LAB, starter/LAB and mutants/
  std::string built;    // of what was compiled for it (grader/described/prepare.h); "": nothing was
  std::string why_not;  // why nothing was, if that was tried
};

struct Kit {
  std::string root;  // the prefix: the folder that holds share/warpgrade/kit.yaml
  std::string labs_dir;
  std::string course_yaml;
  std::string solutions_dir, starter_dir;
  std::string emulator_library_dir;  // holds our libcudart.so.13
  std::string worker_archive;        // linked with every rung, like the adapter of its lab
  std::string calibrator;            // a worker without a student, as an executable
  std::string students_edition;      // the executable for `release`; "": the kit is itself a students' one
  std::string adapter_pattern;       // path of a lab's adapter archive, with "{lab}" for "lab1"
  std::vector<std::string> include_dirs;

  std::map<std::string, OutsideLab> outside;  // by name

  std::string adapter_archive(const std::string& lab) const;
  // The folders of one lab: of its handout, quiz and mutants; of its solutions; of its starter files.
  std::string LabFolder(const std::string& lab) const;
  std::string SolutionsOf(const std::string& lab) const;
  std::string StarterOf(const std::string& lab) const;
  // include_dirs, and before them those of labs outside of the kit.
  std::vector<std::string> HeaderFolders() const;

  // Whether all files that grading `labs` needs exist. The error (kMachine) names each missing file and says how to
  // build it.
  Status CheckBuilt(const std::vector<std::string>& labs) const;

  // The labs of labs_dir, and the rungs of which there is a starter file or a solution.
  KitRungs Rungs() const;
};

// The kit that the executable at `executable` (the target of /proc/self/exe) belongs to. If the environment variable
// WARPGRADE_KIT is set, its kit counts instead: an installed prefix, a build folder, or a source tree with a build
// folder in it. The error names the paths that were searched: kUsage if WARPGRADE_KIT is wrong, else kMachine.
Result<Kit> FindKit(const std::string& executable);

// Reads one kit.yaml. Paths in the result are absolute and its labs and course.yaml exist.
Result<Kit> ReadKit(const std::string& kit_yaml);

}  // namespace warpgrade::config
