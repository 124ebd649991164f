// How many blocks of a kernel are resident on a multiprocessor, with the arithmetic.
#pragma once

#include <cstdint>
#include <string>

#include "grader/device_model/device_model.h"

namespace warpgrade::cli {

struct OccupancyQuestion {
  int registers = 0;    // per thread, 1 to 255
  int threads = 0;      // per block, 1 to 1024
  uint64_t shared = 0;  // bytes per block
};

// For example:
//
//   NVIDIA H200 (compute capability 9.0): 50 registers a thread, 128 threads a block, 0 bytes of shared memory a block
//
//     a block      128 threads / 32, rounded up = 4 warps
//     registers    50 x 32 = 1600 a warp, rounded up to a multiple of 256 = 1792
//                  65536 / 4 schedulers = 16384; 16384 / 1792 = 9 warps each, 36 together
//                  36 / 4 = 9 blocks                                                            <- the limit
//     ...
//     9 blocks of 4 warps are resident: 36 of 64 warps, 56.25%
std::string OccupancyText(const OccupancyQuestion& question, const DeviceModel& gpu);

}  // namespace warpgrade::cli
