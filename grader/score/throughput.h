// How a measured speed becomes points.
#pragma once

#include <optional>
#include <string>

#include "grader/config/course.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// Whether anybody asks how fast a rung is: it has points for it, or its lab a leaderboard. Others need no turn on a
// GPU.
bool IsTimed(const config::Lab& lab, const config::Rung& rung);

// The scale of `rung` for a GPU: its target's own, else "any"; nullptr when there is neither.
const config::ThroughputScale* FindScale(const config::Rung& rung, const std::string& target_id);

// What the measurement reaches of its ceiling, where both are known and in one unit.
std::optional<double> ShareOfCeiling(const ThroughputMeasurement& measurement);

// From 0 to `most`, never less for a faster measurement. Nothing for one that is not measured, flagged, not finite, in
// another unit than the scale's, or without the ceiling that a share is of.
config::Points ThroughputPoints(const config::ThroughputScale& scale, config::Points most,
                                const ThroughputMeasurement& measurement);

// Flags a measurement above the peak in its own unit: no GPU does that, so something else was measured than the work.
// For GFLOP/s it is the peak of what the rung may compute with. A peak that is not known flags nothing.
void FlagImpossible(const Peaks& peaks, config::Rung::Arithmetic arithmetic, ThroughputMeasurement* measurement);

}  // namespace warpgrade::score
