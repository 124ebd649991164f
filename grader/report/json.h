// results.json: the complete report in a stable form, which schema/results.schema.json describes.
#pragma once

#include <string>

#include "grader/report/sink.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

inline constexpr const char* kResultsSchema = "warpgrade.results/1";

// The name in the JSON: "not_measured".
const char* ThroughputStatusName(score::ThroughputMeasurement::Status status);
// The name in the JSON: "copy" or "solution".
const char* CeilingName(score::ThroughputMeasurement::Ceiling ceiling);

// The name in the JSON: "yes", "bonus" or "no".
const char* CountsName(score::RungScore::Counts counts);

// The JSON document. Points are numbers, exact to a hundredth when read as doubles; a number that is not finite is
// null. Text is unchanged, except that U+FFFD replaces bytes that are not UTF-8. The document is indented; where it has
// more than 20 submissions, each of them is one line.
std::string JsonText(const score::GradingReport& report);
// The same, in pieces.
void WriteJson(const score::GradingReport& report, const Sink& sink);
// The same document, with a line for each submission, however few they are: it is shorter.
std::string JsonInLines(const score::GradingReport& report);

}  // namespace warpgrade::report
