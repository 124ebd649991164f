// Where in the program a call or an access is, so that findings can name its source line. An address in the program's
// file stands for it. Whoever shows the finding looks the line up, in the debug information of that file.
#pragma once

#include <cstdint>

namespace warpgrade::cudart {

// The address of an instruction in the program's file, as it was linked. 0: the instruction is not in the program's own
// file, but in a library.
uint64_t PlaceInProgram(const void* instruction);

// The same for a call that returns to this address. If that is in this library, because the program called another name
// of the function (PerThread), the place of the program's call.
uint64_t PlaceOfCall(const void* return_address);

// The same for an access by this instruction. If that is in a library, the place of the call to the function that it is
// in, provided that the function keeps nothing on the stack, such as memcpy.
uint64_t PlaceOfAccess(const void* instruction, const void* top_of_stack);

}  // namespace warpgrade::cudart
