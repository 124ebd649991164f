// What crosses between the command line's process and the child that judges one rung, as JSON. Both ends are the same
// binary, so enumerations travel as their numbers; the result schema that people read is the report room's.
#pragma once

#include <string>
#include <string_view>

#include "grader/judge/judge.h"

namespace warpgrade::judge {

std::string SerializeMeasurement(const score::RungMeasurement& measurement);
// Errors: not the JSON that SerializeMeasurement writes.
Result<score::RungMeasurement> ParseMeasurement(std::string_view json);

// A measurement or an error.
std::string SerializeOutcome(const Result<score::RungMeasurement>& outcome);
Result<score::RungMeasurement> ParseOutcome(std::string_view json);

// All of a request but `cancel`; the lab goes by its name.
std::string SerializeRequest(const JudgeRequest& request);
Result<JudgeRequest> ParseRequest(std::string_view json, const Lab* (*find_lab)(std::string_view name));

}  // namespace warpgrade::judge
