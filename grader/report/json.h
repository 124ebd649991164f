// results.json: the stable, complete form of a report. schema/results.schema.json describes it.
#pragma once

#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

inline constexpr const char* kResultsSchema = "warpgrade.results/1";

// "not_measured", as in the JSON.
const char* ThroughputStatusName(score::ThroughputMeasurement::Status status);
// "copy", "solution".
const char* CeilingName(score::ThroughputMeasurement::Ceiling ceiling);

// Points are numbers that are exact to a hundredth when read as doubles; what is not a finite number is null. Text is
// kept as it was, with U+FFFD for what is not UTF-8.
std::string JsonText(const score::GradingReport& report);

}  // namespace warpgrade::report
