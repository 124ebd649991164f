// Phrases for measurements that all reports share. All are safe to print.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/report/style.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// A status inside a sentence: "wrong", "does not compile", "not written yet".
std::string StatusWords(score::RungStatus status);

// A cell of the table: "ok 12/12", "WRONG 9/12", "FAULT 12/12" (all values are right, but the emulator found a fault),
// "CRASHED".
std::string CorrectnessCell(const score::RungMeasurement& measurement);
Tone ToneOf(score::RungStatus status);

// "31 shared bank conflicts (limit 0)", "0.52 global load efficiency (at least 0.9)".
std::string TechniqueWords(const score::TechniqueResult& result);
// "1893 GB/s ±0.2%, 45% of copy", "not measured here", "FLAGGED 1893 GB/s"; "-" if the rung has no throughput points.
std::string ThroughputCell(const score::RungScore& rung);
// "8/15"; "-4" for what has no maximum of its own, such as the deduction for lateness.
std::string PointsWords(config::Points points, config::Points most);
// "1893", "45.2", "0.874": four significant digits, no exponent below 1e15.
std::string NumberWords(double value);

// "1000 x 33: rows are left out [element 32992] (got never written, want 3.5)". Parts that the message already has are
// not repeated.
std::string FailureWords(const score::CaseFailure& failure);
// "256", "about 12,000", "about 1.7 million".
std::string CountWords(uint64_t count);

// A fault, in a few lines. `cases_run`: of the rung. `check`: see Notes.
//
//   v3.cu:27  out-of-bounds: wrote 4 bytes at 0x30000000080, just past the end of d_out (128 bytes)
//     seen   kernel reduce_v3, block (1,0,0), thread (3,0,0), about 1.7 million times in 48 of 50 cases
//     to do  check how the index is computed; compare it with the array's size before the access
//     again  warpgrade check lab1 v3 --case 7  (n = 33, int, sum)
std::string FindingWords(const score::Finding& finding, int cases_run, const std::string& check);

// "./warpgrade check lab1 v3 --submission my-work", for a rung "v3_sequential" of a report with the program
// "./warpgrade" and the options " --submission my-work".
std::string CheckCommand(const score::GradingReport& report, const std::string& lab, const std::string& rung);

// The notes below the row of a rung, the most useful first: faults, failed cases, the hint, messages (compiler errors,
// signals), and why a speed is flagged, missing, or too low because the GPU slowed down. A note may have several lines.
// `check`: the command that checks this rung again (CheckCommand); "": none.
std::vector<std::string> Notes(const score::RungScore& rung, const score::DeviceDescription& device,
                               const std::string& check);

// What was not graded, and why: "NOT FINISHED: lab1.v1_naive, lab1.v2_shared: grading was interrupted". One line for
// each reason. They count as nothing, not as zero.
std::vector<std::string> UnfinishedWords(const score::SubmissionScore& submission);

// "emulator", "NVIDIA H200"; "" if nothing was graded.
std::string DeviceWords(const score::DeviceDescription& device);

// The line above a table: `parts` and the device, "lab2 Transpose · s1042 · emulator (...)". What is "" is left out.
std::string HeadingText(const std::vector<std::string>& parts, const score::DeviceDescription& device, bool colour);

}  // namespace warpgrade::report
