// Reads the report that JsonText wrote (json.h).
#pragma once

#include <string>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// The report in the file at `path`, with everything in it, so that writing it again loses nothing. Fields that
// results.json does not have (titles of labs, lines of metrics) are as in a new report. Errors (kUsage):
// the file cannot be read, is not a warpgrade.results/1, or has fields that this version does not know.
Result<score::GradingReport> ReadJson(const std::string& path);

// The report in `text`; errors name it `path`.
Result<score::GradingReport> ParseReport(const std::string& text, const std::string& path);

// The same in a third of the time, for who only reads: fields that this version does not know are left out without an
// error.
Result<score::GradingReport> ParseKnownFields(const std::string& text, const std::string& path);

}  // namespace warpgrade::report
