// The functions behind AllStudies().
#pragma once

#include "grader/plot/plot.h"
#include "grader/result/result.h"

namespace warpgrade::study {

Result<plot::Plot> StudyCoalescing();
Result<plot::Plot> StudyBanks();
Result<plot::Plot> StudyTree();

}  // namespace warpgrade::study
