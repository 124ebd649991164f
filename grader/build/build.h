// Builds one rung of one submission into a worker executable. The student's file is copied into a new folder that has
// only the headers of the lab. nvcc compiles it within limits, and g++ links it with the adapter of the lab and the
// worker. No code of the student runs here.
//
//   V3.cu --> nvcc -c --> V3.o --+
//   libLAB_adapter.a ------------+--> g++ --> worker executable --> cache
//   libwarpgrade_worker.a -------+            (needs libcudart.so.13, has no RUNPATH: the library path chooses the
//   device) libcudart.so.13 -------------+
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/build/toolchain.h"
#include "grader/config/course.h"
#include "grader/result/result.h"

namespace warpgrade::build {

struct BuildOptions {
  Toolchain toolchain;
  // Folders that hold labs/LAB/LAB.h (config::Kit::include_dirs). The student's file can include only this header and
  // the files in labs/ that it includes.
  std::vector<std::string> include_dirs;
  std::string worker_archive;                   // config::Kit::worker_archive
  std::string adapter_pattern;                  // config::Kit::adapter_pattern: "{lab}" stands for the lab
  std::map<std::string, std::string> adapters;  // of labs whose adapter is elsewhere, by name
  // Its libcudart.so.13 is linked if the toolkit has none (config::Kit::emulator_library_dir).
  std::string emulator_library_dir;
  config::BuildLimits limits;
  // If set, compilers are confined (sandbox/confinement.h): they see only the toolchain, the folder of the rung and the
  // files that it is linked with. They do not see the folders in `hidden`, even if these are inside the toolchain's.
  bool confine = false;
  bool namespaces = true;  // Confinement::namespaces
  std::vector<std::string> hidden;
  // The folder for finished executables; "" keeps none. It is only used if it belongs to this user and others cannot
  // write to it.
  std::string cache_dir = DefaultCacheDir();

  // $XDG_CACHE_HOME/warpgrade/rungs, else ~/.cache/warpgrade/rungs; "" when neither is known.
  static std::string DefaultCacheDir();
};

struct BuildRequest {
  std::string lab;          // "lab1"
  std::string rung;         // "v3_sequential": letters, digits and "_" only
  std::string source;       // the student's text
  int gpu_arch = 0;         // 90: adds machine code for sm_90. 0: PTX only. PTX for compute_75 is always there.
  config::Allowance allow;  // in addition to what every rung may use (allowance.h)
  // Keep the object too, for programs that link the rung with something else (the tests of a lab).
  bool keep_object = false;
  // Nothing is optimised: a thread's arrays stay in local memory, and each access to them stays in the program. Such a
  // program is for findings, not for grading. REQUIRES: gpu_arch is 0.
  bool unoptimised = false;
};

struct BuildResult {
  enum class Status {
    kOk,
    kCompileError,  // or a link error
    kTimeout,       // wall-clock or processor time
    kLimit,         // memory, output, file size or processes
    kRefused,       // includes a file, or calls a function, that it may not
    kNoArrays,      // unoptimised, and no thread has an array of its own, so it was not compiled
  } status = Status::kOk;
  std::string executable;  // when kOk
  std::string object;      // when kOk and keep_object was set: the object that nvcc made from the student's file
  // Messages for the student, safe to print: the first few compiler errors, with the file named as the student names
  // it; link errors in the student's terms. If kOk: warnings; if it came from the cache, only if keep_object was set.
  // May be empty.
  std::string diagnostics;
  bool from_cache = false;
  // The executable and the object exist as long as this or a copy of it. (In the cache they may exist longer.)
  std::shared_ptr<const void> keeps_executable;
};

inline constexpr int kMaxErrorsShown = 5;

// Thread-safe: several threads may call Build at the same time. Threads that build the same rung get one compilation.
class Builder {
 public:
  explicit Builder(BuildOptions options);
  ~Builder();

  // Errors (kMachine): a file of the kit is missing, the compiler does not start, the temporary folder (TMPDIR) is full
  // or cannot be written, or `cancel` was set.
  Result<BuildResult> Build(const BuildRequest& request, const std::atomic<bool>* cancel = nullptr);

  // Builds rungs of one submission and one lab with one run of the compiler for all that include the same headers. It
  // takes a third to a fifth of the time (rungs_together.h). Returns the results that are kOk, by rung. A rung that is
  // missing must be built alone: it is wrong, or it cannot be built together with others, or the machine failed. Each
  // executable depends on the texts of all rungs, and the cache keeps it for these texts only, so that no submission
  // gets anything of another one.
  std::map<std::string, BuildResult> BuildTogether(const std::vector<BuildRequest>& requests,
                                                   const std::atomic<bool>* cancel = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::build
