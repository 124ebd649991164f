// The answers on the CPU, and the faults. There is no tolerance in this lab: all numbers are whole.
#pragma once

#include <array>
#include <vector>

#include "labs/lab8/values.h"

namespace lab8 {

// What output array number `output` must hold. REQUIRES: the task is not kName; inputs[i] has p.InputElements() ints.
std::vector<int> Answer(const Problem& p, std::array<const int*, kArrays> inputs, int output);

// The fault of the rung with this number, 1 to 9.
Fault FaultOf(int rung);

}  // namespace lab8
