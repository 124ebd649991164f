#include "tests/course/mutant_rows.h"

#include <yaml-cpp/yaml.h>

#include "tests/course/graded.h"

namespace warpgrade {

std::vector<Mutant> ReadMutants(const std::string& lab) {
  std::vector<Mutant> mutants;
  for (const YAML::Node& row : YAML::LoadFile(SourcePath("labs/" + lab + "/mutants/mutants.yaml"))["mutants"]) {
    Mutant mutant{
        row["name"].as<std::string>(), row["lost"].as<std::string>(), row["message"].as<std::string>(), {}, {}, {}};
    for (const YAML::Node& metric : row["metrics"]) mutant.metrics.insert(metric.as<std::string>());
    if (row["finding"]) mutant.finding = row["finding"].as<std::string>();
    if (row["at"]) mutant.at = row["at"].as<std::string>();
    mutants.push_back(mutant);
  }
  return mutants;
}

}  // namespace warpgrade
