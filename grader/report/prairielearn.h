// results.json of PrairieLearn's external graders.
#pragma once

#include <string>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

inline constexpr const char* kPrairieLearnFlag = "--prairielearn";
// PrairieLearn refuses a larger file.
inline constexpr size_t kPrairieLearnBytes = 1'000'000;

// The share of the points from 0 to 1, and one test for each rung, all with points. Texts are cut where the file would
// be too large. A submission that is not finished, or of which nothing could be read, is not gradable: it costs the
// student no attempt. Errors (kUsage): the report does not have exactly one submission, or it has too many rungs.
Result<std::string> PrairieLearnText(const score::GradingReport& report);

}  // namespace warpgrade::report
