// Tells the device how the steps of a launched graph are ordered: by its dependencies, and by nothing else.
//
//   nodes   a -> b -> d      steps of one chain are in one branch: a, b, d are the stream's own work, and c is in a
//           a -> c -> d      branch that waits for a; d waits for the branch
#pragma once

#include <cstdint>
#include <vector>

#include "grader/cudart/graph.h"

namespace warpgrade::cudart {

// The number of each step's branch, from 0 on. A step continues the branch of a step that it waits for, unless another
// step has already continued that branch. Then it begins a new branch. The first step is in branch 0.
std::vector<size_t> BranchesOf(const std::vector<GraphStep>& steps);

// Under the runtime's lock: Begin and End around each step, in order, then Finish.
class GraphOrder {
 public:
  // `exec` is the number of the executable graph: a launch of it waits for its launch before.
  GraphOrder(Runtime& runtime, cudaStream_t stream, uint64_t exec, const std::vector<GraphStep>& steps);

  void Begin(Runtime& runtime, size_t step);
  // `on_host`: the step is a function of the host, which runs now.
  void End(Runtime& runtime, size_t step, bool on_host);
  // What follows in the stream waits for all branches.
  void Finish(Runtime& runtime);

 private:
  uint64_t Branch(size_t step) const;  // as a stream
  uint64_t EventOf(size_t step) const { return first_event_ + 1 + step; }

  const uint64_t stream_, exec_;
  const std::vector<GraphStep>& steps_;
  std::vector<size_t> branches_;
  std::vector<bool> is_awaited_;  // by a step of another branch, or at the end
  size_t count_ = 0;              // of branches
  uint64_t first_branch_ = 0;
  uint64_t first_event_ = 0;  // of the launch; those of the steps follow
};

}  // namespace warpgrade::cudart
