// Phrases for measurements that all reports share. All are safe to print.
#pragma once

#include <string>
#include <vector>

#include "grader/report/style.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// A status inside a sentence: "wrong", "does not compile", "not written yet".
std::string StatusWords(score::RungStatus status);

// A cell of the table: "ok 12/12", "WRONG 9/12", "FAULT 12/12" (right values, but the emulator found a fault),
// "CRASHED".
std::string CorrectnessCell(const score::RungMeasurement& measurement);
Tone ToneOf(score::RungStatus status);

// "31 shared bank conflicts (limit 0)", "0.52 global load efficiency (at least 0.9)".
std::string TechniqueWords(const score::TechniqueResult& result);
// "1893 GB/s ±0.2%, 45% of copy", "not measured here", "FLAGGED 1893 GB/s"; "-" if the rung has no throughput points.
std::string ThroughputCell(const score::RungScore& rung);
// "8/15".
std::string PointsWords(config::Points points, config::Points most);
// "1893", "45.2", "0.874": four significant digits, no exponent below 1e15.
std::string NumberWords(double value);

// "1000 x 33: rows are left out [element 32992] (got never written, want 3.5)". Parts that the message already has are
// not repeated.
std::string FailureWords(const score::CaseFailure& failure);
// "v3.cu:27  race: ... kernel k, block (1,0,0), thread (3,0,0)".
std::string FindingWords(const score::Finding& finding);

// The notes below the row of a rung, the most useful first: failed cases, faults, messages (compiler errors, hints),
// and why a speed is flagged, missing, or too low because the GPU slowed down. A note may have several lines.
std::vector<std::string> Notes(const score::RungScore& rung, const score::DeviceDescription& device);

// "emulator", "NVIDIA H200".
std::string DeviceWords(const score::DeviceDescription& device);

}  // namespace warpgrade::report
