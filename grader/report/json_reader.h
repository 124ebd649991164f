// Reads back what WriteJson wrote.
#pragma once

#include <string>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// The report in the file at `path`: everything that results.json holds, so that writing it again loses nothing. What
// results.json leaves out is as in a new report: titles of labs, lines to look at, raw metrics. Errors (kUsage): the
// file cannot be read, it is no warpgrade.results/1, or it holds something that this version does not know.
Result<score::GradingReport> ReadJson(const std::string& path);

// The same of a text; errors name it `path`.
Result<score::GradingReport> ParseReport(const std::string& text, const std::string& path);

}  // namespace warpgrade::report
