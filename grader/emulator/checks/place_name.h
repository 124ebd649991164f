// Names of places in memory for messages: "element 5 of tile".
#pragma once

#include <string>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// `element` is the size in bytes of the accessed value: the best guess at the array's element type.
std::string GlobalPlace(const GlobalMemory& memory, uint64_t address, int element);
std::string SharedPlace(const LaunchShared& launch, uint64_t offset, int element);

}  // namespace warpgrade::emulator
