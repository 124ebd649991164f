// Builds the messages for kernels that do not end: which loop never ends, and which threads wait for what in a
// deadlock. Tested by tests/emulator/exec/limits_test.cc and schedule_test.cc.
#include "grader/emulator/machine/hang_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/control.h"

namespace warpgrade::emulator {
namespace {

// What the current fragment executes next. Where lanes meet again the code has a marker, which has no line: then the
// instruction after it.
const Inst& NextInSource(const Exec& x) {
  const Program& program = *x.launch->program;
  const InstOrigin& origin = program.origins[x.code[x.pc].index];
  const size_t at = static_cast<size_t>(x.pc),
               size = program.functions[static_cast<size_t>(origin.function)].code.size();
  return x.code[origin.instruction == nullptr && at + 1 < size ? at + 1 : at];
}

// True if the warp may wait for its last volatile or atomic access to give another value. No thread waits for a store.
bool MayAwait(const Warp& warp) {
  return warp.last_strong != nullptr && warp.last_strong->access != AccessDirection::kStore;
}

// Describes what a spinning warp polls: its last volatile or atomic access.
std::string Awaited(const LaunchShared& launch, const Warp& warp) {
  if (warp.last_strong == nullptr) return "memory";
  const InstOrigin& origin = launch.program->origins[warp.last_strong->index];
  const uint64_t in_shared = warp.last_strong_address - kSharedWindow;
  const std::string place = in_shared < kWindowBytes ? SharedPlace(launch, in_shared, 4)
                                                     : GlobalPlace(*launch.memory, warp.last_strong_address, 4);
  return origin.line > 0 ? fmt::format("{} (line {})", place, origin.line) : place;
}

std::string SpentMessage(const LaunchShared& launch, const Warp& warp) {
  if (launch.is_cut_by_total) {
    return TotalSpentMessage(launch.options->total_instruction_budget);
  }
  if (!MayAwait(warp)) {
    return fmt::format(
        "still running after {} instructions; is there a loop that never ends, or far more work than this needs?",
        launch.instruction_budget);
  }
  return fmt::format("still running after {} instructions; does this loop wait for {} to change?",
                     launch.instruction_budget, Awaited(launch, warp));
}

// Reports kEndlessLoop at the first fragment that can run, with the words of message(warp). False if there is none.
template <typename Message>
bool ReportWhereItRuns(Exec& x, Message message) {
  for (Warp& warp : x.block->warps) {
    if (warp.done) continue;
    for (size_t k = 0; k < warp.fragments.size(); ++k) {
      if (warp.fragments[k].state != FragmentState::kRunnable || warp.fragments[k].mask == 0) continue;
      x.warp = &warp;
      EnterFragment(x, static_cast<int32_t>(k));
      Report(x, NextInSource(x), FindingKind::kEndlessLoop, __builtin_ctz(x.active), 0, 0, message(warp));
      return true;
    }
  }
  return false;
}

}  // namespace

void ReportDeadlock(Exec& x, const std::deque<std::unique_ptr<Block>>& waiting) {
  auto lower = [](const auto& a, const auto& b) { return a->linear < b->linear; };
  const auto block = std::min_element(waiting.begin(), waiting.end(), lower);
  if (block == waiting.end()) return;
  x.block = block->get();
  for (Warp& warp : x.block->warps) {
    for (size_t k = 0; k < warp.fragments.size(); ++k) {
      if (!warp.fragments[k].IsPolling()) continue;
      x.warp = &warp;
      EnterFragment(x, static_cast<int32_t>(k));
      Report(x, NextInSource(x), FindingKind::kDeadlock, __builtin_ctz(x.active), 0, 0,
             fmt::format("waits in this loop for {} to change, and every other thread that has not ended waits too; "
                         "which thread was to write it?",
                         Awaited(*x.launch, warp)));
      return;
    }
  }
}

std::string TotalSpentMessage(uint64_t total) {
  return fmt::format(
      "the program's kernels have run {} instructions in all, which is the limit; are there too many launches, or far "
      "more work than this needs?",
      total);
}

void ReportRepeatingLoop(Exec& x) {
  ReportWhereItRuns(x, [&x](const Warp& warp) {
    const std::string text = "this loop never ends: the block's threads have come back to where they were";
    if (!MayAwait(warp)) return text + ", with the same values in all registers and all memory they use";
    return text + fmt::format("; does it wait for {} to change? No thread is left that could change it",
                              Awaited(*x.launch, warp));
  });
}

void ReportEndlessLoop(Exec& x) {
  const auto spent = [&x](const Warp& warp) { return SpentMessage(*x.launch, warp); };
  if (ReportWhereItRuns(x, spent)) return;
  // This block has finished, so no loop of it is to blame: the kernel has too many blocks, and the finding names its
  // first instruction.
  x.warp = &x.block->warps.front();
  Report(x, x.launch->program->functions[0].code.front(), FindingKind::kEndlessLoop, 0, 0, 0, spent(*x.warp));
}

}  // namespace warpgrade::emulator
