// Stack memory that a thread asks for while it runs: alloca, stacksave, stackrestore. It lies above the variables of
// the call's frame, and is freed when the call returns. Tested by tests/emulator/exec/local_access_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {
HandlerSpan StackHandlers();
}  // namespace warpgrade::emulator
