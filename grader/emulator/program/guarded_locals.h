// Moves the variables of a thread apart, so that an index past the end of one of them reaches no other. It needs debug
// data, which tells what lies where (ptx/dwarf.h): nvcc -G, or -Xcicc -O0 -Xcicc -g for the device code alone.
#pragma once

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// Rewrites each function whose .local variable has parts. Afterwards the parts are in order, do not overlap, and have
// unused bytes before and behind each of them, as many as the larger neighbour has, within limits. What nvcc put
// between the variables of the source, and uses, is a part without a name. A function that uses the address of
// its .local variable in a way that nvcc does not is left as it is, and its variable has no parts.
void GuardLocals(ptx::Module* module);

}  // namespace warpgrade::emulator
