// The handlers that change where a warp goes on, wait for others, or leave the kernel: their keys are "bra",
// "bar.sync", "call.vprintf" and the like. Tests: tests/emulator/exec/control_test.cc and schedule_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {
HandlerSpan ControlHandlers();
}  // namespace warpgrade::emulator
