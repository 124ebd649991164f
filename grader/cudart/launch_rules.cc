// The occupancy arithmetic is the toolkit's own cuda_occupancy.h, fed with the figures of the device model: the same
// rules as the occupancy API of the real runtime. Tested by tests/cudart/launch_rules_test.cc.
#include "grader/cudart/launch_rules.h"

#include <cuda_occupancy.h>
#include <fmt/format.h>

#include <algorithm>

#include "grader/cudart/device_limits.h"

namespace warpgrade::cudart {
namespace {

cudaOccDeviceProp OccupancyDevice(const ComputeCapability& capability) {
  cudaOccDeviceProp device;
  device.computeMajor = capability.major;
  device.computeMinor = capability.minor;
  device.maxThreadsPerBlock = limits::kThreadsPerBlock;
  device.maxThreadsPerMultiprocessor = capability.threads_per_multiprocessor;
  device.regsPerBlock = limits::kRegistersPerBlock;
  device.regsPerMultiprocessor = limits::kRegistersPerMultiprocessor;
  device.warpSize = limits::kWarpSize;
  device.sharedMemPerBlock = limits::kSharedPerBlock;
  device.sharedMemPerMultiprocessor = static_cast<size_t>(capability.shared_per_multiprocessor);
  device.numSms = 1;  // only the figures per multiprocessor are used
  device.sharedMemPerBlockOptin = static_cast<size_t>(capability.shared_per_block_opt_in);
  device.reservedSharedMemPerBlock = static_cast<size_t>(capability.shared_reserved_per_block);
  return device;
}

cudaOccFuncAttributes OccupancyKernel(const emulator::KernelInfo& kernel, const ComputeCapability& capability) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = static_cast<int>(kernel.max_threads_per_block);
  attributes.numRegs = static_cast<int>(kernel.registers);
  attributes.sharedSizeBytes = kernel.static_shared_bytes;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<size_t>(capability.shared_per_block_opt_in);
  attributes.numBlockBarriers = 1;
  return attributes;
}

LaunchVerdict CheckDimension(const char* what, uint64_t value, uint64_t limit) {
  if (value == 0) return {cudaErrorInvalidConfiguration, fmt::format("{} is 0; it must be at least 1", what)};
  if (value > limit) {
    return {cudaErrorInvalidConfiguration, fmt::format("{} is {}; the device allows at most {}", what, value, limit)};
  }
  return {};
}

LaunchVerdict CheckDimensions(const Launch& launch) {
  const struct {
    const char* what;
    uint64_t value, limit;
  } rows[] = {
      {"gridDim.x", launch.grid.x, limits::kGridX},
      {"gridDim.y", launch.grid.y, limits::kGridY},
      {"gridDim.z", launch.grid.z, limits::kGridZ},
      {"blockDim.x", launch.block.x, limits::kBlockX},
      {"blockDim.y", launch.block.y, limits::kBlockY},
      {"blockDim.z", launch.block.z, limits::kBlockZ},
      {"the number of threads per block", launch.block.Count(), limits::kThreadsPerBlock},
  };
  for (const auto& row : rows) {
    LaunchVerdict verdict = CheckDimension(row.what, row.value, row.limit);
    if (verdict.error != cudaSuccess) return verdict;
  }
  return {};
}

LaunchVerdict CheckResources(const Launch& launch, const emulator::KernelInfo& kernel,
                             const ComputeCapability& device) {
  if (launch.parameters.size() != kernel.parameter_bytes) {
    return {cudaErrorInvalidValue, fmt::format("{} bytes of parameters were given; the kernel takes {}",
                                               launch.parameters.size(), kernel.parameter_bytes)};
  }
  if (launch.block.Count() > kernel.max_threads_per_block) {
    return {cudaErrorLaunchOutOfResources, fmt::format("{} threads per block; the kernel was compiled for at most {}",
                                                       launch.block.Count(), kernel.max_threads_per_block)};
  }
  const uint64_t shared = uint64_t{kernel.static_shared_bytes} + launch.dynamic_shared_bytes;
  if (shared > static_cast<uint64_t>(device.shared_per_block_opt_in)) {
    return {cudaErrorInvalidValue, fmt::format("{} bytes of shared memory per block; the device has at most {}", shared,
                                               device.shared_per_block_opt_in)};
  }
  return {};
}

}  // namespace

int ResidentBlocks(const emulator::KernelInfo& kernel, const ComputeCapability& capability, int block_threads,
                   uint64_t dynamic_shared_bytes) {
  const cudaOccDeviceProp device = OccupancyDevice(capability);
  const cudaOccFuncAttributes attributes = OccupancyKernel(kernel, capability);
  const cudaOccDeviceState state;
  cudaOccResult result;
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state,
                                                                     block_threads, dynamic_shared_bytes);
  return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : 0;
}

// Not cuda_occupancy.h's own answer, which leaves out the driver's share and so promises one block too many.
std::optional<uint64_t> SharedForResidentBlocks(const emulator::KernelInfo& kernel, const ComputeCapability& device,
                                                int blocks, int block_threads) {
  if (blocks <= 0 || ResidentBlocks(kernel, device, block_threads, 0) < blocks) return std::nullopt;
  const int unit = limits::kSharedAllocationUnit;
  const int each = device.shared_per_multiprocessor / blocks / unit * unit - device.shared_reserved_per_block;
  return uint64_t(std::min(each, device.shared_per_block_opt_in)) - kernel.static_shared_bytes;
}

LaunchVerdict CheckLaunch(const Launch& launch, const emulator::KernelInfo& kernel, const DeviceFacts& facts) {
  const ComputeCapability& device = facts.model->capability;
  LaunchVerdict verdict = CheckDimensions(launch);
  if (verdict.error == cudaSuccess) verdict = CheckResources(launch, kernel, device);
  if (verdict.error != cudaSuccess || !launch.cooperative) return verdict;
  const auto threads = static_cast<int>(launch.block.Count());
  const uint64_t resident =
      uint64_t(facts.multiprocessors) * ResidentBlocks(kernel, device, threads, launch.dynamic_shared_bytes);
  if (launch.grid.Count() > resident) {
    return {
        cudaErrorCooperativeLaunchTooLarge,
        fmt::format("a cooperative grid of {} blocks; only {} are resident at once", launch.grid.Count(), resident)};
  }
  return {};
}

}  // namespace warpgrade::cudart
