// The words for what a GPU did while a rung was timed. All of them are Printable.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// One line: "GPU: SM 1755 MHz (1410 to 1965) of 1980, memory 3201 MHz, 61 C, 412 W, throttled: power cap", without what
// the driver did not tell; "" when that is all.
std::string GpuWords(const score::GpuTelemetry& gpu);

// For whoever grades, where heat or hardware slowed the GPU down: why, and that a repeat is fair. "" where they did
// not.
std::string SlowdownWords(const score::GpuTelemetry& gpu);

}  // namespace warpgrade::report
