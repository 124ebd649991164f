// Gives turns to warps and fragments, on three levels. RunBlock goes round the warps until the block is done or pauses;
// RunWarps is one such round; RunWarp is one turn of one fragment. heuristics.h says how long turns last, and when
// lanes that wait at a join are released. Tested by tests/emulator/exec/schedule_test.cc, control_test.cc and
// limits_test.cc.
#include "grader/emulator/machine/warp_scheduler.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/hang_report.h"
#include "grader/emulator/state/heuristics.h"

namespace warpgrade::emulator {
namespace {

// True if at least one in kSpinShare instructions polls.
bool Spins(uint64_t polls, uint64_t instructions) { return polls * kSpinShare >= instructions; }

// How many instructions a warp may run before lanes that wait at a join continue without the running lanes.
uint64_t PatienceOf(const Warp& warp, bool spins) {
  if (!spins) return kPatience;
  return warp.impatient ? kLaterPatience : kSpinningPatience;
}

// All lanes are together, and have something to do other than to poll.
bool IsTogether(const Warp& warp) {
  return warp.fragments.size() == 1 && warp.fragments[0].state == FragmentState::kRunnable &&
         !warp.fragments[0].polling;
}

int32_t NextFragment(const Warp& warp, int32_t after) {
  return (after + 1) % static_cast<int32_t>(warp.fragments.size());
}

}  // namespace

WarpScheduler::WarpScheduler(Interpreter& interpreter, Activity& activity, size_t number)
    : interpreter_(interpreter),
      x_(interpreter.exec()),
      launch_(*x_.launch),
      activity_(activity),
      number_(number),
      seeded_(launch_.options->seed != 0) {}

BlockOutcome WarpScheduler::RunBlock(Block& block, bool* ran) {
  x_.block = &block;
  uint64_t start = used_, polls = interpreter_.Polls();
  for (;;) {
    yielded_ = false;
    const Turn turn = launch_.program->wave_lanes == kLanes ? RunWarps(block) : RunWaves(block);
    *ran |= turn == Turn::kRan || turn == Turn::kSlept;
    if (launch_.Stopped()) return BlockOutcome::kStuck;
    const bool done = block.live_threads == 0;
    if (done && x_.wave64 != nullptr) x_.wave64->LineUp(block);
    if (turn == Turn::kNone && !done && !ResolveDeadlock(x_)) {
      launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
      return BlockOutcome::kStuck;
    }
    const bool paused = turn == Turn::kPolled || turn == Turn::kSlept || yielded_ || used_ - start > kBlockSlice;
    if (!done && !paused) continue;
    if (!Charge(used_ - start + std::exchange(block.owed, 0) + std::exchange(x_.owed, 0))) return BlockOutcome::kStuck;
    if (done) return BlockOutcome::kDone;
    if (turn == Turn::kPolled) return BlockOutcome::kWaits;
    const RepeatWatch::Verdict verdict = Watch(block, used_ - start);
    if (verdict == RepeatWatch::Verdict::kNeverEnds) {
      ReportRepeatingLoop(x_);
      return BlockOutcome::kStuck;
    }
    if (verdict == RepeatWatch::Verdict::kWaits) {
      launch_.suspended.store(true);
      return BlockOutcome::kStuck;
    }
    if (verdict == RepeatWatch::Verdict::kRepeats || (turn == Turn::kSlept && !yielded_) ||
        Spins(interpreter_.Polls() - polls, used_ - start))
      return BlockOutcome::kSpins;
    if (yielded_) return BlockOutcome::kYields;
    start = used_;
    polls = interpreter_.Polls();
  }
}

// The block ran so many instructions more. Looks at it if it is time to.
RepeatWatch::Verdict WarpScheduler::Watch(Block& block, uint64_t instructions) {
  block.ran += instructions;
  block.ran_unwatched += instructions;
  if (block.ran < RepeatWatch::kFirstLook || block.ran_unwatched < kBlockSlice) return RepeatWatch::Verdict::kMovesOn;
  block.ran_unwatched = 0;
  if (block.watch == nullptr) block.watch = std::make_shared<RepeatWatch>();
  return block.watch->Look(x_);
}

// One round: each warp of the block gets a turn.
WarpScheduler::Turn WarpScheduler::RunWarps(Block& block) {
  if (turns_.size() != block.warps.size()) {
    turns_.resize(block.warps.size());
    std::iota(turns_.begin(), turns_.end(), 0u);
  }
  if (seeded_) block.random.Shuffle(turns_);
  Turn best = Turn::kNone;
  for (uint32_t w : turns_) {
    Warp& warp = block.warps[w];
    const uint64_t start = used_;
    while (!warp.done && !launch_.Stopped()) {
      const Turn turn = RunWarp(warp);
      if (x_.wave64 != nullptr) x_.wave64->Ran(block, warp);
      best = std::max(best, turn);
      if (turn != Turn::kRan || !x_.leave) break;
      if (warp.fragments.size() == 1 && warp.fragments[0].state != FragmentState::kRunnable) break;  // as at a barrier
      if (used_ - start > kFragmentSlice) {
        // A fragment may end its turn often without waiting: a loop that calls functions does so at each return, and
        // continues in the same slot. Move on, so that other fragments of the warp and other warps get a turn too.
        warp.current = NextFragment(warp, warp.current);
        break;
      }
    }
  }
  return best;
}

// One turn of one fragment.
WarpScheduler::Turn WarpScheduler::RunWarp(Warp& warp) {
  x_.warp = &warp;
  int32_t pick = -1;
  if (IsTogether(warp)) {
    EnterFragment(x_, pick = 0);
  } else if (const Turn turn = PickFragment(warp, &pick); turn != Turn::kRan) {
    return turn;
  }
  activity_.Worked(number_);
  x_.leave = x_.yields = false;
  const uint64_t slice = seeded_ ? kShortestSeededSlice << x_.block->random.Below(kSeededSlices) : kFragmentSlice;
  const uint64_t polls = warp.joins.empty() ? 0 : interpreter_.Polls();
  const uint64_t ran = interpreter_.Run(slice);
  if (!x_.gone) LeaveFragment(x_);
  used_ += ran;
  warp.spun += ran;
  warp.ran += ran;
  bool slept = false;
  if (!x_.leave || (!x_.gone && warp.fragments[static_cast<size_t>(pick)].state == FragmentState::kRunnable)) {
    slept = x_.leave && !warp.fragments[static_cast<size_t>(pick)].polling;
    if (slept && !x_.yields) warp.spun += kSleepCounts;
    yielded_ |= slept && x_.yields;
    x_.leave = false;
    if (warp.spun > PatienceOf(warp, Spins(interpreter_.Polls() - polls, ran))) ReleaseJoins(warp);
    warp.current = NextFragment(warp, pick);  // let other fragments make progress
  }
  activity_.Worked(number_);
  return slept ? Turn::kSlept : Turn::kRan;
}

// Finds a fragment of the warp that can run. If it returns kRan, *pick is the fragment's number. Polling fragments get
// one iteration on the way.
WarpScheduler::Turn WarpScheduler::PickFragment(Warp& warp, int32_t* pick) {
  const int32_t count = static_cast<int32_t>(warp.fragments.size());
  const int32_t first =
      seeded_ && count > 1 ? static_cast<int32_t>(x_.block->random.Below(static_cast<uint32_t>(count))) : warp.current;
  Turn turn = Turn::kNone;
  for (int32_t k = 0; k < count; ++k) {
    const int32_t at = first + k < count ? first + k : first + k - count;
    const Fragment& f = warp.fragments[static_cast<size_t>(at)];
    if (f.state != FragmentState::kRunnable) continue;
    const bool polling = f.polling;
    EnterFragment(x_, at);
    if (!polling) {
      *pick = at;
      return Turn::kRan;
    }
    used_ += static_cast<uint64_t>(x_.pc - x_.code[x_.pc].target + 1);
    switch (interpreter_.PollAgain()) {
      case PollResult::kWaits:
        turn = Turn::kPolled;
        break;
      case PollResult::kGoesOn:
        *pick = at;
        return Turn::kRan;
      case PollResult::kFreed:
        return PickFragment(warp, pick);
    }
  }
  return turn;
}

// Takes instructions from the launch's budget. Returns false if the budget has run out: the launch ends with a finding.
bool WarpScheduler::Charge(uint64_t instructions) {
  uint64_t left = launch_.instructions_left.load(std::memory_order_relaxed);
  while (left >= instructions) {
    if (launch_.instructions_left.compare_exchange_weak(left, left - instructions)) return true;
  }
  launch_.instructions_left = 0;
  ReportEndlessLoop(x_);
  return false;
}

}  // namespace warpgrade::emulator
