// Tested by build_test.cc.
#include "grader/build/compiler_process.h"

#include <fmt/format.h>

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxCompilerProcesses = 64;

sandbox::Confinement MakeConfinement(const BuildOptions& options, const std::vector<std::string>& inputs,
                                     const fs::path& directory) {
  sandbox::Confinement confinement;
  confinement.read_only = options.toolchain.include_dirs;
  confinement.read_only.insert(confinement.read_only.end(),
                               {options.toolchain.root, options.toolchain.nvcc, options.toolchain.host_compiler});
  confinement.read_only.insert(confinement.read_only.end(), inputs.begin(), inputs.end());
  confinement.writable = {directory.string()};
  confinement.hidden = options.hidden;
  return confinement;
}

}  // namespace

sandbox::ProcessLimits CompilerLimits(const config::BuildLimits& limits) {
  sandbox::ProcessLimits l;
  l.wall_ms = int64_t{limits.wall_s} * 1000;
  l.cpu_s = limits.cpu_s;
  l.memory_bytes = limits.memory_mb << 20;
  l.file_bytes = limits.file_mb << 20;
  l.output_bytes = limits.output_kb << 10;
  l.processes = kMaxCompilerProcesses;
  return l;
}

Result<sandbox::ProcessResult> RunCompiler(std::vector<std::string> argv, const BuildOptions& options,
                                           const std::vector<std::string>& inputs, const fs::path& directory,
                                           const std::atomic<bool>* cancel) {
  const Toolchain& tools = options.toolchain;
  sandbox::ProcessOptions process;
  process.argv = std::move(argv);
  process.working_directory = directory.string();
  process.environment = {
      fmt::format("PATH={}:{}:/usr/local/bin:/usr/bin:/bin", fs::path(tools.nvcc).parent_path().string(),
                  fs::path(tools.host_compiler).parent_path().string()),
      // Relative, as nvcc hands it to a shell: the folder above may be called anything.
      "TMPDIR=tmp", "HOME=" + directory.string(), "LC_ALL=C"};
  process.limits = CompilerLimits(options.limits);
  if (options.confine) process.confinement = MakeConfinement(options, inputs, directory);
  auto result = sandbox::RunProcess(process, cancel);
  if (result && result->killed) return Error{ErrorKind::kMachine, "interrupted while building"};
  // A compiler's own words begin with a file or with its name.
  if (result && result->exit_code != 0 && result->output.starts_with("bwrap: ")) {
    return Error{ErrorKind::kMachine, "the compiler could not be confined: " + result->output};
  }
  return result;
}

}  // namespace warpgrade::build
