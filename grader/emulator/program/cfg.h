// Where diverged lanes meet again: the immediate post-dominator of each branch.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// For each instruction that can diverge (a guarded bra, brx.idx): the index in function.body at which all paths from it
// meet. -1 if they meet only to end the function, and for all other instructions.
std::vector<int32_t> ReconvergencePoints(const ptx::Function& function);

// The basic blocks of a function. The last node is the exit.
struct FlowGraph {
  std::vector<int32_t> block_start;              // the first instruction of each block but the exit
  std::vector<int32_t> block_of;                 // by instruction
  std::vector<std::vector<int32_t>> successors;  // by block
};
FlowGraph BuildFlowGraph(const ptx::Function& function);
// The same without the ways out of the function before its end: a thread that leaves early is waited for by nobody.
FlowGraph BuildFlowGraphWithoutEarlyExits(const ptx::Function& function);

// By block: the immediate dominator (from the first block on), or post-dominator (from the exit on). That of the root
// is the root itself, that of a block which the root does not reach is -1.
std::vector<int32_t> ImmediateDominators(const FlowGraph& graph);
std::vector<int32_t> ImmediatePostDominators(const FlowGraph& graph);

}  // namespace warpgrade::emulator
