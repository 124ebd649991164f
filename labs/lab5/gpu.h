// The PTX of gpu.cu, and what it needs.
#pragma once

#include <cstdint>
#include <string_view>

namespace lab5 {

extern const std::string_view kGpuPtx;

inline constexpr uint64_t kGpuChunk = 4096;  // elements whose sum one block computes; scratch holds one double for each

}  // namespace lab5
