// The result of a launch, combined from what each of its host threads counted and found. It does not depend on which
// host thread ran which block: counts are added, and for each finding the occurrence that is first in block order is
// kept.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/counters/wave64.h"
#include "grader/emulator/recorders/branch_recorder.h"
#include "grader/emulator/recorders/request_recorder.h"
#include "grader/emulator/recorders/step_recorder.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

struct GridResult {
  LaunchStatus status = LaunchStatus::kOk;
  std::vector<InstStats> stats;  // by Inst::index
  std::vector<uint64_t> wave64;  // by Inst::index; empty if not counted
  RecordedRequests requests;     // this and the next: empty if not recorded
  RecordedBranches branches;
  RecordedSteps steps;                   // of the block that was recorded
  std::vector<PendingFinding> findings;  // merged: one per (instruction, kind), in block order
  uint64_t host_visible_bytes = 0;       // this member and the next: for LaunchRecord
  uint64_t instruction_squares = 0;
};

// Saturating a + b and a + b * b: 2^64 - 1 where the sum is larger.
uint64_t AddUpTo(uint64_t a, uint64_t b);
uint64_t AddSquare(uint64_t a, uint64_t b);

// What one host thread counted and found.
struct ThreadResult {
  const std::vector<InstStats>& stats;  // by Inst::index
  const Wave64Counter* wave64;          // null if not counted
  const RequestRecorder* requests;      // this and the next two: null if not recorded
  BranchRecorder* branches;
  StepRecorder* steps;
  const std::vector<PendingFinding>& findings;
  uint64_t host_visible_bytes;
  uint64_t instruction_squares;
};

class GridMerge {
 public:
  explicit GridMerge(const LaunchShared& launch);
  void Add(const ThreadResult& thread);
  // Returns the sorted findings and how the launch ended. REQUIRES: called once, after all host threads were added.
  GridResult Finish();

 private:
  using FindingKey = std::tuple<uint32_t, uint32_t, FindingKind>;  // instruction, a race's other instruction, kind

  const LaunchShared& launch_;
  GridResult result_;
  std::map<FindingKey, PendingFinding> findings_;
};

}  // namespace warpgrade::emulator
