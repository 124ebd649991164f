// Faults of a program's host side: wrong frees and copies, seen when they happen, and what shows only at the program's
// end (exit_findings.h). Only a program that runs on its own gets them as findings; the judge does not use them.
#pragma once

#include "grader/cudart/program_options.h"
#include "grader/emulator/device.h"

namespace warpgrade::cudart {

class ErrorState;

// From now on the host side's findings go to the ObservationReport; those of the program's end by `options`.
void WatchHost(const ProgramOptions& options);

struct HostWatch {
  bool on = false;
  bool leaks = false, unchecked_errors = false;  // to report at the program's end
  uint64_t seed = 0;                             // of the order of work (work_queue.h)
};
const HostWatch& CurrentHostWatch();

// Reports a finding now: to the ObservationReport when the host is watched, else as an explanation on stderr.
void ReportHostFinding(ErrorState& errors, const emulator::Finding& finding);

}  // namespace warpgrade::cudart
