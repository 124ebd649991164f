// Compiles one rung: checks its text, compiles, checks the opened files and the object, links. The work directory:
//
//   RUNG.cu, labs/...     the student's file, and what it may include
//   tmp/                  the compilers' temporary files
//   RUNG.o                the object
//   opened.d              what the preprocessor opened
//   assembler.d           what the host's assembler opened
//   worker                the executable
//
// The compilers run in it, so that their messages name files as the student does. Tests: tests/build/build_test.cc.
#include "grader/build/rung_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "grader/build/compiler_process.h"
#include "grader/build/diagnostics.h"
#include "grader/build/files.h"
#include "grader/build/includes.h"
#include "grader/build/local_arrays.h"
#include "grader/build/rung_rules.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr char kExecutableName[] = "worker";

Error CannotMakeFolder(const fs::path& in, const std::error_code& error) {
  return {ErrorKind::kMachine,
          fmt::format("{}: no folder can be created in it: {}; free some space, or set TMPDIR to another folder",
                      in.string(), error.message())};
}

// All of both archives, so that a student's main() collides with the worker's instead of taking its place.
std::vector<std::string> LinkCommand(const RungJob& job, const std::string& object, const std::string& executable,
                                     const std::vector<std::string>& more) {
  // The linker only links: it hands no part of a student's object to a compiler.
  std::vector<std::string> argv = {job.options.toolchain.host_compiler, "-fno-lto", "-fno-use-linker-plugin"};
  argv.insert(argv.end(), more.begin(), more.end());
  argv.insert(argv.end(),
              {object, "-Wl,--whole-archive", job.adapter_archive, job.options.worker_archive,
               "-Wl,--no-whole-archive,--no-as-needed", job.cudart_library, "-lpthread", "-ldl", "-o", executable});
  return argv;
}

class Compilation {
 public:
  Compilation(const RungJob& job, const fs::path& directory, const std::atomic<bool>* cancel)
      : job_(job),
        directory_(directory),
        cancel_(cancel),
        source_name_(job.request.rung + ".cu"),
        object_name_(job.request.rung + ".o"),
        rules_(job.request, directory) {}

  Result<BuildResult> Run() {
    BuildResult result;
    if (Refuse(rules_.RefuseText(), &result)) return result;
    if (job_.request.unoptimised && !MayHaveArrays()) {
      result.status = BuildResult::Status::kNoArrays;
      return result;
    }
    if (Status laid = LayOut(); !laid) return laid.error();
    const auto compiled = CompileSource();
    if (!compiled) return compiled.error();
    if (KilledBySystem(*compiled) && Stopped(*compiled, "compiling", &result)) return result;
    // This check comes before the compiler's output is shown, because that may quote a file that the student may not
    // see.
    if (RefuseByDependencies(&result)) return result;
    if (compiled->exit_code != 0 && Refuse(rules_.RefuseFailure(compiled->output), &result)) return result;
    if (Stopped(*compiled, "compiling", &result)) return result;
    result.diagnostics = CompilerDiagnostics(compiled->output, directory_.string(), EndOfFile(), kMaxErrorsShown);
    if (compiled->exit_code != 0) return Failed(std::move(result), *compiled, "the compiler");

    if (RefuseByObject(&result)) return result;

    const auto job = WithAdapterIn(directory_, job_);
    if (!job) return job.error();
    const auto linked = Link(*job, object_name_, kExecutableName, {},
                             [this](std::vector<std::string> argv) { return Compile(std::move(argv)); });
    if (!linked) return linked.error();
    if (Stopped(*linked, "linking", &result)) return result;
    if (linked->exit_code != 0) {
      const std::string header = fmt::format("labs/{0}/{0}.h", job_.request.lab);
      result.diagnostics = LinkDiagnostics(linked->output, source_name_, object_name_, header, kMaxErrorsShown);
      return Failed(std::move(result), *linked, "the linker");
    }
    result.executable = (directory_ / kExecutableName).string();
    if (job_.request.keep_object) result.object = (directory_ / object_name_).string();
    return RemoveAllElse(std::move(result));
  }

 private:
  static bool Refuse(std::optional<std::string> refusal, BuildResult* result) {
    if (!refusal) return false;
    result->status = BuildResult::Status::kRefused;
    result->diagnostics = std::move(*refusal);
    return true;
  }

  bool RefuseByDependencies(BuildResult* result) const {
    const auto rule = ReadWholeFile(directory_ / kOpenedFiles);
    // Without the rule the preprocessor failed or was stopped. Then its output quotes only the file that it was
    // reading.
    if (!rule) return false;
    const std::vector<std::string>& folders = job_.options.toolchain.include_dirs;
    return Refuse(rules_.RefuseOpened(DependenciesIn(*rule), folders, job_.brought), result);
  }

  bool RefuseByObject(BuildResult* result) const {
    const auto assembled = ReadWholeFile(directory_ / kAssembledFiles);
    if (assembled && Refuse(rules_.RefuseAssembled(DependenciesIn(*assembled)), result)) return true;
    const auto object = ReadWholeFile(directory_ / object_name_);
    return Refuse(rules_.RefuseObject(object.value_or("")), result);
  }

  // In the student's file or in a struct of the lab's headers.
  bool MayHaveArrays() const {
    const auto may_have = [](const auto& header) { return MayDeclareLocalArray(header.second); };
    return MayDeclareLocalArray(job_.request.source) || std::any_of(job_.headers.begin(), job_.headers.end(), may_have);
  }

  Status LayOut() const {
    if (Status s = WriteWholeFile(directory_ / source_name_, job_.request.source); !s) return s;
    for (const auto& [name, text] : job_.headers) {
      if (Status s = WriteWholeFile(directory_ / name, text); !s) return s;
    }
    std::error_code error;
    fs::create_directory(directory_ / "tmp", error);
    if (error) return CannotMakeFolder(directory_, error);
    return {};
  }

  // Messages are those of a compilation with all headers.
  Result<sandbox::ProcessResult> CompileSource() const {
    auto compiled = CompileSource(StandardHeaders::kFew);
    if (!compiled || compiled->succeeded() || compiled->limit_exceeded() || KilledBySystem(*compiled)) return compiled;
    return CompileSource(StandardHeaders::kAll);
  }

  Result<sandbox::ProcessResult> CompileSource(StandardHeaders headers) const {
    const Toolchain& tools = job_.options.toolchain;
    const BuildRequest& request = job_.request;
    return Compile(CompileCommand(tools, request.gpu_arch, source_name_, object_name_, headers, request.unoptimised));
  }

  Result<sandbox::ProcessResult> Compile(std::vector<std::string> argv) const {
    return RunCompiler(std::move(argv), job_.options,
                       {job_.adapter_archive, job_.options.worker_archive, job_.cudart_library}, directory_, cancel_);
  }

  // "v1_naive.cu(17)": the last line.
  std::string EndOfFile() const {
    const std::string& text = job_.request.source;
    const auto newlines = std::count(text.begin(), text.end(), '\n');
    const bool open_line = !text.empty() && text.back() != '\n';
    return fmt::format("{}({})", source_name_, std::max<int64_t>(1, newlines + (open_line ? 1 : 0)));
  }

  bool Stopped(const sandbox::ProcessResult& process, std::string_view doing, BuildResult* result) const {
    if (KilledBySystem(process)) {
      result->status = BuildResult::Status::kLimit;
      result->diagnostics = fmt::format(
          "{}: {} was killed by the system twice, most likely because the memory ran out; make large templates, "
          "constexpr computations and arrays smaller, or ask to have the file graded again\n",
          source_name_, doing);
      return true;
    }
    if (!process.limit_exceeded()) return false;
    const bool time = process.timed_out || process.cpu_exceeded;
    result->status = time ? BuildResult::Status::kTimeout : BuildResult::Status::kLimit;
    result->diagnostics = fmt::format("{}: {} was {}\n", source_name_, doing,
                                      sandbox::Describe(process, CompilerLimits(job_.options.limits)));
    return true;
  }

  Result<BuildResult> Failed(BuildResult result, const sandbox::ProcessResult& process, std::string_view who) const {
    result.status = BuildResult::Status::kCompileError;
    if (result.diagnostics.empty())
      result.diagnostics = fmt::format("{}: {} {}\n", source_name_, who, sandbox::Describe(process, {}));
    return result;
  }

  // All but what the result names.
  Result<BuildResult> RemoveAllElse(BuildResult result) const {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
      std::error_code ignored;
      if (entry.path() != result.executable && entry.path() != result.object) fs::remove_all(entry.path(), ignored);
    }
    return result;
  }

  const RungJob& job_;
  const fs::path& directory_;
  const std::atomic<bool>* cancel_;
  const std::string source_name_, object_name_;
  const RungRules rules_;
};

}  // namespace

std::vector<std::string> CompileFlags(int gpu_arch, bool unoptimised) {
  std::vector<std::string> flags = {
      "-std=c++17", unoptimised ? "-O0" : "-O3",       "-lineinfo",  "-cudart", "shared",
      "-gencode",   "arch=compute_75,code=compute_75", "-Xcompiler", "-g1"};  // lines of host code, for crashes
  if (gpu_arch > 0) {
    flags.push_back("-gencode");
    flags.push_back(fmt::format("arch=compute_{0},code=sm_{0}", gpu_arch));
  }
  if (unoptimised) flags.insert(flags.end(), {"-Xcicc", "-O0", "-Xcicc", "-g"});
  return flags;
}

std::vector<std::string> CompileCommand(const Toolchain& tools, int gpu_arch, const std::string& source,
                                        const std::string& object, StandardHeaders headers, bool unoptimised) {
  std::vector<std::string> argv = {tools.nvcc, "-ccbin", tools.host_compiler};
  for (std::string& flag : CompileFlags(gpu_arch, unoptimised)) argv.push_back(std::move(flag));
  if (headers == StandardHeaders::kFew) argv.emplace_back(kFewStandardHeaders);
  // nvcc splits the host compiler's options at commas that have no backslash.
  const std::string assembler = fmt::format("-Wa\\,--MD\\,{}", kAssembledFiles);
  argv.insert(argv.end(), {"-Xcompiler", assembler, "-I.", "-MD", "-MF", kOpenedFiles, "-c", source, "-o", object});
  return argv;
}

Result<RungJob> WithAdapterIn(const fs::path& directory, const RungJob& job) {
  RungJob here = job;
  if (!job.options.adapters.contains(job.request.lab)) return here;
  const auto adapter = ReadWholeFile(job.adapter_archive);
  if (!adapter) return Error{ErrorKind::kMachine, job.adapter_archive + ": it was removed meanwhile; grade again"};
  here.adapter_archive = (directory / "lab_adapter.a").string();
  if (Status written = WriteWholeFile(here.adapter_archive, *adapter); !written) return written.error();
  return here;
}

Result<sandbox::ProcessResult> Link(
    const RungJob& job, const std::string& object, const std::string& executable, const std::vector<std::string>& more,
    const std::function<Result<sandbox::ProcessResult>(std::vector<std::string>)>& run) {
  if (job.options.toolchain.has_gold) {
    std::vector<std::string> with_gold = more;
    with_gold.emplace_back("-fuse-ld=gold");
    auto linked = run(LinkCommand(job, object, executable, with_gold));
    if (!linked || linked->succeeded() || linked->limit_exceeded()) return linked;
  }
  return run(LinkCommand(job, object, executable, more));
}

Result<std::vector<std::string>> HeadersBroughtBy(const std::vector<std::string>& headers, const BuildOptions& options,
                                                  const fs::path& directory, const std::atomic<bool>* cancel) {
  std::string text;
  for (const std::string& header : headers) {
    text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", header);
  }
  if (Status s = WriteWholeFile(directory / "allowed.cu", text); !s) return s.error();
  std::error_code error;
  fs::create_directory(directory / "tmp", error);
  if (error) return CannotMakeFolder(directory, error);
  std::vector<std::string> argv = {options.toolchain.nvcc, "-ccbin", options.toolchain.host_compiler};
  for (std::string& flag : CompileFlags(0)) argv.push_back(std::move(flag));
  argv.insert(argv.end(), {"-M", "-MF", "allowed.d", "allowed.cu"});
  const auto ran = RunCompiler(std::move(argv), options, {}, directory, cancel);
  if (!ran) return ran.error();
  const auto rule = ReadWholeFile(directory / "allowed.d");
  if (!ran->succeeded() || !rule) {
    return Error{ErrorKind::kMachine,
                 "the headers that rungs may include do not compile; check the CUDA toolkit and g++: " + ran->output};
  }
  std::vector<std::string> brought;
  for (const std::string& name : DependenciesIn(*rule)) {
    brought.push_back(fs::canonical(directory / name, error).string());
  }
  std::sort(brought.begin(), brought.end());
  return brought;
}

Result<BuildResult> CompileRung(const RungJob& job, const fs::path& directory, const std::atomic<bool>* cancel) {
  return Compilation(job, directory, cancel).Run();
}

}  // namespace warpgrade::build
