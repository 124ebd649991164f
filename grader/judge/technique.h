// Measures a rung's technique: the emulator's counters over one case that is large enough for steady metrics.
#pragma once

#include "grader/judge/correctness.h"

namespace warpgrade::judge {

// Runs the lab's technique case, which counts as one more case of the rung. When it passes, fills the measurement's
// metrics. REQUIRES: the context's device is the emulator. Errors: as RunCases.
Status MeasureTechnique(const RungContext& context, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
