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

}  // namespace warpgrade::score
