// The errors so far: each thread's last error, the sticky error of a kernel that faulted, launches whose error the
// program has not asked for, and the sentences on stderr that explain a failed call.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace warpgrade::cudart {

// A <<<>>> launch that failed, whose error nobody has asked for yet.
struct UncheckedLaunch {
  std::thread::id thread;
  cudaError_t error = cudaSuccess;
  std::string kernel;  // demangled; "" when it could not even be loaded
  dim3 grid, block;
  size_t shared_bytes = 0;
  uint64_t call = 0;  // the place of the <<<>>> (call_site.h)
};

// Thread-compatible: Runtime::mutex guards it. Only the last error is per thread (see RecordError).
class ErrorState {
 public:
  // The API function that is running; its name begins every explanation.
  void Enter(const char* api) {
    api_ = api;
    why_.clear();
  }
  const char* api() const { return api_; }

  // Prints one line on stderr: why the call failed and what to do. Prints each line once, and 100 lines at most.
  // Returns `error`.
  cudaError_t Explain(cudaError_t error, const std::string& sentence);
  // Why the call that runs now failed: the last explanation, or what SetWhy was given instead; "": nothing was said.
  const std::string& why() const { return why_; }
  void SetWhy(std::string sentence) { why_ = std::move(sentence); }

  // A kernel faulted: from now on every call gives this error, as CUDA's sticky errors do. Returns `error`.
  cudaError_t Fault(cudaError_t error) { return sticky_ = error; }
  cudaError_t sticky() const { return sticky_; }

  void AddUnchecked(UncheckedLaunch launch) { unchecked_.push_back(std::move(launch)); }
  const std::vector<UncheckedLaunch>& unchecked() const { return unchecked_; }

  // The calling thread's last error. `clear` resets it to the sticky error, or to cudaSuccess when there is none.
  // The thread's failed launches count as checked from now on.
  cudaError_t TakeLastError(bool clear);

 private:
  const char* api_ = "";
  std::string why_;
  cudaError_t sticky_ = cudaSuccess;
  std::set<std::string> explained_;
  std::vector<UncheckedLaunch> unchecked_;
};

// Remembers a failure as the calling thread's last error. Returns `error`. Thread-safe.
cudaError_t RecordError(cudaError_t error);
// True once RecordError got a failure: what the program does then may be a consequence. Thread-safe.
bool AnyCallFailed();

}  // namespace warpgrade::cudart
