// Executes instructions on one host thread, and owns what they count, find and print. The schedulers choose the block,
// warp and fragment that run, and for how long (warp_scheduler.h). This loop is the hot path of the emulator:
// tests/emulator/bench measures it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/emulator/checks/report.h"
#include "grader/emulator/counters/wave64.h"
#include "grader/emulator/machine/wait_loop.h"
#include "grader/emulator/recorders/branch_recorder.h"
#include "grader/emulator/recorders/request_recorder.h"
#include "grader/emulator/recorders/step_recorder.h"
#include "grader/emulator/state/execution.h"
#include "grader/emulator/state/shared_shape.h"

namespace warpgrade::emulator {

class Wave;  // wave.h

// Used by one thread at a time. Its address must not change: Exec points into it.
class Interpreter {
 public:
  // REQUIRES: `launch` outlives this.
  explicit Interpreter(LaunchShared& launch);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // The state of what runs. The schedulers set its block, warp and fragment.
  Exec& exec() { return x_; }
  const Exec& exec() const { return x_; }

  // Executes the current fragment until it cannot continue (Exec::leave) or has executed `slice` instructions. It may
  // execute a few more, because it does not interrupt a run (Inst::run). Returns how many instructions ran.
  uint64_t Run(uint64_t slice);

  // The same for the current fragment of a wavefront of 64 lanes. In wave_interpreter.cc.
  uint64_t RunWave(Wave& wave, uint64_t slice);

  // Executes one more iteration of the wait loop of the current fragment, which is polling. The iteration is not
  // counted.
  PollResult PollAgain();

  // How many executed instructions are ones that a spinning loop repeats (Program::polls).
  uint64_t Polls() const;

  // What kernels printed and the scheduler has not flushed yet.
  std::string& printed() { return printed_; }
  std::vector<PendingFinding>& findings() { return findings_; }
  uint64_t host_visible_bytes() const { return x_.host_visible_bytes; }
  // Null unless DeviceOptions::wave64.
  Wave64Counter* wave64() { return wave64_.get(); }

  // Both null unless DeviceOptions::pictures.
  const RequestRecorder* requests() const { return requests_.get(); }
  BranchRecorder* branches() { return branches_.get(); }
  // Null unless DeviceOptions::steps.
  StepRecorder* steps() { return steps_.get(); }

  // The counts of each instruction, by Inst::index. REQUIRES: called once, after everything has run.
  const std::vector<InstStats>& FinishStats();

 private:
  void Step(const Inst& i);
  // These three give how many instructions ran.
  uint64_t StepRun(const Inst& first);
  uint64_t StepStart();  // the kernel's first run
  uint64_t StepStartAgain(const std::vector<int32_t>& left);
  void StepInRun(const Inst& i, LaneMask active);
  uint64_t EndRunBefore(const Inst& first, const Inst& rest, uint64_t lanes);
  void StepWave(Wave& wave);

  const uint32_t *const polls_, *const polls_end_;
  Exec x_;
  SharedShapes shapes_;
  std::vector<InstStats> stats_;
  std::vector<RunStats> runs_;     // by Inst::index: how often a run was entered at that instruction
  std::vector<InstStats> unread_;  // the counts of polls in vain, which nobody reads
  std::unique_ptr<Wave64Counter> wave64_;
  std::unique_ptr<RequestRecorder> requests_;
  std::unique_ptr<BranchRecorder> branches_;
  std::unique_ptr<StepRecorder> steps_;
  std::vector<PendingFinding> findings_;
  std::string printed_;
  std::vector<uint8_t> of_whole_wave_;  // by Inst::index, once a wavefront of 64 lanes runs: IsOfWholeWave
};

}  // namespace warpgrade::emulator
