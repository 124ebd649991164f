// How much memory this process and all beside it may use.
#pragma once

#include <cstdint>
#include <string>

namespace warpgrade::cli {

// In MB: the machine's memory, or what the control group of a container allows if that is less. `root`: where /proc and
// /sys are; tests make them up. 0 if nothing is known.
int64_t ContainerMemoryMb(const std::string& root = "");

}  // namespace warpgrade::cli
