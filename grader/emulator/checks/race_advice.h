// Says which synchronisation a race lacks, and what to do: the end of its message. It needs all occurrences in a
// launch.
#pragma once

#include <vector>

#include "grader/emulator/checks/report.h"

namespace warpgrade::emulator {

// Completes the message of each race among `findings` and sets its advice. REQUIRES: called once, when the launch is
// over and the findings of its host threads are merged.
void CompleteRaces(const LaunchShared& launch, std::vector<PendingFinding>* findings);

}  // namespace warpgrade::emulator
