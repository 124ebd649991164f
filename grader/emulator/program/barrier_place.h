// Where a barrier is missing between two accesses of one function: on which ways from one to the other there is none,
// and where in the source one could stand. Race findings use it for their advice.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/program/cfg.h"

namespace warpgrade::emulator {

// The widest reach that counts: __syncwarp() orders the lanes of one warp only.
enum class BarrierReach { kWarp, kBlock };

// How control can come from one instruction to another without a barrier.
enum class OpenWay {
  kNone,
  kSameTurn,  // without going round a loop
  kNextTurn,  // round a loop that contains both
};

// A loop of the source. A line is 0 if it is unknown.
struct LoopLines {
  int first = 0, last = 0;
  bool uniform = false;  // all threads of the block take the same number of turns
};

class BarrierPlaces {
 public:
  // Looks at functions of up to kMostInstructions; known() is false for larger ones. `module` and `function` must
  // outlive it.
  static constexpr size_t kMostInstructions = 20'000;
  BarrierPlaces(const ptx::Module& module, const ptx::Function& function);
  bool known() const { return !graph_.block_start.empty(); }

  // The ways from instruction `from` to `to`, which are indices in the function's body. REQUIRES: known().
  OpenWay Way(int32_t from, int32_t to, BarrierReach reach) const;
  // For kSameTurn: the source line before which a barrier can stand so that all threads of the block reach it. 0: there
  // is no such place, because both accesses are in a branch or loop that not all threads take, or it has no line.
  int LineBefore(int32_t from, int32_t to) const;
  // Whether not all threads of the block may come to the instruction.
  bool Divergent(int32_t at) const;
  // Whether the threads of other numbers have left the kernel before the instruction, as behind `if (tid < 32)` at a
  // kernel's end. A thread that leaves because its element is past the end of an array does not count.
  bool AfterExitByNumber(int32_t at) const;
  // The innermost loop that contains both.
  LoopLines LoopOf(int32_t a, int32_t b) const;
  int LineOf(int32_t at) const { return lines_[static_cast<size_t>(at)]; }

 private:
  struct Loop {
    int32_t header = 0;
    std::vector<char> blocks;  // by block
    size_t size = 0;
  };
  int32_t BlockOf(int32_t at) const { return graph_.block_of[static_cast<size_t>(at)]; }
  int32_t End(int32_t block) const;
  bool IsBack(int32_t from, int32_t to) const;
  bool Dominates(int32_t a, int32_t b) const;
  bool HasBarrier(int32_t from, int32_t end, BarrierReach reach) const;
  bool Reaches(int32_t from, int32_t to, BarrierReach reach, bool round_loops) const;
  const Loop* InnermostLoop(int32_t block_a, int32_t block_b) const;
  void FindLoops();
  void FindDivergence();
  bool SpreadTaint(std::vector<char>* tainted) const;
  void SpreadDivergence(const std::vector<char>& tainted);
  void FindExitsByNumber();

  const ptx::Function& function_;
  FlowGraph graph_;
  std::vector<int32_t> dominator_, post_dominator_;  // by block
  std::vector<int> lines_;                           // by instruction
  std::vector<Loop> loops_;
  std::vector<char> divergent_;       // by block
  std::vector<char> exit_by_number_;  // by block: at its end, threads of some numbers leave the kernel
};

}  // namespace warpgrade::emulator
