// The work directory:
//
//   RUNG.cu, labs/...     the student's file, and what it may include
//   tmp/                  the compilers' temporary files
//   RUNG.o, RUNG.d        the object, and what the preprocessor opened
//   worker                the executable
//
// The compilers run in it, so that their messages name files as the student does. Tested by build_test.cc.
#include "grader/build/rung_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "grader/build/diagnostics.h"
#include "grader/build/files.h"
#include "grader/build/includes.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxCompilerProcesses = 64;
constexpr char kExecutableName[] = "worker";

sandbox::ProcessLimits LimitsFrom(const config::BuildLimits& limits) {
  sandbox::ProcessLimits l;
  l.wall_ms = int64_t{limits.wall_s} * 1000;
  l.cpu_s = limits.cpu_s;
  l.memory_bytes = limits.memory_mb << 20;
  l.file_bytes = limits.file_mb << 20;
  l.output_bytes = limits.output_kb << 10;
  l.processes = kMaxCompilerProcesses;
  return l;
}

class Compilation {
 public:
  Compilation(const RungJob& job, const fs::path& directory, const std::atomic<bool>* cancel)
      : job_(job),
        directory_(directory),
        cancel_(cancel),
        source_name_(job.request.rung + ".cu"),
        object_name_(job.request.rung + ".o"),
        dependencies_name_(job.request.rung + ".d") {}

  Result<BuildResult> Run() {
    BuildResult result;
    if (RefuseByText(&result)) return result;
    if (Status laid = LayOut(); !laid) return laid.error();
    const auto compiled = RunCompiler(CompileCommand());
    if (!compiled) return compiled.error();
    // Before anything that the compiler said is shown: it may quote a file that is none of the student's business.
    if (RefuseByDependencies(&result)) return result;
    if (Stopped(*compiled, "compiling", &result)) return result;
    result.diagnostics = CompilerDiagnostics(compiled->output, directory_.string(), kMaxErrorsShown);
    if (compiled->exit_code != 0) return Failed(std::move(result), *compiled, "the compiler");

    const auto linked = RunCompiler(LinkCommand());
    if (!linked) return linked.error();
    if (Stopped(*linked, "linking", &result)) return result;
    if (linked->exit_code != 0) {
      const std::string header = fmt::format("labs/{0}/{0}.h", job_.request.lab);
      result.diagnostics = LinkDiagnostics(linked->output, source_name_, object_name_, header, kMaxErrorsShown);
      return Failed(std::move(result), *linked, "the linker");
    }
    result.executable = (directory_ / kExecutableName).string();
    return RemoveAllButExecutable(std::move(result));
  }

 private:
  // What must not even reach the preprocessor: a path that leaves the work directory.
  bool RefuseByText(BuildResult* result) const {
    for (const Include& include : IncludesIn(job_.request.source)) {
      const fs::path path(include.name);
      const bool leads_out = path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
      if (!leads_out) continue;
      result->status = BuildResult::Status::kRefused;
      result->diagnostics = fmt::format("{}:{}: {}", source_name_, include.line, Allowance());
      return true;
    }
    return false;
  }

  bool RefuseByDependencies(BuildResult* result) const {
    const auto rule = ReadWholeFile(directory_ / dependencies_name_);
    // Without it the preprocessor has failed, or was stopped; it quotes only what it was reading when it did.
    if (!rule) return false;
    std::vector<fs::path> allowed = {directory_};
    for (const std::string& folder : job_.options.toolchain.include_dirs) {
      std::error_code error;
      if (fs::path real = fs::canonical(folder, error); !error) allowed.push_back(std::move(real));
    }
    if (ForbiddenDependencies(DependenciesIn(*rule), directory_, allowed).empty()) return false;
    result->status = BuildResult::Status::kRefused;
    result->diagnostics = fmt::format("{}: {}", source_name_, Allowance());
    return true;
  }

  std::string Allowance() const {
    return fmt::format(
        "includes a file that it may not; include \"labs/{0}/{0}.h\" and standard or CUDA headers only\n",
        job_.request.lab);
  }

  Status LayOut() const {
    if (Status s = WriteWholeFile(directory_ / source_name_, job_.request.source); !s) return s;
    for (const auto& [name, text] : job_.headers) {
      if (Status s = WriteWholeFile(directory_ / name, text); !s) return s;
    }
    std::error_code error;
    fs::create_directory(directory_ / "tmp", error);
    if (error) return Error{ErrorKind::kMachine, fmt::format("{}: {}", directory_.string(), error.message())};
    return {};
  }

  std::vector<std::string> CompileCommand() const {
    const Toolchain& tools = job_.options.toolchain;
    std::vector<std::string> argv = {tools.nvcc, "-ccbin", tools.host_compiler};
    for (std::string& flag : CompileFlags(job_.request.gpu_arch)) argv.push_back(std::move(flag));
    argv.insert(argv.end(), {"-I.", "-MD", "-MF", dependencies_name_, "-c", source_name_, "-o", object_name_});
    return argv;
  }

  // All of both archives, so that a student's main() collides with the worker's instead of taking its place.
  std::vector<std::string> LinkCommand() const {
    return {job_.options.toolchain.host_compiler,
            object_name_,
            "-Wl,--whole-archive",
            job_.adapter_archive,
            job_.options.worker_archive,
            "-Wl,--no-whole-archive,--no-as-needed",
            job_.cudart_library,
            "-lpthread",
            "-ldl",
            "-s",
            "-o",
            kExecutableName};
  }

  Result<sandbox::ProcessResult> RunCompiler(std::vector<std::string> argv) const {
    const Toolchain& tools = job_.options.toolchain;
    sandbox::ProcessOptions options;
    options.argv = std::move(argv);
    options.working_directory = directory_.string();
    options.environment = {
        fmt::format("PATH={}:{}:/usr/local/bin:/usr/bin:/bin", fs::path(tools.nvcc).parent_path().string(),
                    fs::path(tools.host_compiler).parent_path().string()),
        // Relative, as nvcc hands it to a shell: the folder above may be called anything.
        "TMPDIR=tmp", "HOME=" + directory_.string(), "LC_ALL=C"};
    options.limits = LimitsFrom(job_.options.limits);
    if (job_.options.confine) options.confinement = MakeConfinement();
    auto result = sandbox::RunProcess(options, cancel_);
    if (result && result->killed) return Error{ErrorKind::kMachine, "interrupted while building"};
    // A compiler's own words begin with a file or with its name.
    if (result && result->exit_code != 0 && result->output.starts_with("bwrap: ")) {
      return Error{ErrorKind::kMachine, "the compiler could not be confined: " + result->output};
    }
    return result;
  }

  sandbox::Confinement MakeConfinement() const {
    const Toolchain& tools = job_.options.toolchain;
    sandbox::Confinement confinement;
    confinement.read_only = tools.include_dirs;
    confinement.read_only.insert(confinement.read_only.end(),
                                 {tools.root, tools.nvcc, tools.host_compiler, job_.adapter_archive,
                                  job_.options.worker_archive, job_.cudart_library});
    confinement.writable = {directory_.string()};
    confinement.hidden = job_.options.hidden;
    return confinement;
  }

  bool Stopped(const sandbox::ProcessResult& process, std::string_view doing, BuildResult* result) const {
    if (!process.limit_exceeded()) return false;
    const bool time = process.timed_out || process.cpu_exceeded;
    result->status = time ? BuildResult::Status::kTimeout : BuildResult::Status::kLimit;
    result->diagnostics = fmt::format("{}: {} was {}\n", source_name_, doing,
                                      sandbox::Describe(process, LimitsFrom(job_.options.limits)));
    return true;
  }

  Result<BuildResult> Failed(BuildResult result, const sandbox::ProcessResult& process, std::string_view who) const {
    result.status = BuildResult::Status::kCompileError;
    if (result.diagnostics.empty())
      result.diagnostics = fmt::format("{}: {} {}\n", source_name_, who, sandbox::Describe(process, {}));
    return result;
  }

  Result<BuildResult> RemoveAllButExecutable(BuildResult result) const {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
      std::error_code ignored;
      if (entry.path().filename() != kExecutableName) fs::remove_all(entry.path(), ignored);
    }
    return result;
  }

  const RungJob& job_;
  const fs::path& directory_;
  const std::atomic<bool>* cancel_;
  const std::string source_name_, object_name_, dependencies_name_;
};

}  // namespace

std::vector<std::string> CompileFlags(int gpu_arch) {
  std::vector<std::string> flags = {
      "-std=c++17", "-O3", "-lineinfo", "-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75"};
  if (gpu_arch > 0) {
    flags.push_back("-gencode");
    flags.push_back(fmt::format("arch=compute_{0},code=sm_{0}", gpu_arch));
  }
  return flags;
}

Result<BuildResult> CompileRung(const RungJob& job, const fs::path& directory, const std::atomic<bool>* cancel) {
  return Compilation(job, directory, cancel).Run();
}

}  // namespace warpgrade::build
