// The students' edition: without the program of lab1's study, which holds solutions.
#include "grader/study/programs.h"

namespace warpgrade::study {

const std::string_view kSyncProgram, kLab1MeasureHeader, kLab1SumsHeader, kLabDeviceArrayHeader, kLabStopwatchHeader;

}  // namespace warpgrade::study
