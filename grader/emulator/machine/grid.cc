#include "grader/emulator/machine/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>
#include <utility>

#include "grader/emulator/checks/access_check.h"
#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/counters/wave64.h"
#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/wait_loop.h"
#include "grader/emulator/program/decode.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kFragmentSlice = 4096;       // instructions before another fragment or warp gets a turn
constexpr uint64_t kBlockSlice = 20'000;        // before a block that seems to spin makes room for others
constexpr size_t kEnoughInFlight = 8;           // blocks that wait, while another host thread still works
constexpr uint64_t kSpinShare = 64;             // one in so many instructions polls: that is spinning
constexpr uint64_t kPatience = 1'000'000;       // instructions; far beyond what an honest divergent loop needs
constexpr uint64_t kSpinningPatience = 20'000;  // the same for a warp that seems to spin
constexpr uint64_t kLaterPatience = 1'000;      // once such a warp has shown that it waits for its own lanes
constexpr uint64_t kSleepCounts = 1'000;        // what a nanosleep adds to the instructions that a warp spun
constexpr int kHostPatienceMs = 200;            // the host may still write what all blocks wait for: mapped memory

enum class BlockOutcome {
  kDone,
  kWaits,  // all that can run polls in vain
  kSpins,  // it runs, but seems to wait
  kStuck   // the launch ends
};

// No more than 2^64 - 1.
uint64_t AddUpTo(uint64_t sum, uint64_t more) {
  uint64_t total = 0;
  return __builtin_add_overflow(sum, more, &total) ? ~uint64_t{0} : total;
}

uint64_t AddSquare(uint64_t sum, uint64_t value) {
  uint64_t square = 0;
  return __builtin_mul_overflow(value, value, &square) ? ~uint64_t{0} : AddUpTo(sum, square);
}

// Runs the warps of blocks on one host thread. It starts a block when none of those in flight can go on: blocks may
// wait for each other as long as the device could hold them all at a time.
class BlockRunner {
 public:
  BlockRunner(LaunchShared& launch, Activity& activity, size_t number, KeptRegisters kept)
      : launch_(launch),
        activity_(activity),
        number_(number),
        seeded_(launch.options->seed != 0),
        polls_(launch.program->polls.data()),
        polls_end_(polls_ + launch.program->polls.size()),
        order_(launch.options->seed, launch.grid.Count(), launch.resident_blocks),
        kept_(std::move(kept)) {
    stats_.resize(launch.program->origins.size());
    runs_.resize(stats_.size());
    x_.launch = &launch;
    x_.stats = stats_.data();
    if (launch.options->wave64) wave64_ = std::make_unique<Wave64Counter>(*launch.program, stats_, runs_);
    x_.wave64 = wave64_.get();
    x_.host_window = launch.memory->host_window();
    x_.findings = &findings_;
    x_.printed = &printed_;
  }

  void Run() {
    while (!Stopped()) {
      const uint64_t since = activity_.Turns();
      bool worked = false, fruitful = false;
      for (size_t n = in_flight_.size(); n > 0 && !Stopped(); --n) {
        std::unique_ptr<Block> block = std::move(in_flight_.front());
        in_flight_.pop_front();
        bool ran = false;
        BlockOutcome outcome = RunBlock(*block, &ran);
        worked |= ran;
        fruitful |= outcome == BlockOutcome::kDone || (outcome == BlockOutcome::kWaits && ran);
        if (outcome == BlockOutcome::kDone) {
          for (const Warp& warp : block->warps) instruction_squares_ = AddSquare(instruction_squares_, warp.ran);
          spare_.push_back(std::move(block));
        } else {
          in_flight_.push_back(std::move(block));
        }
        if (!printed_.empty()) Flush();
      }
      if (worked) idle_ms_ = 0;
      if (fruitful && !in_flight_.empty()) continue;
      if (!worked && in_flight_.size() >= kEnoughInFlight && !activity_.NobodyWorks(number_, since)) {
        std::this_thread::yield();
        continue;
      }
      if (StartBlocks()) continue;
      if (in_flight_.empty()) break;
      if (!worked) AllWait(since);
    }
    if (launch_.deadlocked.load()) ReportDeadlock();
    activity_.Finished(number_);
  }

  std::vector<InstStats>& stats() { return stats_; }
  uint64_t host_visible_bytes() const { return x_.host_visible_bytes; }
  uint64_t instruction_squares() const { return instruction_squares_; }
  const Wave64Counter* wave64() const { return wave64_.get(); }
  std::vector<PendingFinding>& findings() { return findings_; }

  // To be called once, after Run().
  KeptRegisters TakeKept() { return spare_.empty() ? std::move(kept_) : KeepRegisters(*spare_.front()); }

 private:
  bool Stopped() const {
    return launch_.fatal.load(std::memory_order_relaxed) != 0 ||
           (launch_.options->cancel != nullptr && launch_.options->cancel->load(std::memory_order_relaxed));
  }

  void Flush() {
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    if (launch_.options->print) {
      launch_.options->print(printed_);
    } else {
      std::fwrite(printed_.data(), 1, printed_.size(), stdout);
    }
    printed_.clear();
  }

  std::unique_ptr<Block> StartBlock(uint64_t linear) {
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
    block->live_threads = static_cast<uint32_t>(launch_.block.Count());
    block->random = Random(launch_.options->seed ^ ((linear + 1) * 0x9E6C63D0876A9A99));
    for (size_t w = 0; w < block->warps.size(); ++w) StartWarp(launch_, block->warps[w], static_cast<int32_t>(w));
    return block;
  }

  // Starts one block, or as many again as are in flight. False if none is left or the device would be full.
  bool StartBlocks() {
    const size_t some = std::min(std::max<size_t>(1, in_flight_.size()), launch_.resident_blocks - in_flight_.size());
    if (launch_.next_block.load(std::memory_order_relaxed) >= launch_.grid.Count()) return false;
    activity_.Worked(number_);  // before others may think that nobody does
    for (size_t k = 0; k < some; ++k) {
      uint64_t next = launch_.next_block.fetch_add(1, std::memory_order_relaxed);
      if (next >= launch_.grid.Count()) return k > 0;
      in_flight_.insert(in_flight_.begin() + static_cast<std::ptrdiff_t>(k), StartBlock(order_.At(next)));
    }
    return some > 0;
  }

  // Every block in flight polled in vain since the launch's activity was `since`.
  void AllWait(uint64_t since) {
    if (!activity_.NobodyWorks(number_, since)) {
      std::this_thread::yield();
      return;
    }
    // Nobody will write what they wait for, unless lanes that wait at a join do, or the host.
    activity_.Worked(number_);
    bool released = false;
    for (auto& block : in_flight_) {
      for (Warp& warp : block->warps) {
        bool polls = std::any_of(warp.fragments.begin(), warp.fragments.end(), IsPolling);
        if (polls && ReleaseJoins(warp)) released = true;
      }
    }
    if (released) return;
    if (idle_ms_ < kHostPatienceMs) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++idle_ms_;
    } else {
      launch_.deadlocked.store(true);
      launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
    }
  }

  // What a warp that spins polls: its last volatile or atomic access.
  std::string Awaited(const Warp& warp) const {
    if (warp.last_strong == nullptr) return "memory";
    const InstOrigin& origin = launch_.program->origins[warp.last_strong->index];
    const uint64_t in_shared = warp.last_strong_address - kSharedWindow;
    std::string place = in_shared < kWindowBytes ? SharedPlace(launch_, in_shared, 4)
                                                 : GlobalPlace(*launch_.memory, warp.last_strong_address, 4);
    return origin.line > 0 ? fmt::format("{} (line {})", place, origin.line) : place;
  }

  // Each host thread reports its lowest block that waits; merging keeps the lowest of all.
  void ReportDeadlock() {
    auto lower = [](const auto& a, const auto& b) { return a->linear < b->linear; };
    auto block = std::min_element(in_flight_.begin(), in_flight_.end(), lower);
    if (block == in_flight_.end()) return;
    x_.block = block->get();
    for (Warp& warp : x_.block->warps) {
      for (size_t k = 0; k < warp.fragments.size(); ++k) {
        if (!IsPolling(warp.fragments[k])) continue;
        x_.warp = &warp;
        EnterFragment(x_, static_cast<int32_t>(k));
        Report(x_, x_.code[x_.pc], FindingKind::kDeadlock, __builtin_ctz(x_.active), 0, 0,
               fmt::format("waits in this loop for {} to change, and every other thread that has not ended waits too; "
                           "who was to write it?",
                           Awaited(warp)));
        return;
      }
    }
  }

  static bool IsPolling(const Fragment& f) { return f.state == FragmentState::kRunnable && f.polling; }

  enum class Turn {
    kNone,    // nothing can run
    kPolled,  // only lanes that wait for memory: in vain
    kSlept,   // it ran up to a nanosleep
    kRan
  };

  // Makes a fragment of the warp ready to run; those that poll do so first.
  Turn PickFragment(Warp& warp, int32_t* pick) {
    const int32_t count = static_cast<int32_t>(warp.fragments.size());
    const int32_t first = seeded_ && count > 1
                              ? static_cast<int32_t>(x_.block->random.Below(static_cast<uint32_t>(count)))
                              : warp.current;
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
      if (unread_.empty()) unread_.resize(stats_.size());
      used_ += static_cast<uint64_t>(x_.pc - x_.code[x_.pc].target + 1);
      switch (Poll(x_, unread_.data())) {
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

  Turn RunWarp(Warp& warp) {
    x_.warp = &warp;
    int32_t pick = -1;
    if (Turn turn = PickFragment(warp, &pick); turn != Turn::kRan) return turn;
    activity_.Worked(number_);
    x_.leave = false;
    const uint64_t slice = seeded_ ? uint64_t{32} << x_.block->random.Below(8) : kFragmentSlice;
    const uint64_t polls = warp.joins.empty() ? 0 : Polls();
    uint64_t ran = 0;
    do {
      const Inst& next = x_.code[x_.pc];
      if (next.run != 0) {
        ran += next.run;
        StepRun(next);
      } else {
        ran += 1;
        Step(next);
      }
    } while (!x_.leave && ran < slice);
    if (!x_.gone) LeaveFragment(x_);
    used_ += ran;
    warp.spun += ran;
    warp.ran += ran;
    bool slept = false;
    if (!x_.leave || (!x_.gone && Runnable(warp, pick))) {
      slept = x_.leave && !warp.fragments[static_cast<size_t>(pick)].polling;
      if (slept) warp.spun += kSleepCounts;
      x_.leave = false;
      bool spins = (Polls() - polls) * kSpinShare >= ran;
      if (warp.spun > (!spins ? kPatience : warp.impatient ? kLaterPatience : kSpinningPatience)) ReleaseJoins(warp);
      warp.current = (pick + 1) % static_cast<int32_t>(warp.fragments.size());  // let others make progress
    }
    activity_.Worked(number_);
    return slept ? Turn::kSlept : Turn::kRan;
  }

  // How many instructions ran so far that loops spin on.
  uint64_t Polls() const {
    uint64_t sum = 0;
    for (const uint32_t* p = polls_; p != polls_end_; ++p) sum += stats_[*p].executions;
    return sum;
  }

  static bool Runnable(const Warp& warp, int32_t fragment) {
    return warp.fragments[static_cast<size_t>(fragment)].state == FragmentState::kRunnable;
  }

  LaneMask GuardedLanes(const Inst& i) const {
    LaneMask p = *Row<uint32_t>(x_, static_cast<uint32_t>(i.guard));
    return x_.active & (i.guard_negated ? ~p : p);
  }

  void Step(const Inst& i) {
    x_.pc += 1;
    InstStats& s = stats_[i.index];
    s.executions += 1;
    s.active_lanes += static_cast<uint64_t>(__builtin_popcount(x_.active));
    x_.mask = i.guard >= 0 ? GuardedLanes(i) : x_.active;
    s.lanes += static_cast<uint64_t>(__builtin_popcount(x_.mask));
    i.handler(x_, i);
  }

  // Instructions of a run all see the same active lanes, so only where a run was entered is counted: UnfoldRuns()
  // spreads that over the instructions when the launch is over.
  void StepRun(const Inst& first) {
    RunStats& entered = runs_[first.index];
    const uint64_t lanes = static_cast<uint64_t>(__builtin_popcount(x_.active));
    entered.executions += 1;
    entered.active_lanes += lanes;
    x_.mask = x_.active;
    const Inst* const end = &first + first.run;
    for (const Inst* i = &first; i != end; ++i) {
      if (i->guard < 0) {
        i->handler(x_, *i);
      } else {
        x_.mask = GuardedLanes(*i);
        stats_[i->index].lanes += static_cast<uint64_t>(__builtin_popcount(x_.mask));
        if (x_.mask != 0) i->handler(x_, *i);
        x_.mask = x_.active;
      }
      if (x_.leave && i + 1 != end) {  // a fault ends the launch: the rest did not run
        runs_[i[1].index].executions -= 1;
        runs_[i[1].index].active_lanes -= lanes;
        x_.pc = static_cast<int32_t>(i + 1 - x_.code);
        return;
      }
    }
    x_.pc = static_cast<int32_t>(end - x_.code);
  }

 public:
  // To be called once, after Run().
  void UnfoldRuns() {
    for (const FunctionCode& function : launch_.program->functions) {
      RunStats through;
      for (const Inst& i : function.code) {
        if (i.run == 0) continue;
        through.executions += runs_[i.index].executions;
        through.active_lanes += runs_[i.index].active_lanes;
        InstStats& s = stats_[i.index];
        s.executions += through.executions;
        s.active_lanes += through.active_lanes;
        if (i.guard < 0) s.lanes += through.active_lanes;
        if (i.run == 1) through = RunStats{};
      }
    }
  }

 private:
  // Gives each warp of the block a turn, which lasts until it waits; only one that spins is interrupted.
  Turn RunWarps(Block& block) {
    if (turns_.size() != block.warps.size()) {
      turns_.resize(block.warps.size());
      std::iota(turns_.begin(), turns_.end(), 0u);
    }
    if (seeded_) block.random.Shuffle(turns_);
    Turn best = Turn::kNone;
    for (uint32_t w : turns_) {
      Warp& warp = block.warps[w];
      const uint64_t start = used_;
      while (!warp.done && !Stopped()) {
        Turn turn = RunWarp(warp);
        if (wave64_ != nullptr) wave64_->Ran(block, warp);
        best = std::max(best, turn);
        if (turn != Turn::kRan || !x_.leave) break;
        if (used_ - start > kFragmentSlice) {
          // A loop that calls functions gives its fragment up at each return, and goes on in the same place: others of
          // the warp, and other warps, must have their turn too.
          warp.current = (warp.current + 1) % static_cast<int32_t>(warp.fragments.size());
          break;
        }
      }
    }
    return best;
  }

  // *ran: it did more than poll in vain.
  BlockOutcome RunBlock(Block& block, bool* ran) {
    x_.block = &block;
    uint64_t start = used_, polls = Polls();
    for (;;) {
      Turn turn = RunWarps(block);
      *ran |= turn == Turn::kRan || turn == Turn::kSlept;
      if (Stopped()) return BlockOutcome::kStuck;
      const bool done = block.live_threads == 0;
      if (done && wave64_ != nullptr) wave64_->LineUp(block);
      if (turn == Turn::kNone && !done && !ResolveDeadlock(x_)) {
        launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
        return BlockOutcome::kStuck;
      }
      bool paused = turn == Turn::kPolled || turn == Turn::kSlept || used_ - start > kBlockSlice;
      if (!done && !paused) continue;
      if (!Charge(used_ - start)) return BlockOutcome::kStuck;
      if (done) return BlockOutcome::kDone;
      if (turn == Turn::kPolled) return BlockOutcome::kWaits;
      if (turn == Turn::kSlept || (Polls() - polls) * kSpinShare >= used_ - start) return BlockOutcome::kSpins;
      start = used_;
      polls = Polls();
    }
  }

  // Takes from the launch's instruction budget; reports an endless loop when it runs out.
  bool Charge(uint64_t instructions) {
    uint64_t left = launch_.instructions_left.load(std::memory_order_relaxed);
    while (left >= instructions) {
      if (launch_.instructions_left.compare_exchange_weak(left, left - instructions)) return true;
    }
    for (Warp& warp : x_.block->warps) {
      if (warp.done) continue;
      for (size_t k = 0; k < warp.fragments.size(); ++k) {
        if (warp.fragments[k].state != FragmentState::kRunnable) continue;
        x_.warp = &warp;
        EnterFragment(x_, static_cast<int32_t>(k));
        const Inst& at = x_.code[x_.pc];
        Report(x_, at, FindingKind::kEndlessLoop, __builtin_ctz(x_.active), 0, 0,
               warp.last_strong == nullptr
                   ? fmt::format("still running after {} instructions; is there a loop that never ends, or far more "
                                 "work than this needs?",
                                 launch_.options->instruction_budget)
                   : fmt::format("still running after {} instructions; does this loop wait for {} to change?",
                                 launch_.options->instruction_budget, Awaited(warp)));
        return false;
      }
    }
    launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
    return false;
  }

  LaunchShared& launch_;
  Activity& activity_;
  const size_t number_;  // of this host thread
  const bool seeded_;
  const uint32_t *const polls_, *const polls_end_;
  BlockSequence order_;
  std::deque<std::unique_ptr<Block>> in_flight_;
  int idle_ms_ = 0;    // how long the whole launch has waited
  uint64_t used_ = 0;  // warp instructions
  uint64_t instruction_squares_ = 0;
  Exec x_;
  std::vector<InstStats> stats_;
  std::vector<RunStats> runs_;  // by Inst::index: how often a run was entered there
  std::unique_ptr<Wave64Counter> wave64_;
  std::vector<InstStats> unread_;  // of polls in vain
  std::vector<uint32_t> turns_;    // the order of the warps in this round
  std::vector<PendingFinding> findings_;
  std::string printed_;
  std::vector<std::unique_ptr<Block>> spare_;
  KeptRegisters kept_;  // for the first block
};

// While it lives, floating point is as a GPU has it, whatever the host's program has set for itself.
class ScopedDefaultArithmetic {
 public:
  ScopedDefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedDefaultArithmetic() { std::fesetenv(&before_); }
  ScopedDefaultArithmetic(const ScopedDefaultArithmetic&) = delete;
  ScopedDefaultArithmetic& operator=(const ScopedDefaultArithmetic&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace

GridResult RunGrid(LaunchShared& launch, int most_threads, HostThreads& host_threads,
                   std::vector<KeptRegisters>& kept) {
  GridResult result;
  // Runners wait for each other, so there are no more of them than threads.
  const uint64_t blocks = std::max<uint64_t>(1, launch.grid.Count());
  const size_t threads = host_threads.Reserve(
      static_cast<size_t>(std::min<uint64_t>(static_cast<uint64_t>(std::max(1, most_threads)), blocks)));
  Activity activity(threads);
  std::vector<std::unique_ptr<BlockRunner>> runners;
  kept.resize(std::max(kept.size(), threads));
  for (size_t t = 0; t < threads; ++t) {
    runners.push_back(std::make_unique<BlockRunner>(launch, activity, t, std::exchange(kept[t], {})));
  }
  {
    const ScopedDefaultArithmetic arithmetic;
    host_threads.Run(threads, [&runners](size_t t) { runners[t]->Run(); });
  }
  for (size_t t = 0; t < threads; ++t) kept[t] = runners[t]->TakeKept();

  result.stats.resize(launch.program->origins.size());
  if (launch.options->wave64) result.wave64.resize(result.stats.size());
  std::map<std::tuple<uint32_t, uint32_t, FindingKind>, PendingFinding> merged;
  for (auto& runner : runners) {
    for (size_t k = 0; k < result.wave64.size(); ++k) result.wave64[k] += runner->wave64()->issued()[k];
    runner->UnfoldRuns();
    result.host_visible_bytes += runner->host_visible_bytes();
    result.instruction_squares = AddUpTo(result.instruction_squares, runner->instruction_squares());
    for (size_t k = 0; k < result.stats.size(); ++k) {
      result.stats[k].Add(runner->stats()[k]);
    }
    for (PendingFinding& p : runner->findings()) {
      auto [it, added] = merged.try_emplace({p.inst, p.other_inst, p.finding.kind}, p);
      if (added) continue;
      uint64_t count = it->second.finding.count + p.finding.count;
      if (std::tie(p.order, p.finding.address) < std::tie(it->second.order, it->second.finding.address)) it->second = p;
      it->second.finding.count = count;
    }
  }
  for (auto& [key, p] : merged) result.findings.push_back(std::move(p));
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const PendingFinding& a, const PendingFinding& b) { return a.order < b.order; });
  result.status = static_cast<LaunchStatus>(launch.fatal.load());
  for (const PendingFinding& p : result.findings) {
    if (result.status == LaunchStatus::kOk && IsFatal(p.finding.kind)) result.status = StatusOf(p.finding.kind);
  }
  if (launch.options->cancel != nullptr && launch.options->cancel->load()) result.status = LaunchStatus::kCancelled;
  return result;
}

}  // namespace warpgrade::emulator
