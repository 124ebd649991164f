// The PTX of gpu.cu, and what it needs.
#pragma once

#include <cstdint>
#include <string_view>

namespace lab6 {

extern const std::string_view kGpuPtx;

inline constexpr int kGpuSteps = 4;  // that gpu.cu does; its scratch holds two fields of doubles

}  // namespace lab6
