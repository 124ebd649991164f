// One part of a rung's score as a test: what `warpgrade check --part` tells ctest.
#pragma once

#include <string>
#include <string_view>

#include "grader/cli/test_record.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

enum class Part { kAll, kCorrectness, kTechnique, kThroughput };
std::string_view Name(Part part);  // "technique"

struct PartVerdict {
  int exit_code = 1;  // kDone, 1 (failed) or kTestSkipped
  std::string text;   // "passed", "skipped: no GPU", "not written yet"
  TestRecord record;  // without the device
};

// `points` of the record: what the rung earned by what was measured, out of all that could be earned here.
// REQUIRES: part is not kAll.
PartVerdict JudgePart(const score::RungScore& rung, Part part);

}  // namespace warpgrade::cli
