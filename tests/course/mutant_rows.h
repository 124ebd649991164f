// The rows of labs/LAB/mutants/mutants.yaml. mutants_test.cc explains the fields.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace warpgrade {

struct Mutant {
  std::string name, lost, message;
  std::set<std::string> metrics;
  std::string finding, at;  // "" where the row has none
  std::string rung() const { return name.substr(0, name.find("__")); }
};

// In the order of the file. Throws when it cannot be read.
std::vector<Mutant> ReadMutants(const std::string& lab);

}  // namespace warpgrade
