// Draws and checks the arrays of one case on the GPU, with the lab's kernels for the judge (grader/lab/gpu_work.h). The
// arrays and the memory that the kernels use are the judge's: no worker can reach them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grader/judge/device.h"
#include "grader/lab/lab.h"

namespace warpgrade::judge {

class OwnKernels {
 public:
  // nullptr: the lab has no kernels for this case, or the device cannot run them. Then all is done on the host. Errors:
  // kMachine, or kLimit when memory is short. `device` outlives it.
  static Result<std::unique_ptr<OwnKernels>> Make(const Lab& lab, const Case& c, JudgeDevice& device);
  ~OwnKernels();
  OwnKernels(const OwnKernels&) = delete;
  OwnKernels& operator=(const OwnKernels&) = delete;

  bool Draws(int array) const;
  // Starts writing what Lab::DrawInput writes when its generator gives `seed`. REQUIRES: Draws(array).
  Status Draw(int array, uint64_t seed, const BufferHandle& to);

  // The arrays of a call that is over.
  struct Array {
    uint64_t address = 0;  // of the pristine input, or of the output's copy; 0: a workspace, or no bytes
    uint64_t now = 0;      // of an input as the worker sees it; else 0
    uint64_t bytes = 0;
  };
  // True if no input has changed and all outputs are right. False: they may be wrong, and the host must check them.
  // Errors: the machine's. `random`: bits that nobody could know before the call.
  Result<bool> FindsRight(const std::vector<Array>& arrays, uint64_t random);

 private:
  OwnKernels(GpuWork work, const Case& c, JudgeDevice& device) : work_(std::move(work)), case_(c), device_(device) {}
  GpuArguments Arguments() const;

  const GpuWork work_;
  const Case case_;
  JudgeDevice& device_;
  std::optional<BufferHandle> counts_, scratch_;
};

}  // namespace warpgrade::judge
