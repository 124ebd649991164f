// How a rung goes about it: the emulator's counters over one case that is large enough for them to be steady.
#pragma once

#include "grader/judge/correctness.h"

namespace warpgrade::judge {

// Runs the lab's technique case, which counts as one more case of the rung, and fills measurement's metrics when it
// passed. REQUIRES: the context's device is the emulator. Errors: as RunCases.
Status MeasureTechnique(const RungContext& context, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
