// From a finding to what becomes of the launch. Report itself is declared in execution.h, where handlers find it.
#pragma once

#include "grader/emulator/execution.h"

namespace warpgrade::emulator {

// How a launch ends with a finding of this kind, if the finding is fatal.
LaunchStatus StatusOf(FindingKind kind);

}  // namespace warpgrade::emulator
