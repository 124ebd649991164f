// The stable sort on the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "labs/lab10/values.h"

namespace lab10 {

// The p.n elements of `in`, sorted by their p.bits lowest bits; elements with the same key keep their order.
std::vector<uint32_t> Sorted(const Problem& p, const uint32_t* in);

}  // namespace lab10
