// The course's solutions as programs, where throughput is a share of their speed.
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

  // `folder`: config::Kit::solutions_dir.
  SolutionPrograms(std::string folder, Build build) : folder_(std::move(folder)), build_(std::move(build)) {}

  // The executable of `request`'s lab and rung, whose source is put in here; each is built once and stays as long as
  // this does. nullopt: this kit has no such solution. Errors: `build`'s; kMachine when it cannot be built.
  Result<std::optional<std::string>> Of(build::BuildRequest request);

  // What to say where there is none.
  static constexpr char kNone[] =
      "course.yaml has throughput here as a share of the course's solution, which this kit was installed without; "
      "install it with 'cmake --install BUILD --component solutions'";

 private:
  const std::string folder_;
  const Build build_;
  std::map<std::string, build::BuildResult> built_;  // by LAB/RUNG.cu
};

}  // namespace warpgrade::cli
