#include "grader/study/study.h"

#include "grader/study/studies.h"

namespace warpgrade::study {

const std::vector<Study>& AllStudies() {
  static const std::vector<Study> kAll = {
      {"tree", "Why does the order of a sum matter: divergent warps and bank conflicts, step by step", StudyTree},
      {"coalescing", "How much memory moves for one load of a warp, by the way to index", StudyCoalescing},
      {"banks", "How many turns does shared memory take, by the way to index", StudyBanks},
  };
  return kAll;
}

}  // namespace warpgrade::study
