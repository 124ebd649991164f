// The table that follows a student's ctest run.
#pragma once

#include <map>
#include <string>

#include "grader/cli/test_record.h"

namespace warpgrade::cli {

using Records = std::map<std::string, TestRecord, NaturalOrder>;

// One row per rung of the tests in `records`; "" when there are none.
std::string FormatTestTable(const Records& records);

}  // namespace warpgrade::cli
