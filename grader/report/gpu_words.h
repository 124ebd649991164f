// Phrases about the GPU during the timing of a rung: clocks, temperature, power, throttling. All are safe to print.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// One line: "GPU: SM 1755 MHz (1410 to 1965) of 1980, memory 3201 MHz, 61 C, 412 W, throttled: power cap". Parts that
// the driver did not report are left out; "" if it reported nothing.
std::string GpuWords(const score::GpuTelemetry& gpu);

// For the person who grades: why heat or hardware slowed the GPU down, and that it is fair to grade again. "" if
// nothing slowed it down.
std::string SlowdownWords(const score::GpuTelemetry& gpu);

}  // namespace warpgrade::report
