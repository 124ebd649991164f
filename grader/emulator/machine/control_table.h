// The handlers that change where a warp continues, that wait for other threads, or that leave the kernel. Their keys
// are "bra", "bar.sync", "call.vprintf" and so on. Tests: tests/emulator/exec/control_test.cc and schedule_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {
HandlerSpan ControlHandlers();
}  // namespace warpgrade::emulator
