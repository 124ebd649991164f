// Lab 1's side of the judge: its cases, how inputs are drawn, how answers are checked, and hints.
#pragma once

#include "grader/lab/lab.h"

namespace warpgrade {

// Stateless, so any number of threads may use it.
const Lab& Lab1();

}  // namespace warpgrade
