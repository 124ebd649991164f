// The table at the end of a student's ctest run.
#pragma once

#include <map>
#include <string>

#include "grader/cli/test_record.h"
#include "grader/config/counting_rule.h"

namespace warpgrade::cli {

using Records = std::map<std::string, TestRecord, NaturalOrder>;

// One row for each rung that has tests in `records`; "" without records. `counting`: by lab.
std::string FormatTestTable(const Records& records, const std::map<std::string, config::CountingRule>& counting = {});

}  // namespace warpgrade::cli
