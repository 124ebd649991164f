// One submission in detail: a table for each lab with a row for each rung.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

std::string SubmissionTable(const score::SubmissionScore& submission, const score::DeviceDescription& device,
                            const TableOptions& options);

}  // namespace warpgrade::report
