// How fast this machine's cores are. The limits of time in course.yaml are for a machine of today. A slower one gets
// more time, so that no submission runs out of time there that would not elsewhere.
#pragma once

#include <cstdint>

#include "grader/config/course.h"

namespace warpgrade::judge {

// How many times longer ordinary code takes here than on the machine of BENCHMARKS.md. Measures for some milliseconds
// of processor time, so other programs that run meanwhile hardly matter.
double MeasureSlowness();

// The same from the time that the measured work took. Between 1 and 10, and 1 for everything up to 1.5, which the
// limits allow for anyway.
double SlownessFrom(int64_t work_ns);

// The limits of wall-clock time and processor time, multiplied.
config::RunLimits Stretched(config::RunLimits limits, double slowness);
config::BuildLimits Stretched(config::BuildLimits limits, double slowness);

}  // namespace warpgrade::judge
