// Floating-point arithmetic in the directed rounding modes (.rz, .rm, .rp). They are rare, so it runs lane by lane in
// the host's rounding mode.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {
HandlerSpan RoundingHandlers();
}  // namespace warpgrade::emulator
