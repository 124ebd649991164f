// A report with one of everything, for tests.
#pragma once

#include "grader/score/measurement.h"

namespace warpgrade::report {

// A right rung of 8 + 2 + 2 points whose only limit is met; not measured for speed.
score::RungScore RightRung(const std::string& name);
// The rung of `name` without points and with this status.
score::RungScore FailedRung(const std::string& name, score::RungStatus status);

// lab2 on the emulator: right, over a limit, wrong, with a fault, not written.
score::LabScore EmulatorLab();
// lab1 on a GPU: fast, slow, flagged, not measured.
score::LabScore GpuLab();

// A GPU at its highest clock throughout; one whose clock was held down by heat.
score::GpuTelemetry SteadyGpu();
score::GpuTelemetry HotGpu();

score::SubmissionScore Submission(const std::string& id, std::vector<score::LabScore> labs);
score::GradingReport EmulatorReport(std::vector<score::SubmissionScore> submissions);
score::GradingReport GpuReport(std::vector<score::SubmissionScore> submissions);

}  // namespace warpgrade::report
