// The GPU that a profile is drawn for: what `--as` names.
#pragma once

#include <cstdint>
#include <string>

#include "grader/cli/profile.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// By its name on the command line, in any case; "" is the runtime's default. Errors (kUsage) name those that there are.
Result<ProfileGpu> FindGpuModel(const std::string& as);

// How long a launch with these counters takes there, by the time model of the emulated runtime.
uint64_t ModelNanoseconds(const emulator::Counters& counters, const ProfileGpu& gpu);

}  // namespace warpgrade::cli
