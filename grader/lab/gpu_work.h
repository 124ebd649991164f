// A lab's kernels for the judge: they draw the inputs of a timed case on the GPU, and check its outputs there. On the
// host this takes a second for each gigabyte, during which a GPU would stand idle.
//
// The kernels do the same as Lab::DrawInput and Lab::Check: a draw writes the same bytes, and a check finds an output
// right only if Lab::Check does. An output that a check does not find right is always checked on the host as well.
//
// Includable by nvcc: kernels and judge share these types. tests/course/gpu_work_test.cc runs the kernels on the
// emulator and compares them with the host.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grader/lab/call.h"

namespace warpgrade {

// The parameter of every such kernel.
struct GpuArguments {
  uint64_t arrays[kMaxBuffers] = {};  // device addresses, in the order of Lab::Buffers; 0: an array without bytes
  uint64_t sizes[kMaxSizes] = {};     // Case::sizes
  double numbers[9] = {};             // GpuWork::numbers
  int32_t variant = 0;                // Case::variant
  uint32_t pattern = 0;               // Case::pattern
  uint64_t seed = 0;     // "draw": the 64 bits that DrawInput takes from its generator. A check: 64 random bits
  uint64_t array = 0;    // "draw" and "same": the number of the array
  uint64_t other = 0;    // "same": the address of what arrays[array] must equal
  uint64_t bytes = 0;    // "same": how many bytes are compared
  uint64_t scratch = 0;  // the address of GpuWork::scratch_bytes bytes, which checks may use
  uint64_t counts = 0;   // the address of a GpuCounts; kernels add to it
};

// What kernels have found.
struct GpuCounts {
  uint64_t checked = 0;  // elements of outputs ("same": bytes)
  uint64_t wrong = 0;    // of these, not found right
};

// How one case is drawn and checked on the GPU.
struct GpuWork {
  // Of the module. It has the kernels "draw" (an array), "same" (compares arrays), and those of `checks`.
  std::string_view ptx;
  std::vector<int> drawn;  // the inputs that "draw" can draw; others are drawn on the host
  struct Check {
    const char* kernel;
    bool one_block = false;  // otherwise as many blocks as fill the GPU; the work is spread over all of them
  };
  std::vector<Check> checks;   // launched in this order
  uint64_t scratch_bytes = 0;  // a multiple of 8
  uint64_t checked = 0;        // GpuCounts::checked, once all checks have run
  double numbers[9] = {};      // whatever the checks need besides the sizes
};

inline constexpr int kGpuWorkThreads = 256;  // of each block

}  // namespace warpgrade
