// Builds one rung of one submission into a worker executable: the student's file, laid over a pristine folder that
// holds nothing else but the lab's headers, compiled by nvcc within limits, and linked with the lab's adapter and the
// worker. Nothing of the student's is executed here.
//
//   V3.cu --> nvcc -c --> V3.o --+
//   libLAB_adapter.a ------------+--> g++ --> worker executable --> cache
//   libwarpgrade_worker.a -------+            (needs libcudart.so.13, has no RUNPATH: whoever runs it picks the device)
//   libcudart.so.13 -------------+
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "grader/build/toolchain.h"
#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::build {

struct BuildOptions {
  Toolchain toolchain;
  // Folders that hold labs/LAB/LAB.h (config::Kit::include_dirs). Only that header and what it includes from labs/ is
  // shown to the student's file.
  std::vector<std::string> include_dirs;
  std::string worker_archive;   // config::Kit::worker_archive
  std::string adapter_pattern;  // config::Kit::adapter_pattern: "{lab}" stands for the lab
  // Linked with when the toolkit has no libcudart.so.13 of its own (config::Kit::emulator_library_dir).
  std::string emulator_library_dir;
  config::BuildLimits limits;
  // Compilers are confined (sandbox/confinement.h): they see the toolchain, the rung's own folder and what it is linked
  // with, and these folders not even where they lie within the toolchain's.
  bool confine = false;
  std::vector<std::string> hidden;
  // Finished executables are kept here; "" keeps none. Must belong to us and be closed to others, or is not used.
  std::string cache_dir = DefaultCacheDir();

  // $XDG_CACHE_HOME/warpgrade/rungs, else ~/.cache/warpgrade/rungs; "" when neither is known.
  static std::string DefaultCacheDir();
};

struct BuildRequest {
  std::string lab;          // "lab1"
  std::string rung;         // "v3_sequential": letters, digits and "_" only
  std::string source;       // the student's text
  int gpu_arch = 0;         // 90: adds machine code for sm_90. 0: PTX only. PTX for compute_75 is always there.
  config::Allowance allow;  // what it may use beyond what every rung may (allowance.h)
  // Keep the object too, for programs that link the rung with something else (a lab's tests).
  bool keep_object = false;
};

struct BuildResult {
  enum class Status {
    kOk,
    kCompileError,  // or a link error
    kTimeout,       // wall-clock or processor time
    kLimit,         // memory, output, file size or processes
    kRefused,       // includes a file, or calls a function, that it may not
  } status = Status::kOk;
  std::string executable;  // when kOk
  std::string object;      // when kOk and the request was to keep it: what nvcc made of the student's file
  // What the student should read, printable: compiler messages with the file named as the student does, the first few
  // errors only; link errors as "the function ... is missing". When kOk, warnings; of what came from the cache only if
  // the request was to keep the object. May be empty.
  std::string diagnostics;
  bool from_cache = false;
  // Executable and object exist as long as this, or a copy of it, does (in the cache they may stay longer).
  std::shared_ptr<const void> keeps_executable;
};

inline constexpr int kMaxErrorsShown = 5;
inline constexpr int64_t kMaxCacheBytes = int64_t{2} << 30;

// Thread-safe: several threads may call Build at once; those that ask for the same thing get one compilation.
class Builder {
 public:
  // Trims the cache to kMaxCacheBytes, least recently used first.
  explicit Builder(BuildOptions options);
  ~Builder();

  // Errors (kMachine): a part of the kit is missing, the compiler does not start, the temporary folder (TMPDIR) is full
  // or not writable, `cancel` was set.
  Result<BuildResult> Build(const BuildRequest& request, const std::atomic<bool>* cancel = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::build
