// The JSON that the command line's process and the child that judges one rung exchange. Both ends are the same binary,
// so enumerations are sent as numbers. The results file that people read is written by grader/report.
#pragma once

#include <string>
#include <string_view>

#include "grader/judge/judge.h"

namespace warpgrade::judge {

std::string SerializeMeasurement(const score::RungMeasurement& measurement);
// Errors: not the JSON that SerializeMeasurement writes.
Result<score::RungMeasurement> ParseMeasurement(std::string_view json);

// The same for a measurement or an error.
std::string SerializeOutcome(const Result<score::RungMeasurement>& outcome);
Result<score::RungMeasurement> ParseOutcome(std::string_view json);

// A request without `cancel`. The lab is sent as its name and source. Errors: not the JSON that SerializeRequest
// writes, or a lab that `find_lab` does not know.
std::string SerializeRequest(const JudgeRequest& request);
Result<JudgeRequest> ParseRequest(std::string_view json, LabFinder find_lab);

}  // namespace warpgrade::judge
