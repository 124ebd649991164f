// The words for measurements that every report uses. All of them are Printable.
#pragma once

#include <string>
#include <vector>

#include "grader/report/style.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// "wrong", "does not compile", "not written yet": a status inside a sentence.
std::string StatusWords(score::RungStatus status);

// The cell of a table: "ok 12/12", "WRONG 9/12", "FAULT 12/12" (right values, but the emulator saw a fault), "CRASHED".
std::string CorrectnessCell(const score::RungMeasurement& measurement);
Tone ToneOf(score::RungStatus status);

// "31 shared bank conflicts (limit 0)", "0.52 global load efficiency (at least 0.9)".
std::string TechniqueWords(const score::TechniqueResult& result);
// "1893 GB/s ±0.2%, 45% of copy", "not measured here", "FLAGGED 1893 GB/s"; "-" when the rung has no throughput points.
std::string ThroughputCell(const score::RungScore& rung);
// "8/15".
std::string PointsWords(config::Points points, config::Points most);
// "1893", "45.2", "0.874": four significant digits, no exponent below 1e15.
std::string NumberWords(double value);

// "1000 x 33: rows are left out [element 32992] (got never written, want 3.5)", without what the message holds already.
std::string FailureWords(const score::CaseFailure& failure);
// "v3.cu:27  race: ... kernel k, block (1,0,0), thread (3,0,0)".
std::string FindingWords(const score::Finding& finding);

// What is to say below a rung's row, the worst first: failed cases, faults, messages (compiler errors, hints), why a
// speed is flagged or missing, or may be too low by the GPU's fault. Each may have several lines.
std::vector<std::string> Notes(const score::RungScore& rung, const score::DeviceDescription& device);

// "emulator", "NVIDIA H200".
std::string DeviceWords(const score::DeviceDescription& device);

}  // namespace warpgrade::report
