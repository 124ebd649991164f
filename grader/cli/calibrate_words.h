// What `warpgrade calibrate` says of its proposals: a table, sentences, and a plot for the page of --html. Pure.
#pragma once

#include <string>
#include <vector>

#include "grader/calibrate/measurements.h"
#include "grader/calibrate/propose.h"
#include "grader/calibrate/subjects.h"
#include "grader/plot/plot.h"

namespace warpgrade::cli {

// "NVIDIA H200, 229 gradings; a copy in its memory reaches 4206 to 4276 GB/s".
std::string GpuWords(const calibrate::Measurements& measured);

// A row for each rung, then what to know of the rungs, then the programs without a speed.
std::string ProposalText(const std::vector<calibrate::Proposal>& proposals);

// For --check: a line for each rung whose scale does not do what it should. `count`: how many rungs have no scale or a
// scale with faults.
std::string CheckText(const std::vector<calibrate::Proposal>& proposals, size_t* count);

// A chart for each rung: the speed of each program in each grading, and the thresholds.
plot::Plot CalibrationPlot(const std::string& device, const std::vector<calibrate::Measurements>& measured,
                           const std::vector<calibrate::Subject>& subjects,
                           const std::vector<calibrate::Proposal>& proposals);

}  // namespace warpgrade::cli
