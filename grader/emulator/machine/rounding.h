// Floating arithmetic in the directed rounding modes (.rz, .rm, .rp): rare, so done lane by lane in the host's mode.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {
HandlerSpan RoundingHandlers();
}  // namespace warpgrade::emulator
