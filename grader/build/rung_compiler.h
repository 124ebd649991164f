// One compilation: writes the student's file into a folder, runs nvcc and the linker, and turns their output into a
// result.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/build/build.h"

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

// The flags of nvcc that change the object. They are part of the keys of the cache.
std::vector<std::string> CompileFlags(int gpu_arch);

// The sorted canonical paths of `headers` and of all files that they include. Headers that the toolchain does not have
// are left out. Works in `directory`, which must be empty. Errors: kMachine.
Result<std::vector<std::string>> HeadersBroughtBy(const std::vector<std::string>& headers, const BuildOptions& options,
                                                  const std::filesystem::path& directory,
                                                  const std::atomic<bool>* cancel);

// Builds the rung in `directory`, which must be empty. If kOk, afterwards only the executable and, if keep_object was
// set, the object are in it.
Result<BuildResult> CompileRung(const RungJob& job, const std::filesystem::path& directory,
                                const std::atomic<bool>* cancel);

}  // namespace warpgrade::build
