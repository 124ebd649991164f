// The PTX of kernels.cu.
#pragma once

#include <string_view>

namespace warpgrade::study {

extern const std::string_view kKernelsPtx;

}  // namespace warpgrade::study
