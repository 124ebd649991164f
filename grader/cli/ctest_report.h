// The table at the end of a student's ctest run.
#pragma once

#include <map>
#include <string>

#include "grader/cli/test_record.h"

namespace warpgrade::cli {

using Records = std::map<std::string, TestRecord, NaturalOrder>;

// One row for each rung that has tests in `records`; "" without records.
std::string FormatTestTable(const Records& records);

}  // namespace warpgrade::cli
