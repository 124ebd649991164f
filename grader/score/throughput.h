// How a measured speed becomes points.
#pragma once

#include <string>

#include "grader/config/course.h"
#include "grader/score/measurement.h"

namespace warpgrade::score {

// The scale of `rung` for a GPU: its target's own, else "any"; nullptr when there is neither.
const config::ThroughputScale* FindScale(const config::Rung& rung, const std::string& target_id);

// From 0 to `most`, never less for a faster measurement. Nothing for one that is not measured, flagged, not finite, in
// another unit than the scale's, or without the ceiling that a share needs.
config::Points ThroughputPoints(const config::ThroughputScale& scale, config::Points most,
                                const ThroughputMeasurement& measurement);

// Flags a measurement above the peak in its own unit: no GPU does that, so something else was measured than the work.
// `peak_gb_s` and `peak_gflop_s` may be unknown.
void FlagImpossible(std::optional<double> peak_gb_s, std::optional<double> peak_gflop_s,
                    ThroughputMeasurement* measurement);

}  // namespace warpgrade::score
