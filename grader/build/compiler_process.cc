// Runs a compiler with limits and, if asked, in a sandbox. It runs it once more if the system killed it, and tells a
// full disk from a compile error. Tests: tests/build/compiler_process_test.cc, tests/build/build_test.cc.
#include "grader/build/compiler_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <system_error>

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
  confinement.namespaces = options.namespaces;
  return confinement;
}

// With less space than the first, nothing compiles. With less than the second, the compiler is believed if it says that
// the disk is full.
constexpr uintmax_t kNoSpaceBytes = 16 << 20;
constexpr uintmax_t kLittleSpaceBytes = 256 << 20;

// Whether a compiler may have failed because the disk of `directory` is full. Compilers remove unfinished files, so
// some space may be free again.
bool IsFull(const fs::path& directory, const std::string& output) {
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error) return false;
  const bool says_so = output.find("No space left on device") != std::string::npos;
  return space.available < (says_so ? kLittleSpaceBytes : kNoSpaceBytes);
}

Error NoSpace(const fs::path& directory) {
  return {ErrorKind::kMachine,
          fmt::format(
              "{}: there is too little space on this disk to compile; free some space, or set TMPDIR to a folder with "
              "a few hundred MB",
              directory.string())};
}

// A message of nvcc, gcc or collect2 about a process that it started. It begins with the name of a program. A message
// that quotes the student's text begins with a place in a file.
bool TellsOfAKill(std::string_view line) {
  const auto says = [line](std::string_view words) { return line.find(words) != std::string_view::npos; };
  if (line.starts_with("nvcc error ")) return says("died due to signal 9");
  const size_t name = line.find_first_of(": /");
  if (name == std::string_view::npos || !line.substr(name).starts_with(": fatal error: ")) return false;
  return says("Killed signal terminated program") || says("terminated with signal 9");
}

}  // namespace

sandbox::ProcessLimits CompilerLimits(const config::BuildLimits& limits) {
  sandbox::ProcessLimits l;
  l.wall_ms = int64_t{limits.wall_s} * 1000;
  l.cpu_s = limits.cpu_s;
  l.memory_bytes = limits.memory_mb << 20;
  l.file_bytes = limits.file_mb << 20;
  l.kernel_objects = sandbox::kFewKernelObjects;
  l.output_bytes = limits.output_kb << 10;
  l.processes = kMaxCompilerProcesses;
  return l;
}

bool KilledBySystem(const sandbox::ProcessResult& result) {
  if (result.succeeded() || result.limit_exceeded() || result.killed) return false;
  if (result.killed_by_others()) return true;
  for (std::string_view left = result.output; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    if (TellsOfAKill(line)) return true;
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  return false;
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
      // Relative, because nvcc passes it to a shell and the folder above may have any name.
      "TMPDIR=tmp", "HOME=" + directory.string(), "LC_ALL=C"};
  process.limits = CompilerLimits(options.limits);
  if (options.confine) process.confinement = MakeConfinement(options, inputs, directory);
  auto result = sandbox::RunProcess(process, cancel);
  // The machine killed it, most often because it is short of memory. That is not the fault of the text.
  if (result && KilledBySystem(*result)) result = sandbox::RunProcess(process, cancel);
  if (!result) return result;
  if (result->killed) return Error{ErrorKind::kMachine, "interrupted while building"};
  if (!result->succeeded() && IsFull(directory, result->output)) return NoSpace(directory);
  return result;
}

}  // namespace warpgrade::build
