// What was recorded of all launches of a device.
#pragma once

#include "grader/emulator/memory/global_memory.h"
#include "grader/emulator/recorders/block_steps.h"
#include "grader/emulator/recorders/line_branches.h"
#include "grader/emulator/recorders/line_requests.h"

namespace warpgrade::emulator {

class LaunchPictures {
 public:
  // Adds what a launch recorded. `memory` names the arrays that its requests access: some may have been freed since.
  void Add(const RequestedBy& launch, const RecordedRequests& requests, const RecordedBranches& branches,
           const GlobalMemory& memory);
  // The same for the values of one block. `name_of`: as in StepsOf.
  void AddSteps(const RequestedBy& launch, const RecordedSteps& steps, const NameOfPlace& name_of) {
    steps_.Add(launch, steps, name_of);
  }
  std::vector<LineRequests> Requests() const { return requests_.All(); }
  std::vector<LineBranches> Branches() const { return branches_.All(); }
  const StepsOfLaunches& Steps() const { return steps_; }

 private:
  LineRequestsOfLaunches requests_;
  LineBranchesOfLaunches branches_;
  StepsOfLaunches steps_;
};

}  // namespace warpgrade::emulator
