// Small experiments, each with one chart or two: kernels of our own run on the emulator, and what it counts becomes a
// plot. They need no compiler and no GPU, and take less than a second.
#pragma once

#include <string>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/result/result.h"

namespace warpgrade::study {

struct Study {
  std::string name;      // "coalescing"
  std::string question;  // what it answers, in one line
  // Runs it. The plot's facts lack the date. Errors (kMachine): the emulator refused a kernel.
  Result<plot::Plot> (*run)();
};

// All of them, in the order in which the course needs them.
const std::vector<Study>& AllStudies();

}  // namespace warpgrade::study
