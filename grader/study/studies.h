// The functions behind AllStudies().
#pragma once

#include "grader/plot/plot.h"
#include "grader/result/result.h"
#include "grader/study/machine.h"

namespace warpgrade::study {

// On the emulator.
Result<plot::Plot> StudyCoalescing();
Result<plot::Plot> StudyBanks();
Result<plot::Plot> StudyTree();
Result<plot::Plot> StudyAtomics();
Result<plot::Plot> StudyWavefronts();

// With programs, and with the tools of the toolkit.
Result<plot::Plot> StudyTransfers(Machine& machine);
Result<plot::Plot> StudySync(Machine& machine);
Result<plot::Plot> StudyOverlap(Machine& machine);
Result<plot::Plot> StudyFastMath(Machine& machine);
Result<plot::Plot> StudyTextures(Machine& machine);
Result<plot::Plot> StudyCompile(Machine& machine);

}  // namespace warpgrade::study
