// What is known of a rung's cases, for plots of what it did in them.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/plot_charts.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

// Empty for an unknown lab.
WorkOfRungs WorkOf(const std::string& lab, const std::vector<PlottedRung>& rungs);

// Sets SubmissionScore::rooflines: for each lab whose speed is in GFLOP/s its right rungs below the roofs of `device`,
// or of the GPU that the emulator stands for.
void AddRooflines(const score::DeviceDescription& device, score::SubmissionScore* submission);

}  // namespace warpgrade::cli
