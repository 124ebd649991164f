// What a race lacks, and how to mend it: the last words of its finding, which need all its occurrences of a launch.
#pragma once

#include <vector>

#include "grader/emulator/checks/report.h"

namespace warpgrade::emulator {

// Completes the message of each race among `findings` and sets its advice. REQUIRES: called once, when the launch is
// over and the findings of its host threads are merged.
void CompleteRaces(const LaunchShared& launch, std::vector<PendingFinding>* findings);

}  // namespace warpgrade::emulator
