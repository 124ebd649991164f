// Which launches a device accepts. The runtime asks before it sends a launch; the device asks again, because its peer
// may be hostile.
#pragma once

#include <driver_types.h>

#include <string>

#include "grader/cudart/device/backend.h"
#include "grader/device_model/occupancy.h"

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

// What occupancy arithmetic (device_model/occupancy.h) needs to know of a kernel.
KernelNeeds NeedsOf(const emulator::KernelInfo& kernel);

}  // namespace warpgrade::cudart
