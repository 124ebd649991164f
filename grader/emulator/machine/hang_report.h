// Findings for kernels that hang: where they wait or loop, and for what.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Every thread of the launch waits. Reports kDeadlock for the lowest of `waiting`, the blocks of one host thread. The
// merge of the host threads keeps the lowest of all (grid_result.h). Changes x's block, warp and fragment.
void ReportDeadlock(Exec& x, const std::deque<std::unique_ptr<Block>>& waiting);

// The message for a launch that exceeds the limit for all launches (DeviceOptions::total_instruction_budget).
std::string TotalSpentMessage(uint64_t total);

// x.block never ends (repeat_watch.h). Reports kEndlessLoop where one of its fragments is. Changes x's warp and
// fragment.
void ReportRepeatingLoop(Exec& x);

// The instruction budget ran out while x.block ran. Reports kEndlessLoop at the first fragment that can run, or at the
// kernel's first instruction if there is none. Changes x's warp and fragment.
void ReportEndlessLoop(Exec& x);

}  // namespace warpgrade::emulator
