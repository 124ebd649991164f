// The files of programs/: CUDA programs that `warpgrade study` compiles and runs, and the header that they share.
#pragma once

#include <string_view>

namespace warpgrade::study {

extern const std::string_view kMeasureHeader, kTransfersProgram, kCompileProgram;

}  // namespace warpgrade::study
