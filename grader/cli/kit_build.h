// Builds the kit again, for commands that write it for other machines.
#pragma once

#include "grader/config/kit.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// A build may be for the processor of this machine alone, and the other machines may have others. Errors (kMachine):
// the build failed, or an installed kit is for one kind of processor.
Status CompileForEveryProcessor(const config::Kit& kit);

// Builds the students' edition of a kit that is a build folder; an installed kit has it already. Errors (kMachine).
Status BuildStudentsEdition(const config::Kit& kit);

// That it is there. Errors (kMachine).
Status CheckStudentsEdition(const config::Kit& kit);

}  // namespace warpgrade::cli
