// Moves the variables of a thread apart, so that an index past the end of one of them reaches no other. It needs debug
// data, which tells what lies where (ptx/dwarf.h): nvcc -G, or -Xcicc -O0 -Xcicc -g for the device code alone.
#pragma once

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// Rewrites each function whose .local variable has parts. Afterwards the parts are in order, do not overlap, and have
// unused bytes before and behind each of them, twice as many as the larger neighbour has, within limits. What nvcc put
// between the variables of the source, and uses, is a part without a name. A function is left as it is, and its
// variable has no parts, if it uses the address of that variable in a way in which only optimised code or no nvcc does,
// or if the debug data does not fit the code, or if the function may call itself.
void GuardLocals(ptx::Module* module);

}  // namespace warpgrade::emulator
