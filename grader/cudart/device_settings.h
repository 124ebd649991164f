// What the program set for the device as a whole. The emulator keeps these values for whoever asks, and acts on none.
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
