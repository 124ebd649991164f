// Faults of a program's host side that show only at its end. They are reported when the process exits, if the host is
// watched (host_findings.h).
#pragma once

#include <vector>

#include "grader/cudart/allocations.h"
#include "grader/cudart/error_state.h"

namespace warpgrade::cudart {

// Memory that was never freed: one finding for each allocating function, which counts its allocations.
std::vector<emulator::Finding> LeaksOf(const Allocations& allocations);
// Failed launches whose error nobody asked for; equal ones are one finding, which counts them.
std::vector<emulator::Finding> UncheckedLaunchesOf(const ErrorState& errors);

}  // namespace warpgrade::cudart
