// Small experiments, each with one chart or two. Some run kernels of our own on the emulator, and what it counts
// becomes a plot: they need no compiler and no GPU, and take less than a second. Others compile a program and run it,
// on the GPU if there is one, because they are about times.
#pragma once

#include <string>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/result/result.h"
#include "grader/study/machine.h"

namespace warpgrade::study {

struct Study {
  std::string name;      // "coalescing"
  std::string question;  // what it answers, in one line
  // Runs it. The plot's facts lack the date. Errors (kMachine): the emulator refused a kernel, or those of Machine.
  Result<plot::Plot> (*run)(Machine& machine);
  bool has_device = false;  // it runs a program, on a GPU if there is one
};

// All of them, in the order in which the course needs them.
const std::vector<Study>& AllStudies();

}  // namespace warpgrade::study
