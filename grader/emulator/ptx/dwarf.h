// Which variables of the source lie in the local memory of a function. nvcc -G puts all of them into one array of the
// PTX, `__local_depot0`, and tells in the debug data where each one lies. Source: the DWARF standard, versions 2 to 4;
// PTX ISA 9.0, "Debugging Directives".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/emulator/ptx/debug_section.h"
#include "grader/emulator/ptx/module.h"

namespace warpgrade::ptx {

// By the name of a .local variable of the PTX: the variables of the source inside it, in the order of the debug data.
// It leaves out those whose size is not told. Data that is damaged gives what was
// understood before the damage, or nothing.
std::map<std::string, std::vector<SourceVariable>> LocalVariablesOf(const DebugSection& abbreviations,
                                                                    const DebugSection& info);

}  // namespace warpgrade::ptx
