// Chooses the device that a program's calls go to.
#pragma once

#include <memory>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

// The judge's device when WARPGRADE_DEVICE_FD names the judge's socket, else an emulated device in this process, which
// reports what it finds (observation_report.h). When neither can be opened, the reason is printed on stderr and every
// call on the device that is returned gives cudaErrorDevicesUnavailable.
std::unique_ptr<Backend> OpenDevice();

}  // namespace warpgrade::cudart
