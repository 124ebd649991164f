// Accepts a flagged speed in a report, so that it gets its points.
#pragma once

#include <string>

#include "grader/config/course.h"
#include "grader/result/result.h"
#include "grader/score/acceptance.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

// As typed.
struct AcceptOptions {
  std::string report;         // the path of the report or the gradebook
  std::string student, rung;  // rung: "lab1.v9"
  std::string because, by;    // by "": the name of the account
};

// "lab1", "v9". The rung may be shortened: selection.h has Means.
struct LabAndRung {
  std::string lab, rung;
};
// Errors (kUsage): no lab is named.
Result<LabAndRung> ReadRung(const std::string& typed);

// Who accepts, why, and that it is now. Errors (kUsage): one of the two is missing.
Result<score::Acceptance> WhoAndWhy(const AcceptOptions& options);

// The whole name of the rung in the report, whose speed is flagged. Errors (kUsage): it is not, or there is no such
// rung.
Result<std::string> FlaggedRung(const AcceptOptions& options, score::GradingReport* report);

// Changes the report. Returns the sentence that says what it did. Errors (kUsage), after which the report is unchanged:
// there is no such rung, or its speed cannot be accepted.
Result<std::string> Accept(const AcceptOptions& options, const config::Course& course, score::GradingReport* report);

}  // namespace warpgrade::cli
