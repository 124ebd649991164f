// Tested by tests/emulator/exec/branches_test.cc.
#include "grader/emulator/recorders/line_branches.h"

namespace warpgrade::emulator {

void LineBranchesOfLaunches::Add(const RequestedBy& launch, const RecordedBranches& recorded) {
  for (const auto& [inst, branches] : recorded) {
    const InstOrigin& origin = launch.program.origins[inst];
    if (origin.line <= 0) continue;
    const std::pair<std::string, int> key{launch.FileOf(origin), origin.line};
    auto known = lines_.find(key);
    if (known == lines_.end()) {
      if (lines_.size() == kMostLines) continue;
      known = lines_.try_emplace(key, LineBranches{key.first, key.second}).first;
    }
    LineBranches& line = known->second;
    line.executed += branches.executed;
    line.divergent += branches.divergent;
    // Of several launches the first one is shown, and of one launch the first warp.
    const bool is_worse = branches.worst.divergent > line.worst.divergent;
    if (line.worst.executed > 0 && !is_worse) continue;
    line.worst = branches.worst;
    line.kernel = launch.kernel;
    line.block = launch.BlockAt(line.worst.block);
    line.block_size = launch.block_size;
  }
}

std::vector<LineBranches> LineBranchesOfLaunches::All() const {
  std::vector<LineBranches> all;
  for (const auto& [key, line] : lines_) all.push_back(line);
  return all;
}

}  // namespace warpgrade::emulator
