// One compilation: writes the student's file into a folder, runs nvcc and the linker, and turns their output into a
// result.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/sandbox/process.h"

namespace warpgrade::build {

// A request with the files of the kit that it needs.
struct RungJob {
  const BuildRequest& request;
  const BuildOptions& options;
  const std::map<std::string, std::string>& headers;  // see LabHeaders
  std::string adapter_archive;
  std::string cudart_library;
  std::vector<std::string> brought = {};  // see HeadersBroughtBy
};

// The flags of nvcc that change the object. They are part of the keys of the cache. `unoptimised`:
// BuildRequest::unoptimised.
std::vector<std::string> CompileFlags(int gpu_arch, bool unoptimised = false);

// The sorted canonical paths of `headers` and of all files that they include. Headers that the toolchain does not have
// are left out. Works in `directory`, which must be empty. Errors: kMachine.
Result<std::vector<std::string>> HeadersBroughtBy(const std::vector<std::string>& headers, const BuildOptions& options,
                                                  const std::filesystem::path& directory,
                                                  const std::atomic<bool>* cancel);

// nvcc includes <cmath> in each file. That of libstdc++ brings the special functions of C++17, such as std::beta, with
// all that they need: a third of the time that a small file takes. kFew leaves them out. Files that need them, or
// something that came with them, then do not compile, and have to be compiled with kAll. Others mean the same with
// both.
enum class StandardHeaders { kAll, kFew };
// nvcc's option for kFew: the include guard of those functions' header. Another library takes no notice of it.
inline constexpr char kFewStandardHeaders[] = "-D_GLIBCXX_BITS_SPECFUN_H=1";

// The command that compiles `source`, a file in the current folder, to `object`.
std::vector<std::string> CompileCommand(const Toolchain& tools, int gpu_arch, const std::string& source,
                                        const std::string& object, StandardHeaders headers, bool unoptimised = false);
// The job with a copy of the adapter in `directory`, for an adapter that is kept where only we may read
// (BuildOptions::adapters): compilers may run as another user. Other jobs stay as they are.
Result<RungJob> WithAdapterIn(const std::filesystem::path& directory, const RungJob& job);
// Links `object` with the lab's adapter and the worker to `executable`: with gold if the toolchain has it. What gold
// refuses is linked once more with ld, whose messages LinkDiagnostics knows. `more` stands before the object; `run`
// runs a command. Errors: those of `run`.
Result<sandbox::ProcessResult> Link(const RungJob& job, const std::string& object, const std::string& executable,
                                    const std::vector<std::string>& more,
                                    const std::function<Result<sandbox::ProcessResult>(std::vector<std::string>)>& run);
// What the preprocessor (CompileCommand), and the assembler of the host, opened: rules as make reads them.
inline constexpr char kOpenedFiles[] = "opened.d", kAssembledFiles[] = "assembler.d";

// Builds the rung in `directory`, which must be empty. If kOk, afterwards only the executable and, if keep_object was
// set, the object are in it.
Result<BuildResult> CompileRung(const RungJob& job, const std::filesystem::path& directory,
                                const std::atomic<bool>* cancel);

}  // namespace warpgrade::build
