// The branches of each source line, over all launches.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/emulator/recorders/branch_recorder.h"
#include "grader/emulator/recorders/line_requests.h"

namespace warpgrade::emulator {

struct LineBranches {
  std::string file;
  int line = 0;
  // Sums over all warps. They agree with the line's counters, but for loops that wait for other warps: their polls in
  // vain are not noted.
  uint64_t executed = 0, divergent = 0;
  // The warp whose lanes went both ways most often, at one branch instruction of this line.
  WarpSteps worst;
  std::string kernel;
  Dim3 block, block_size;
};

class LineBranchesOfLaunches {
 public:
  void Add(const RequestedBy& launch, const RecordedBranches& recorded);
  // Sorted by file, then line.
  std::vector<LineBranches> All() const;
  void Clear() { lines_.clear(); }

 private:
  // The limit of lines. One line takes about 1 KB.
  static constexpr size_t kMostLines = 4096;
  std::map<std::pair<std::string, int>, LineBranches> lines_;
};

}  // namespace warpgrade::emulator
