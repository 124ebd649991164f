// Which headers the allowed ones bring with them. To ask the compiler takes longer than to compile a rung, so the
// answer is kept: in memory, and in the folder of executables for the next process.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/build/executable_cache.h"
#include "grader/result/result.h"

namespace warpgrade::build {

// Thread-safe.
class BroughtHeaders {
 public:
  // As HeadersBroughtBy (rung_compiler.h). An answer in `cache` counts only for the same compilers, flags and headers,
  // and while each file in it has the size and the time that it had.
  Result<std::vector<std::string>> Of(const std::vector<std::string>& headers, const BuildOptions& options,
                                      const ExecutableCache& cache, const std::atomic<bool>* cancel);

 private:
  std::mutex mutex_;
  std::map<std::vector<std::string>, std::vector<std::string>> known_;
};

}  // namespace warpgrade::build
