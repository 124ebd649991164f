// Decides which block runs next, when another one starts, and what to do when all of them wait. A host thread goes
// round its blocks in flight, and starts no more while a round makes progress. Activity (state/schedule.h) tells the
// host threads when none of them works any more. Tested by tests/emulator/exec/grid_test.cc and schedule_test.cc.
#include "grader/emulator/machine/block_scheduler.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "grader/emulator/checks/access_check.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/hang_report.h"
#include "grader/emulator/machine/repeat_watch.h"
#include "grader/emulator/state/heuristics.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {

BlockScheduler::BlockScheduler(LaunchShared& launch, Activity& activity, size_t number, KeptRegisters kept)
    : launch_(launch),
      activity_(activity),
      number_(number),
      interpreter_(launch),
      warps_(interpreter_, activity, number),
      order_(launch.options->seed, launch.grid.Count(), launch.resident_blocks),
      kept_(std::move(kept)) {}

void BlockScheduler::Prepare() {
  activity_.Began(number_);
  interpreter_.exec().allocation = {};  // it may have been freed while the launch was suspended
  interpreter_.exec().recent = {};
  idle_ms_ = 0;
}

void BlockScheduler::Run() {
  while (!launch_.Stopped()) {
    const uint64_t since = activity_.Turns();
    const Round round = RunInFlight();
    if (round.worked) idle_ms_ = 0;
    if (round.fruitful && !in_flight_.empty()) continue;
    // Blocks that it has taken, it starts at once: no other host thread can, and none must believe that nobody works.
    const bool has_taken = next_ < reserved_end_;
    if (!round.worked && !has_taken && in_flight_.size() >= kEnoughInFlight && !activity_.NobodyWorks(number_, since)) {
      std::this_thread::yield();
      continue;
    }
    const bool takes_turns = round.yielded && in_flight_.size() >= kInterleavedBlocks;
    if (takes_turns && ++yielded_rounds_ % kRoundsBetweenStarts != 0) continue;
    if (StartBlocks(takes_turns ? 1 : in_flight_.size())) continue;
    if (in_flight_.empty()) break;
    if (!round.worked) AllWait(since);
  }
  if (launch_.deadlocked.load()) ReportDeadlock(interpreter_.exec(), in_flight_);
  activity_.Finished(number_);
}

// Gives each block in flight a turn.
BlockScheduler::Round BlockScheduler::RunInFlight() {
  Round round;
  for (size_t n = in_flight_.size(); n > 0 && !launch_.Stopped(); --n) {
    std::unique_ptr<Block> block = std::move(in_flight_.front());
    in_flight_.pop_front();
    bool ran = false;
    const BlockOutcome outcome = warps_.RunBlock(*block, &ran);
    round.worked |= ran;
    round.yielded |= outcome == BlockOutcome::kYields;
    round.fruitful |= outcome == BlockOutcome::kDone || (outcome == BlockOutcome::kWaits && ran);
    if (outcome == BlockOutcome::kDone) {
      CountDone(launch_);
      if (StepRecorder* const steps = interpreter_.steps()) {
        if (steps->IsOf(block->linear)) steps->Ended(block->shared);
      }
      for (const Warp& warp : block->warps) instruction_squares_ = AddSquare(instruction_squares_, warp.ran);
      spare_.push_back(std::move(block));
    } else {
      in_flight_.push_back(std::move(block));
    }
    if (!interpreter_.printed().empty()) Flush();
  }
  return round;
}

void BlockScheduler::Flush() {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::string& printed = interpreter_.printed();
  if (launch_.options->print) {
    launch_.options->print(printed);
  } else {
    std::fwrite(printed.data(), 1, printed.size(), stdout);
  }
  printed.clear();
}

std::unique_ptr<Block> BlockScheduler::StartBlock(uint64_t linear) {
  std::unique_ptr<Block> block;
  if (!spare_.empty()) {
    block = std::move(spare_.back());
    spare_.pop_back();
  } else {
    block = MakeBlock(launch_, std::exchange(kept_, {}));
  }
  const Dim3& g = launch_.grid;
  block->linear = linear;
  block->id = Dim3{static_cast<uint32_t>(linear % g.x), static_cast<uint32_t>(linear / g.x % g.y),
                   static_cast<uint32_t>(linear / g.x / g.y)};
  block->shared.resize(launch_.SharedSpan());
  if (launch_.reserved_shared != 0) {
    std::fill(block->shared.begin() + launch_.reserved_shared, block->shared.end(), uint8_t{0});
  }
  block->barrier_epoch += 1;
  StartChecks(launch_, *block);
  block->barriers.fill(Barrier{});
  block->barriers_in_use = 0;
  block->watch.reset();
  block->ran = block->ran_unwatched = 0;
  block->live_threads = static_cast<uint32_t>(launch_.block.Count());
  block->random = Random(launch_.options->seed ^ ((linear + 1) * 0x9E6C63D0876A9A99));
  if (launch_.options->seed != 0) block->yields_one_in = kMostYields << 2 * block->random.Below(kYieldShares);
  block->owed = kBlockCosts + block->warps.size() * kWarpCosts + block->shared.size() / kBytesPerInstruction;
  for (size_t w = 0; w < block->warps.size(); ++w) {
    StartWarp(launch_, block->warps[w], static_cast<int32_t>(w));
    const size_t cleared = block->warps[w].local_valid.size() + launch_.program->functions[0].constants.size();
    block->owed += cleared / kBytesPerInstruction;
  }
  return block;
}

// Takes the next blocks that no host thread has taken. Returns false if none is left. Neighbours mostly write beside
// each other, so a host thread takes several: what is remembered of memory lies close together, too, and two processors
// that write it in turns slow each other down. Near the end it takes fewer. If blocks may wait for each other, or a
// seed says in which order they run, it takes one.
bool BlockScheduler::Reserve() {
  const uint64_t blocks = launch_.grid.Count(), taken = launch_.reserved_blocks.load(std::memory_order_relaxed);
  if (taken >= blocks) return false;
  const Program& program = *launch_.program;
  const bool one = launch_.options->seed != 0 || program.watches_flags || !program.polls.empty();
  const uint64_t count = one ? 1 : std::clamp<uint64_t>((blocks - taken) / kLeastShares, 1, kMostReserved);
  next_ = launch_.reserved_blocks.fetch_add(count, std::memory_order_relaxed);
  reserved_end_ = std::min(next_ + count, blocks);
  return next_ < blocks;
}

// Starts at most that many blocks, and at least one. Returns false if none is left or the device would be full.
bool BlockScheduler::StartBlocks(size_t most) {
  const size_t some = std::min(std::max<size_t>(1, most), launch_.resident_blocks - in_flight_.size());
  if (some == 0) return false;
  if (next_ >= reserved_end_ && launch_.reserved_blocks.load(std::memory_order_relaxed) >= launch_.grid.Count()) {
    return false;
  }
  activity_.Worked(number_);  // first, so that no other host thread believes that nobody works
  for (size_t k = 0; k < some; ++k) {
    if (next_ >= reserved_end_ && !Reserve()) return k > 0;
    launch_.started_blocks.fetch_add(1);
    in_flight_.insert(in_flight_.begin() + static_cast<std::ptrdiff_t>(k), StartBlock(order_.At(next_++)));
  }
  return true;
}

// Call this when every block in flight here has only polled in vain since the launch's activity was `since`.
void BlockScheduler::AllWait(uint64_t since) {
  if (!activity_.NobodyWorks(number_, since)) {
    std::this_thread::yield();
    return;
  }
  // No running lane will write what these blocks wait for. Lanes that wait at a join may still write it, and so may the
  // host.
  activity_.Worked(number_);
  if (ReleaseJoinsOfPolling()) return;
  if (launch_.may_be_suspended) {
    launch_.suspended.store(true);
  } else if (idle_ms_ < kHostPatienceMs) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++idle_ms_;
    in_flight_.front()->owed += kIdleMillisecondCosts;
  } else {
    launch_.deadlocked.store(true);
    launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
  }
}

// Lets lanes continue that wait at a join for polling lanes. Returns false if there are none.
bool BlockScheduler::ReleaseJoinsOfPolling() {
  bool released = false;
  for (auto& block : in_flight_) {
    for (Warp& warp : block->warps) {
      const bool polls =
          std::any_of(warp.fragments.begin(), warp.fragments.end(), [](const Fragment& f) { return f.IsPolling(); });
      if (polls && ReleaseJoins(warp)) released = true;
    }
  }
  return released;
}

KeptRegisters BlockScheduler::TakeKept() { return spare_.empty() ? std::move(kept_) : KeepRegisters(*spare_.front()); }

void BlockScheduler::AddTo(GridMerge& merge) {
  merge.Add({.stats = interpreter_.FinishStats(),
             .wave64 = interpreter_.wave64(),
             .requests = interpreter_.requests(),
             .branches = interpreter_.branches(),
             .steps = interpreter_.steps(),
             .findings = interpreter_.findings(),
             .host_visible_bytes = interpreter_.host_visible_bytes(),
             .instruction_squares = instruction_squares_});
}

}  // namespace warpgrade::emulator
