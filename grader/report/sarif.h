// SARIF 2.1.0, which editors and code hosts show as annotations beside the lines of the code.
#pragma once

#include <string>

#include "grader/report/sink.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// One run for each submission, which its automationDetails name. A result for each finding (level "error"), compiler
// error, failed or crashed rung, and missed limit ("warning"), at its line where it has one. Paths are LAB/RUNG.cu
// below %SRCROOT%; with several submissions, the submission's id stands before them. Rungs that are not finished are
// notifications of an invocation that was not successful. Indented; of more than 20 submissions, each run is one line.
std::string SarifText(const score::GradingReport& report);
// The same, in pieces.
void WriteSarif(const score::GradingReport& report, const Sink& sink);

// `path` as a relative URI: every byte but letters, digits and -._~/ becomes %XX.
std::string RelativeUri(const std::string& path);

}  // namespace warpgrade::report
