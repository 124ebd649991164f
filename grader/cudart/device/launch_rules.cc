// Compares a launch with the limits of the device model: dimensions first, then what the kernel needs, then whether a
// cooperative grid is resident. Tested by tests/cudart/device/launch_rules_test.cc.
#include "grader/cudart/device/launch_rules.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cudart {
namespace {

LaunchVerdict CheckDimension(const char* what, uint64_t value, uint64_t limit) {
  if (value == 0) {
    const bool of_grid = std::string_view(what).starts_with("grid");
    return {cudaErrorInvalidConfiguration,
            fmt::format("{} is 0; it must be at least 1{}", what,
                        of_grid ? ": round the number of blocks up, and treat an empty input by itself" : "")};
  }
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
      {"gridDim.x", launch.grid.x, gpu_limits::kGridX},
      {"gridDim.y", launch.grid.y, gpu_limits::kGridY},
      {"gridDim.z", launch.grid.z, gpu_limits::kGridZ},
      {"blockDim.x", launch.block.x, gpu_limits::kBlockX},
      {"blockDim.y", launch.block.y, gpu_limits::kBlockY},
      {"blockDim.z", launch.block.z, gpu_limits::kBlockZ},
      {"the number of threads per block", launch.block.Count(), gpu_limits::kThreadsPerBlock},
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
  if (kernel.static_shared_bytes == std::numeric_limits<uint32_t>::max()) {  // as many or more
    return {cudaErrorInvalidValue, fmt::format("4 GB of shared memory per block or more; the device has at most {} "
                                               "bytes",
                                               device.shared_per_block_opt_in)};
  }
  if (shared > static_cast<uint64_t>(device.shared_per_block_opt_in)) {
    return {cudaErrorInvalidValue, fmt::format("{} bytes of shared memory per block; the device has at most {}", shared,
                                               device.shared_per_block_opt_in)};
  }
  return {};
}

}  // namespace

KernelNeeds NeedsOf(const emulator::KernelInfo& kernel) {
  return {kernel.registers, kernel.static_shared_bytes, kernel.max_threads_per_block};
}

LaunchVerdict CheckLaunch(const Launch& launch, const emulator::KernelInfo& kernel, const DeviceFacts& facts) {
  const ComputeCapability& device = facts.model->capability;
  LaunchVerdict verdict = CheckDimensions(launch);
  if (verdict.error == cudaSuccess) verdict = CheckResources(launch, kernel, device);
  if (verdict.error != cudaSuccess || !launch.cooperative) return verdict;
  const auto threads = static_cast<int>(launch.block.Count());
  const uint64_t resident =
      uint64_t(facts.multiprocessors) * ResidentBlocks(NeedsOf(kernel), device, threads, launch.dynamic_shared_bytes);
  if (launch.grid.Count() > resident) {
    return {
        cudaErrorCooperativeLaunchTooLarge,
        fmt::format("a cooperative grid of {} blocks; only {} are resident at once", launch.grid.Count(), resident)};
  }
  return {};
}

}  // namespace warpgrade::cudart
