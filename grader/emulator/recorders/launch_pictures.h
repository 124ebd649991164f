// What was recorded of all launches of a device.
#pragma once

#include "grader/emulator/memory/global_memory.h"
#include "grader/emulator/recorders/line_branches.h"
#include "grader/emulator/recorders/line_requests.h"

namespace warpgrade::emulator {

class LaunchPictures {
 public:
  // Adds what a launch recorded. `memory` names the arrays that its requests access: some may have been freed since.
  void Add(const RequestedBy& launch, const RecordedRequests& requests, const RecordedBranches& branches,
           const GlobalMemory& memory);
  std::vector<LineRequests> Requests() const { return requests_.All(); }
  std::vector<LineBranches> Branches() const { return branches_.All(); }

 private:
  LineRequestsOfLaunches requests_;
  LineBranchesOfLaunches branches_;
};

}  // namespace warpgrade::emulator
