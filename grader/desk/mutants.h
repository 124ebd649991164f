// The wrong programs of a lab, and what each must lose: mutants/mutants.yaml, and a file for each.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/config/problems.h"
#include "grader/result/result.h"

namespace warpgrade::desk {

struct Mutant {
  std::string name;               // RUNG__MISTAKE
  std::string lost;               // correctness, technique or nothing
  std::string message;            // a regular expression that something must match that the student is told
  std::set<std::string> metrics;  // of `lost: technique`
  std::string finding, at;        // a finding's kind, and a part of the line that it names; "": not asked for
  config::Place place;            // of the row
  std::string rung() const { return name.substr(0, name.find("__")); }
};

// The rows of mutants.yaml in `folder`, the lab's folder of mutants; none if there is no such file. Errors (kUsage):
// "FILE:LINE:COLUMN: what; what to do", also for a file without a row and a row without a file.
Result<std::vector<Mutant>> ReadMutants(const std::string& folder);

// The whole program of a mutant. `root` is the folder at which the bases of .diff files start. labs/mutant.sh explains
// the form of a .diff. Errors (kUsage) name the file and its line.
Result<std::string> MutantText(const std::string& folder, const std::string& name, const std::string& root);

}  // namespace warpgrade::desk
