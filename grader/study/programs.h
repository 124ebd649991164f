// The files of programs/: CUDA programs that `warpgrade study` compiles and runs, and the header that they share.
#pragma once

#include <string_view>

namespace warpgrade::study {

extern const std::string_view kMeasureHeader, kTransfersProgram, kCompileProgram, kFastMathProgram, kOverlapProgram,
    kTexturesProgram;
// labs/lab1/studies/sync_study.cu, and its headers. Empty in the students' edition.
extern const std::string_view kSyncProgram, kLab1MeasureHeader, kLab1SumsHeader, kLabDeviceArrayHeader,
    kLabStopwatchHeader;
// The PTX of hip/reduction.hip for wavefronts of 64 lanes and of 32. Empty in the students' edition.
extern const std::string_view kReductionOf64Lanes, kReductionOf32Lanes;

}  // namespace warpgrade::study
