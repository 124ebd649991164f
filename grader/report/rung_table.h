// One submission in full: a table per lab with a row per rung.
#pragma once

#include <string>

#include "grader/report/table.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

std::string SubmissionTable(const score::SubmissionScore& submission, const score::DeviceDescription& device,
                            const TableOptions& options);

}  // namespace warpgrade::report
