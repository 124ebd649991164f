// The settings that the program made for the whole device. The emulator keeps these values for later queries, but acts
// only on cudaLimitDevRuntimePendingLaunchCount.
#pragma once

#include <cstddef>
#include <map>

namespace warpgrade::cudart {

// Thread-compatible: Runtime::mutex guards it.
struct DeviceSettings {
  std::map<int, size_t> limits;  // by cudaLimit; cudaDeviceReset clears them
  unsigned flags = 0;            // of cudaSetDeviceFlags
};

}  // namespace warpgrade::cudart
