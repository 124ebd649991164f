// The arithmetic is the toolkit's own cuda_occupancy.h, fed with the figures of the device model: the same rules as the
// occupancy API of the real runtime. Tested by tests/device_model/occupancy_test.cc by hand-worked cases, and by
// tests/quiz/functions_launch_test.cc against the published tables on every GPU.
#include "grader/device_model/occupancy.h"

#include <cuda_occupancy.h>

#include <algorithm>

namespace warpgrade {
namespace {

cudaOccDeviceProp OccupancyDevice(const ComputeCapability& capability) {
  cudaOccDeviceProp device;
  device.computeMajor = capability.major;
  device.computeMinor = capability.minor;
  device.maxThreadsPerBlock = gpu_limits::kThreadsPerBlock;
  device.maxThreadsPerMultiprocessor = capability.threads_per_multiprocessor;
  device.regsPerBlock = gpu_limits::kRegistersPerBlock;
  device.regsPerMultiprocessor = gpu_limits::kRegistersPerMultiprocessor;
  device.warpSize = gpu_limits::kWarpSize;
  device.sharedMemPerBlock = gpu_limits::kSharedPerBlock;
  device.sharedMemPerMultiprocessor = static_cast<size_t>(capability.shared_per_multiprocessor);
  device.numSms = 1;  // only the figures per multiprocessor are used
  device.sharedMemPerBlockOptin = static_cast<size_t>(capability.shared_per_block_opt_in);
  device.reservedSharedMemPerBlock = static_cast<size_t>(capability.shared_reserved_per_block);
  return device;
}

cudaOccFuncAttributes OccupancyKernel(const KernelNeeds& kernel, const ComputeCapability& capability) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = static_cast<int>(kernel.max_threads_per_block);
  attributes.numRegs = static_cast<int>(kernel.registers);
  attributes.sharedSizeBytes = kernel.static_shared_bytes;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<size_t>(capability.shared_per_block_opt_in);
  attributes.numBlockBarriers = 1;
  return attributes;
}

}  // namespace

Occupancy OccupancyOf(const KernelNeeds& kernel, const ComputeCapability& capability, int block_threads,
                      uint64_t dynamic_shared_bytes) {
  const cudaOccDeviceProp device = OccupancyDevice(capability);
  const cudaOccFuncAttributes attributes = OccupancyKernel(kernel, capability);
  const cudaOccDeviceState state;
  cudaOccResult result = {};
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state,
                                                                     block_threads, dynamic_shared_bytes);
  Occupancy occupancy;
  occupancy.most_warps = capability.threads_per_multiprocessor / gpu_limits::kWarpSize;
  occupancy.warps_per_block = (block_threads + gpu_limits::kWarpSize - 1) / gpu_limits::kWarpSize;
  if (error != CUDA_OCC_SUCCESS) return occupancy;
  occupancy.blocks = result.activeBlocksPerMultiprocessor;
  occupancy.warps = occupancy.blocks * occupancy.warps_per_block;
  occupancy.by_registers = result.blockLimitRegs;
  occupancy.by_shared = result.blockLimitSharedMem;
  occupancy.by_warps = result.blockLimitWarps;
  occupancy.by_blocks = result.blockLimitBlocks;
  occupancy.registers_per_warp = result.allocatedRegistersPerBlock / std::max(1, occupancy.warps_per_block);
  occupancy.shared_per_block = static_cast<int>(result.allocatedSharedMemPerBlock);
  return occupancy;
}

int ResidentBlocks(const KernelNeeds& kernel, const ComputeCapability& capability, int block_threads,
                   uint64_t dynamic_shared_bytes) {
  return OccupancyOf(kernel, capability, block_threads, dynamic_shared_bytes).blocks;
}

// cuda_occupancy.h has an answer of its own. It leaves out what the system takes from every block, and so promises one
// block too many.
std::optional<uint64_t> SharedForResidentBlocks(const KernelNeeds& kernel, const ComputeCapability& device, int blocks,
                                                int block_threads) {
  if (blocks <= 0 || ResidentBlocks(kernel, device, block_threads, 0) < blocks) return std::nullopt;
  const int unit = gpu_limits::kSharedAllocationUnit;
  const int each = device.shared_per_multiprocessor / blocks / unit * unit - device.shared_reserved_per_block;
  return uint64_t(std::min(each, device.shared_per_block_opt_in)) - kernel.static_shared_bytes;
}

}  // namespace warpgrade
