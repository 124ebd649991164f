// Builds the course's solutions, for rungs whose throughput is compared with the speed of the solution.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "grader/build/build.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

class SolutionPrograms {
 public:
  using Build = std::function<Result<build::BuildResult>(const build::BuildRequest&)>;

  // `folder` of a lab: config::Kit::SolutionsOf.
  SolutionPrograms(std::function<std::string(const std::string& lab)> folder, Build build)
      : folder_(std::move(folder)), build_(std::move(build)) {}

  // The executable of the solution of `request`'s lab and rung; Of() fills in the request's source. Each is built once
  // and lives as long as this object. nullopt: the kit has no such solution. Errors: those of `build`; kMachine when
  // the solution cannot be built.
  Result<std::optional<std::string>> Of(build::BuildRequest request);

  // The reason to give when the kit has no solution.
  static constexpr char kNone[] =
      "course.yaml compares this throughput with the course's solution, and this kit was installed without the "
      "solutions; install them with `cmake --install BUILD --component solutions`";

 private:
  const std::function<std::string(const std::string& lab)> folder_;
  const Build build_;
  std::map<std::string, build::BuildResult> built_;  // by LAB/RUNG.cu
};

}  // namespace warpgrade::cli
