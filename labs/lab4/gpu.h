// The PTX of gpu.cu.
#pragma once

#include <string_view>

namespace lab4 {

extern const std::string_view kGpuPtx;

}  // namespace lab4
