// Finds the ways from one access to another access of the same function that have no barrier, and the places in the
// source where a barrier could stand. Race findings use it for their advice.
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
  kSameIteration,  // without going round a loop
  kNextIteration,  // round a loop that contains both
};

// A loop of the source. A line is 0 if it is unknown.
struct LoopLines {
  int first = 0, last = 0;
  // The line of the loop that calls the inlined function with both accesses. 0: the loop is in this function itself.
  int call = 0;
  bool call_diverges = false;  // only some threads come to this call
  bool uniform = false;        // all threads of the block take the same number of iterations
  int32_t back = -1;           // the branch back to its beginning; -1: there are several
};

// Two lines of one function of the source, one for each of two instructions. The line contains the instruction, or
// calls an inlined function that contains it.
struct LinePair {
  int first = 0, second = 0;
  size_t depth = 0;  // how many calls lie around that function
};

// Whether a line is in a loop that the compiler has unrolled. No instruction has the line of such a loop's `for`.
enum class UnrolledLoop { kNone, kPossible, kCertain };

// A place for a barrier.
struct BarrierSpot {
  int line = 0;     // the barrier stands before this line; 0: there is no such place
  int32_t at = -1;  // and before this instruction
  // Whether the line is in an unrolled loop without the first access. Then the barrier stands before this loop.
  UnrolledLoop unrolled = UnrolledLoop::kNone;
};

class BarrierPlaces {
 public:
  // Looks at functions of up to kMostInstructions; known() is false for larger ones. `module` and `function` must
  // outlive it.
  static constexpr size_t kMostInstructions = 20'000;
  BarrierPlaces(const ptx::Module& module, const ptx::Function& function);
  bool known() const { return !graph_.block_start.empty(); }

  // The ways from instruction `from` to `to`, which are indices in the function's body. A barrier before instruction
  // `extra` is taken to be there, if that is not -1. REQUIRES: known().
  OpenWay Way(int32_t from, int32_t to, BarrierReach reach, int32_t extra = -1) const;
  // For kSameIteration: a place where all threads of the block reach a barrier. There is no such place if both accesses
  // are in a branch or loop that only some threads take, or if the place has no source line.
  BarrierSpot SpotBefore(int32_t from, int32_t to) const;
  // Whether some threads of the block may never reach the instruction.
  bool Divergent(int32_t at) const;
  // Whether only threads with certain numbers are left in the kernel at the instruction, as in `if (tid < 32)` at a
  // kernel's end. A thread that leaves because its element is past the end of an array does not count.
  bool AfterExitByNumber(int32_t at) const;
  // Whether only threads with certain numbers come to the instruction: by such an exit, or by a branch around it. In
  // every block these are the same threads.
  bool ReachedByNumber(int32_t at) const {
    return by_number_[static_cast<size_t>(BlockOf(at))] != 0 || AfterExitByNumber(at);
  }
  // True if each thread that executes one of the two also executes the other. False means that this is not known.
  bool Together(int32_t a, int32_t b) const {
    const int32_t x = BlockOf(a), y = BlockOf(b);
    return (Dominates(x, y) && PostDominates(y, x)) || (Dominates(y, x) && PostDominates(x, y));
  }
  // The innermost loop that contains both. Its lines are those of the function of the source that has the loop, which
  // may call the function that contains both.
  LoopLines LoopOf(int32_t a, int32_t b) const;
  // The innermost loop whose branch back lies on a way from `from` to `to` without a barrier.
  LoopLines LoopRound(int32_t from, int32_t to, BarrierReach reach) const;
  // Whether some loop contains `to` and not `from`.
  bool EntersLoop(int32_t from, int32_t to) const;
  // Whether a branch that depends on what `load` has read decides if control comes to `at`.
  bool Decides(int32_t load, int32_t at) const;
  int LineOf(int32_t at) const { return lines_[static_cast<size_t>(at)]; }
  // The lines of the innermost function of the source that contains both.
  LinePair LinesOf(int32_t a, int32_t b) const;
  // The line of `at` in the function that contains `of` and has `depth` calls around it; 0: it is not in there.
  int LineIn(int32_t at, int32_t of, size_t depth) const;
  // Whether the two are in different calls of one function, which has been inlined.
  bool InTwoCallsOfOneFunction(int32_t a, int32_t b) const;
  // A barrier is put before the line of `at`, in the function with `depth` calls around it. Returns the instruction
  // that follows this barrier.
  int32_t StartOfLine(int32_t at, size_t depth) const;

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
  bool PostDominates(int32_t a, int32_t b) const;
  // The frames of an instruction that are in the kernel's own file, the outermost first.
  using Frames = std::vector<ptx::SourceFrame>;
  const Frames& FramesOf(int32_t at) const { return frames_[static_cast<size_t>(at)]; }
  struct Search {
    BarrierReach reach;
    bool round_loops;
    int32_t extra;
  };
  // Whether there is a barrier among the instructions [begin, end), or the extra one before one of them.
  bool HasBarrier(int32_t begin, int32_t end, const Search& search) const;
  bool Reaches(int32_t from, int32_t to, const Search& search) const;
  // Whether some unrolled loop contains `to` and not `from`.
  UnrolledLoop EntersUnrolled(int32_t from, int32_t to) const;
  const Loop* InnermostLoop(int32_t block_a, int32_t block_b) const;
  // The blocks of the loop whose beginnings control reaches from the end of `block` without a barrier and without
  // going back to the loop's header.
  std::vector<char> OpenFrom(const Loop& loop, int32_t block, BarrierReach reach) const;
  bool GoesRound(const Loop& loop, int32_t from, int32_t to, BarrierReach reach) const;
  LoopLines LinesOfLoop(const Loop* loop, int32_t a, int32_t b) const;
  // How many calls lie around the function that has the loop. At most `deepest`.
  size_t DepthOf(const Loop& loop, int32_t at, size_t deepest) const;
  // Whether only some threads come to the call that contains `at`, in the function with `depth` calls around it.
  bool CallDiverges(int32_t at, size_t depth) const;
  void FindLoops();
  void FindDivergence();
  bool SpreadTaint(std::vector<char>* tainted) const;
  void SpreadDivergence(const std::vector<char>& tainted);
  void FindExitsByNumber();
  // Marks the blocks between a block that branches and the place where its ways meet again.
  void MarkBranch(int32_t block, std::vector<char>* marks) const;

  const ptx::Function& function_;
  FlowGraph graph_;
  std::vector<int32_t> dominator_, post_dominator_;  // by block
  std::vector<int> lines_;                           // by instruction
  std::vector<Frames> frames_;                       // by instruction
  std::vector<Loop> loops_;
  std::vector<char> divergent_;       // by block
  std::vector<char> exit_by_number_;  // by block: at its end, threads of some numbers leave the kernel
  std::vector<char> by_number_;       // by block: it is in a branch that threads of some numbers take
};

}  // namespace warpgrade::emulator
