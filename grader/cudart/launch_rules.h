// Which launches a device accepts, and how many blocks are resident at once: the rules that hold on the device's side,
// whoever asks.
#pragma once

#include <driver_types.h>

#include <optional>
#include <string>

#include "grader/cudart/backend.h"

namespace warpgrade::cudart {

struct LaunchVerdict {
  cudaError_t error = cudaSuccess;
  std::string reason;  // one sentence with the number that is too large; "" for cudaSuccess
};

// cudaErrorInvalidConfiguration: a dimension is zero or above the device's limit. cudaErrorLaunchOutOfResources: more
// threads than the kernel's __launch_bounds__ or registers allow. cudaErrorInvalidValue: the parameter block has
// another size, or static + dynamic shared memory exceeds what the device has. cudaErrorCooperativeLaunchTooLarge: a
// cooperative grid that is not resident all at once.
LaunchVerdict CheckLaunch(const Launch& launch, const emulator::KernelInfo& kernel, const DeviceFacts& facts);

// Resident blocks per multiprocessor by NVIDIA's own occupancy rules; 0 when not even one fits.
int ResidentBlocks(const emulator::KernelInfo& kernel, const ComputeCapability& device, int block_threads,
                   uint64_t dynamic_shared_bytes);

// The most dynamic shared memory per block with which `blocks` blocks stay resident on a multiprocessor; nullopt when
// they do not even fit without any.
std::optional<uint64_t> SharedForResidentBlocks(const emulator::KernelInfo& kernel, const ComputeCapability& device,
                                                int blocks, int block_threads);

}  // namespace warpgrade::cudart
