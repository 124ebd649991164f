// Faults of a program's host side that show only at its end: memory that it never freed, launches whose errors it never
// asked for. Of a program that runs on its own; the judge has no use for them.
#pragma once

#include <string>

#include "grader/cudart/program_options.h"
#include "grader/cudart/runtime.h"

namespace warpgrade::cudart {

// From now on, and again when the process exits, the host side's findings go to the ObservationReport.
void WatchHost(const ProgramOptions& options);
bool IsWatchingHost();

// What `runtime` holds that is to be reported at the end.
std::vector<emulator::Finding> LeaksOf(const Runtime& runtime);
std::vector<emulator::Finding> UncheckedLaunchesOf(const Runtime& runtime);

}  // namespace warpgrade::cudart
