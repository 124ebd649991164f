#include "grader/study/study.h"

#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

template <Result<plot::Plot> (*run)()>
Result<plot::Plot> Counted(Machine& /*machine*/) {
  return run();
}

}  // namespace

const std::vector<Study>& AllStudies() {
  static const std::vector<Study> kAll = {
      {"transfers", "How long does a copy between host and device take, by size, pinned and pageable", StudyTransfers,
       true},
      {"tree", "Why does the order of a sum matter: divergent warps and bank conflicts, step by step",
       Counted<StudyTree>},
      {"wavefronts", "What changes for the nine steps of a reduction in HIP: wavefronts of 64 lanes, and of 32",
       Counted<StudyWavefronts>},
      {"coalescing", "How much memory moves for one load of a warp, by the way to index", Counted<StudyCoalescing>},
      {"banks", "How many turns does shared memory take, by the way to index", Counted<StudyBanks>},
      {"atomics", "What do atomic functions return and leave, and when do they wrap", Counted<StudyAtomics>},
      {"sync", "What does it cost that threads wait for each other, by where the data is", StudySync, true},
      {"overlap", "What does it bring that the host works while a kernel runs", StudyOverlap, true},
      {"fastmath", "What do fast functions cost in accuracy, and what do they bring", StudyFastMath, true},
      {"textures", "What does a texture return between and beside its elements, and how fast is it", StudyTextures,
       true},
      {"compile", "What do nvcc and ptxas make of a kernel: stages, registers, spills, loads", StudyCompile},
  };
  return kAll;
}

}  // namespace warpgrade::study
