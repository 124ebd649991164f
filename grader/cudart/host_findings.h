// Faults in the host code of a program: wrong frees and copies, which are seen when they happen, and faults that show
// only when the program ends (exit_findings.h). They become findings only if the program runs by itself. The judge does
// not use them.
#pragma once

#include "grader/cudart/program_options.h"
#include "grader/emulator/device.h"

namespace warpgrade::cudart {

class ErrorState;

// From now on the findings in host code go to the ObservationReport. `options` says which of those at the program's end
// are wanted.
void WatchHost(const ProgramOptions& options);

struct HostWatch {
  bool on = false;
  bool leaks = false, unchecked_errors = false;  // to report at the program's end
};
const HostWatch& CurrentHostWatch();

// Reports a finding now: to the ObservationReport when the host is watched, else as an explanation on stderr.
void ReportHostFinding(ErrorState& errors, const emulator::Finding& finding);

}  // namespace warpgrade::cudart
