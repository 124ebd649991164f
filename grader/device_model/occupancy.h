// How many blocks of a kernel are resident on a multiprocessor at once, by NVIDIA's own occupancy rules.
#pragma once

#include <cstdint>
#include <optional>

#include "grader/device_model/device_model.h"
#include "grader/device_model/gpu_limits.h"

namespace warpgrade {

// What a kernel needs, apart from the launch.
struct KernelNeeds {
  uint32_t registers = 0;                                         // per thread
  uint32_t static_shared_bytes = 0;                               // per block
  uint32_t max_threads_per_block = gpu_limits::kThreadsPerBlock;  // by its __launch_bounds__
};

// Which blocks are resident on a multiprocessor, and how many each resource allows.
struct Occupancy {
  int blocks = 0;                 // resident: the least of the four below; 0: not even one fits
  int warps_per_block = 0;        // a part of a warp takes a whole one
  int warps = 0, most_warps = 0;  // resident, and what a multiprocessor holds
  int by_registers = 0, by_shared = 0, by_warps = 0, by_blocks = 0;  // kNoLimit: it needs none of this
  int registers_per_warp = 0;                                        // as allocated: rounded up
  int shared_per_block = 0;  // bytes as allocated: with what the system takes, rounded up

  static constexpr int kNoLimit = INT32_MAX;
};
// REQUIRES: block_threads >= 1. Of more threads than a block may have, no block fits.
Occupancy OccupancyOf(const KernelNeeds& kernel, const ComputeCapability& device, int block_threads,
                      uint64_t dynamic_shared_bytes);

// Resident blocks per multiprocessor; 0 when not even one fits.
int ResidentBlocks(const KernelNeeds& kernel, const ComputeCapability& device, int block_threads,
                   uint64_t dynamic_shared_bytes);

// The most dynamic shared memory per block for which `blocks` blocks are still resident on a multiprocessor; nullopt if
// they do not fit even without dynamic shared memory.
std::optional<uint64_t> SharedForResidentBlocks(const KernelNeeds& kernel, const ComputeCapability& device, int blocks,
                                                int block_threads);

}  // namespace warpgrade
