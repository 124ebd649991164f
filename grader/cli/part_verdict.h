// The outcome of one part of a rung as a ctest test, for `warpgrade check --part`.
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

// The outcome of `part`. The record's points are those that the rung earned by what was measured; its max_points are
// those that can be measured here. REQUIRES: part is not kAll.
PartVerdict JudgePart(const score::RungScore& rung, Part part);

}  // namespace warpgrade::cli
