// The PTX of gpu.cu.
#pragma once

#include <string_view>

namespace lab9 {

extern const std::string_view kGpuPtx;

}  // namespace lab9
