// Tests: tests/cli/solution_programs_test.cc.
#include "grader/cli/solution_programs.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace warpgrade::cli {

Result<std::optional<std::string>> SolutionPrograms::Of(build::BuildRequest request) {
  const std::string name = request.lab + "/" + request.rung + ".cu";
  if (const auto before = built_.find(name); before != built_.end()) return std::optional(before->second.executable);
  const std::string path = folder_(request.lab) + "/" + request.rung + ".cu";
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::optional<std::string>();
  request.source.assign(std::istreambuf_iterator<char>(file), {});
  Result<build::BuildResult> built = build_(request);
  if (!built) return built.error();
  if (built->status != build::BuildResult::Status::kOk) {
    return Error{ErrorKind::kMachine,
                 path +
                     ": throughput is compared with this solution, but it cannot be built; correct it, or give the "
                     "rung another unit in course.yaml:\n" +
                     built->diagnostics};
  }
  return std::optional(built_.emplace(name, std::move(*built)).first->second.executable);
}

}  // namespace warpgrade::cli
