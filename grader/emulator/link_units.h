// Links the PTX of a program in several translation units (nvcc -rdc=true) into one module, as a GPU's driver does.
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/ptx/module.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {

// The PTX of one translation unit, parsed.
struct ParsedUnit {
  std::string name;  // for messages: "b.cu"
  ptx::Module module;
};

// What of the units is `.visible` is one symbol in the whole program: a declaration (`.extern`) in one unit means the
// definition in another one. Of several `.weak` definitions the first stays, unless one that is not weak is there. What
// is neither belongs to its unit, and gets another name ("$str@2") if a second unit has the name, too.
// Errors (kSubmission): a symbol that no unit defines, or that two define; a variable that is in global memory for one
// unit and in constant memory for another one. The functions that the device itself has need no definition.
Result<ptx::Module> LinkUnits(std::vector<ParsedUnit> units);

}  // namespace warpgrade::emulator
