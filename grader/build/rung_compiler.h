// One compilation: lays a student's file out, runs nvcc and the linker on it, and turns what they say into a result.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/build/build.h"

namespace warpgrade::build {

// A request with all that it needs from the kit.
struct RungJob {
  const BuildRequest& request;
  const BuildOptions& options;
  const std::map<std::string, std::string>& headers;  // see LabHeaders
  std::string adapter_archive;
  std::string cudart_library;
  std::vector<std::string> brought = {};  // see HeadersBroughtBy
};

// nvcc's flags that decide what comes out; a part of the cache's keys.
std::vector<std::string> CompileFlags(int gpu_arch);

// The canonical paths, sorted, of `headers` and of all that they include; those that the toolchain has not are left
// out. Works in `directory`, which must be empty. Errors: kMachine.
Result<std::vector<std::string>> HeadersBroughtBy(const std::vector<std::string>& headers, const BuildOptions& options,
                                                  const std::filesystem::path& directory,
                                                  const std::atomic<bool>* cancel);

// Builds in `directory`, which must be empty. When kOk, the executable is there, and the object if it was asked for,
// and no other file.
Result<BuildResult> CompileRung(const RungJob& job, const std::filesystem::path& directory,
                                const std::atomic<bool>* cancel);

}  // namespace warpgrade::build
