#include "grader/cudart/error_state.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>

namespace warpgrade::cudart {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<bool> any_failed{false};

}  // namespace

cudaError_t ErrorState::Explain(cudaError_t error, const std::string& sentence) {
  constexpr size_t kMostLines = 100;
  why_ = sentence;
  const std::string line = fmt::format("warpgrade: {}: {}", api_, sentence);
  if (explained_.size() < kMostLines && explained_.insert(line).second) std::fprintf(stderr, "%s\n", line.c_str());
  return error;
}

cudaError_t ErrorState::TakeLastError(bool clear) {
  std::erase_if(unchecked_, [](const UncheckedLaunch& launch) { return launch.thread == std::this_thread::get_id(); });
  const cudaError_t error = last_error;
  if (clear) last_error = sticky_;
  return error;
}

cudaError_t RecordError(cudaError_t error) {
  if (error != cudaSuccess) {
    last_error = error;
    if (error != cudaErrorNotReady) any_failed = true;  // work that is under way is no failure
  }
  return error;
}

bool AnyCallFailed() { return any_failed; }

}  // namespace warpgrade::cudart
