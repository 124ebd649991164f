// The PTX of gpu.cu.
#pragma once

#include <string_view>

namespace lab10 {

extern const std::string_view kGpuPtx;

}  // namespace lab10
