// Calls CMake in the build folder that the executable belongs to. Tests: tests/autograder/autograder_command_test.cc
// and tests/release/packages_test.sh use what it builds.
#include "grader/cli/kit_build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "grader/sandbox/process.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEveryIsa = "avx2,avx512";

Result<std::string> RunCmake(std::vector<std::string> arguments) {
  sandbox::ProcessOptions options;
  options.argv = {"/usr/bin/env", "cmake"};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  for (char** variable = environ; *variable != nullptr; ++variable) options.environment.emplace_back(*variable);
  options.limits.output_bytes = 64 << 20;
  const auto result = sandbox::RunProcess(options);
  if (!result) return result.error();
  if (result->succeeded()) return result->output;
  constexpr size_t kMostShown = 4000;
  const std::string& all = result->output;
  return Error{ErrorKind::kMachine,
               fmt::format("the kit cannot be built:\n{}", all.substr(all.size() - std::min(all.size(), kMostShown)))};
}

bool IsBuildFolder(const config::Kit& kit) {
  std::error_code ignored;
  return fs::exists(kit.root + "/CMakeCache.txt", ignored);
}

}  // namespace

Status CompileForEveryProcessor(const config::Kit& kit) {
  if (std::string_view(WARPGRADE_COMPILED_ISAS) == kEveryIsa) return Status();
  if (!IsBuildFolder(kit)) {
    return Error{ErrorKind::kMachine,
                 fmt::format("{}: this kit was compiled for one kind of processor only, and the platform may have "
                             "another one; install the kit again with `cmake --install`",
                             kit.root)};
  }
  fmt::print(stderr, "warpgrade: compiling the emulator for every processor; this takes some minutes, but only once\n");
  const auto configured = RunCmake({"-DWARPGRADE_ISAS=all", kit.root});
  if (!configured) return configured.error();
  const auto built = RunCmake({"--build", kit.root, "--target", "kit"});
  return built ? Status() : built.error();
}

Status BuildStudentsEdition(const config::Kit& kit) {
  if (IsBuildFolder(kit)) {
    const auto built = RunCmake({"--build", kit.root, "--target", "warpgrade_students"});
    if (!built) return built.error();
  }
  return CheckStudentsEdition(kit);
}

Status CheckStudentsEdition(const config::Kit& kit) {
  std::error_code ignored;
  if (fs::exists(kit.students_edition, ignored)) return Status();
  return Error{ErrorKind::kMachine,
               fmt::format("{}: this kit has no students' edition. In the build folder that it comes from, run `cmake "
                           "--build . --target warpgrade_students`; then, for an installed kit, `cmake --install . "
                           "--prefix {} --component students`",
                           kit.root, kit.root)};
}

}  // namespace warpgrade::cli
