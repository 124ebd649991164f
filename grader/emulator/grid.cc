#include "grader/emulator/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "grader/emulator/barrier.h"
#include "grader/emulator/control.h"
#include "grader/emulator/decode.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kFragmentSlice = 4096;  // instructions before another fragment or warp gets a turn
constexpr uint64_t kBlockSlice = 200'000;  // before another block does: only blocks that wait for others need it
constexpr uint64_t kCooperativeSlice = 2'000;
constexpr size_t kMaxInFlight = 256;  // blocks of one host thread that wait for others

enum class BlockOutcome { kDone, kPaused, kStuck };

// Runs the warps of blocks on one host thread.
class BlockRunner {
 public:
  BlockRunner(LaunchShared& launch, bool cooperative) : launch_(launch), cooperative_(cooperative) {
    stats_.resize(launch.program->origins.size());
    x_.launch = &launch;
    x_.stats = stats_.data();
    x_.findings = &findings_;
    x_.printed = &printed_;
  }

  void Run() {
    std::deque<std::unique_ptr<Block>> in_flight;
    bool more = true;
    while (more || !in_flight.empty()) {
      if (Stopped()) break;
      if (more && (in_flight.empty() || (waiting_ && in_flight.size() < Limit()))) {
        uint64_t next = launch_.next_block.fetch_add(1, std::memory_order_relaxed);
        if (next >= launch_.grid.Count()) {
          more = false;
          continue;
        }
        in_flight.push_front(StartBlock(next));
      }
      if (in_flight.empty()) break;
      std::unique_ptr<Block> block = std::move(in_flight.front());
      in_flight.pop_front();
      BlockOutcome outcome = RunBlock(*block);
      if (outcome == BlockOutcome::kPaused) {
        waiting_ = true;
        in_flight.push_back(std::move(block));
      } else {
        if (outcome == BlockOutcome::kDone && !cooperative_) waiting_ = !in_flight.empty();
        spare_.push_back(std::move(block));
      }
      if (printed_.size() > 0) Flush();
    }
  }

  std::vector<InstStats>& stats() { return stats_; }
  std::vector<PendingFinding>& findings() { return findings_; }

 private:
  size_t Limit() const { return cooperative_ ? SIZE_MAX : kMaxInFlight; }
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
      block = std::make_unique<Block>();
      block->warps.resize(launch_.warp_threads.size());
    }
    const Dim3& g = launch_.grid;
    block->linear = linear;
    block->id = Dim3{static_cast<uint32_t>(linear % g.x), static_cast<uint32_t>(linear / g.x % g.y),
                     static_cast<uint32_t>(linear / g.x / g.y)};
    block->shared.resize(launch_.SharedSpan());
    if (launch_.reserved_shared != 0) {
      std::fill(block->shared.begin() + launch_.reserved_shared, block->shared.end(), uint8_t{0});
    }
    if (launch_.options->checks && launch_.shared_bytes > 0) {
      // Epochs only grow, so the shadow of an earlier block never looks recent.
      size_t cells = (launch_.shared_bytes + 3) / 4;
      if (block->shadow.size() != cells) block->shadow.assign(cells, SharedShadow{});
    }
    block->barrier_epoch += 1;
    block->barriers.fill(Barrier{});
    block->live_threads = static_cast<uint32_t>(launch_.block.Count());
    for (size_t w = 0; w < block->warps.size(); ++w) StartWarp(launch_, block->warps[w], static_cast<int32_t>(w));
    return block;
  }

  // One turn of a warp. False if it has no runnable fragment.
  bool RunWarp(Warp& warp) {
    int32_t pick = -1, count = static_cast<int32_t>(warp.fragments.size());
    for (int32_t k = 0; k < count; ++k) {
      int32_t at = (warp.current + k) % count;
      if (warp.fragments[static_cast<size_t>(at)].state == FragmentState::kRunnable) {
        pick = at;
        break;
      }
    }
    if (pick < 0) return false;
    x_.warp = &warp;
    EnterFragment(x_, pick);
    x_.leave = false;
    uint64_t left = kFragmentSlice;
    do {
      Step();
    } while (!x_.leave && --left > 0);
    if (!x_.gone) LeaveFragment(x_);
    used_ += kFragmentSlice - left;
    warp.spun += kFragmentSlice - left;
    if (left == 0 || (!x_.gone && Runnable(warp, pick))) {
      x_.leave = false;
      if (warp.spun > warp.patience) ReleaseJoins(warp);
      warp.current = (pick + 1) % static_cast<int32_t>(warp.fragments.size());  // let others make progress
    }
    return true;
  }

  static bool Runnable(const Warp& warp, int32_t fragment) {
    return warp.fragments[static_cast<size_t>(fragment)].state == FragmentState::kRunnable;
  }

  void Step() {
    const Inst& i = x_.code[x_.pc++];
    LaneMask mask = x_.active;
    InstStats& s = stats_[i.index];
    s.executions += 1;
    s.active_lanes += static_cast<uint64_t>(__builtin_popcount(mask));
    if (i.guard >= 0) {
      LaneMask p = *Row<uint32_t>(x_, static_cast<uint32_t>(i.guard));
      mask &= i.guard_negated ? ~p : p;
    }
    s.lanes += static_cast<uint64_t>(__builtin_popcount(mask));
    x_.mask = mask;
    i.handler(x_, i);
  }

  BlockOutcome RunBlock(Block& block) {
    x_.block = &block;
    uint64_t slice = cooperative_ ? kCooperativeSlice * block.warps.size() : kBlockSlice;
    uint64_t start = used_;
    for (;;) {
      bool ran = false, all_done = true;
      for (Warp& warp : block.warps) {
        // A warp runs until it waits; only one that spins is interrupted.
        while (!warp.done && RunWarp(warp)) {
          ran = true;
          if (x_.leave == false) break;
          if (Stopped()) return BlockOutcome::kStuck;
        }
        all_done = all_done && warp.done;
      }
      if (all_done) {
        if (!Charge(used_ - start)) return BlockOutcome::kStuck;
        return BlockOutcome::kDone;
      }
      if (Stopped()) return BlockOutcome::kStuck;
      if (!ran && !ResolveDeadlock(x_)) {
        launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
        return BlockOutcome::kStuck;
      }
      if (used_ - start > slice) {
        if (!Charge(used_ - start)) return BlockOutcome::kStuck;
        return BlockOutcome::kPaused;
      }
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
               fmt::format("still running after {} instructions; is there a loop that never ends?",
                           launch_.options->instruction_budget));
        return false;
      }
    }
    launch_.fatal.store(static_cast<int>(LaunchStatus::kLaunchTimeout));
    return false;
  }

  LaunchShared& launch_;
  const bool cooperative_;
  bool waiting_ = false;  // some block in flight waits for another
  uint64_t used_ = 0;
  Exec x_;
  std::vector<InstStats> stats_;
  std::vector<PendingFinding> findings_;
  std::string printed_;
  std::vector<std::unique_ptr<Block>> spare_;
};

LaunchStatus StatusOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kMisaligned:
      return LaunchStatus::kMisalignedAddress;
    case FindingKind::kOutOfBounds:
    case FindingKind::kUseAfterFree:
      return LaunchStatus::kIllegalAddress;
    case FindingKind::kTrap:
      return LaunchStatus::kUnspecifiedFailure;
    case FindingKind::kAssert:
      return LaunchStatus::kAssert;
    case FindingKind::kUnsupported:
      return LaunchStatus::kIllegalInstruction;
    case FindingKind::kStackOverflow:
      return LaunchStatus::kHardwareStackError;
    case FindingKind::kEndlessLoop:
    case FindingKind::kDeadlock:
      return LaunchStatus::kLaunchTimeout;
    default:
      return LaunchStatus::kUnspecifiedFailure;
  }
}

// Illegal accesses are skipped and the kernel goes on, so that all of them are found; these end it at once.
bool StopsAtOnce(FindingKind kind) {
  return kind == FindingKind::kTrap || kind == FindingKind::kAssert || kind == FindingKind::kUnsupported ||
         kind == FindingKind::kStackOverflow || kind == FindingKind::kEndlessLoop;
}

}  // namespace

void Report(Exec& x, const Inst& inst, FindingKind kind, int lane, uint64_t address, int access_bytes,
            std::string message) {
  const LaunchShared& launch = *x.launch;
  if (StopsAtOnce(kind)) {
    int none = 0;
    x.launch->fatal.compare_exchange_strong(none, static_cast<int>(StatusOf(kind)));
    x.leave = true;
  }
  uint64_t thread = static_cast<uint64_t>(x.warp->index) * kLanes + static_cast<uint64_t>(lane);
  uint64_t order = x.block->linear * 1024 + thread;
  PendingFinding* known = nullptr;
  for (PendingFinding& seen : *x.findings) {
    if (seen.inst == inst.index && seen.finding.kind == kind) known = &seen;
  }
  if (known != nullptr) {
    ++known->finding.count;
    if (order >= known->order) return;
  } else {
    known = &x.findings->emplace_back();
  }
  PendingFinding& p = *known;
  p.order = order;
  p.inst = inst.index;
  const InstOrigin& origin = launch.program->origins[inst.index];
  p.finding.kind = kind;
  p.finding.kernel = launch.kernel_name;
  if (origin.file >= 0 && static_cast<size_t>(origin.file) < launch.program->module->files.size()) {
    p.finding.file = launch.program->module->files[static_cast<size_t>(origin.file)];
  }
  p.finding.line = origin.line;
  p.finding.ptx_line = origin.instruction != nullptr ? origin.instruction->ptx_line : 0;
  p.finding.block = x.block->id;
  const Dim3& shape = launch.block;
  uint32_t t = static_cast<uint32_t>(thread);
  p.finding.thread = Dim3{t % shape.x, t / shape.x % shape.y, t / shape.x / shape.y};
  p.finding.address = address;
  p.finding.access_bytes = access_bytes;
  p.finding.message = std::move(message);
}

GridResult RunGrid(LaunchShared& launch, bool cooperative, int host_threads) {
  GridResult result;
  uint64_t blocks = launch.grid.Count();
  size_t threads = static_cast<size_t>(std::max(1, host_threads));
  threads = static_cast<size_t>(std::min<uint64_t>(threads, std::max<uint64_t>(1, blocks)));
  std::vector<std::unique_ptr<BlockRunner>> runners;
  for (size_t t = 0; t < threads; ++t) runners.push_back(std::make_unique<BlockRunner>(launch, cooperative));
  std::vector<std::thread> others;
  for (size_t t = 1; t < threads; ++t) others.emplace_back([&runners, t] { runners[t]->Run(); });
  runners[0]->Run();
  for (std::thread& t : others) t.join();

  result.stats.resize(launch.program->origins.size());
  std::map<std::pair<uint32_t, FindingKind>, PendingFinding> merged;
  for (auto& runner : runners) {
    for (size_t k = 0; k < result.stats.size(); ++k) {
      const InstStats& from = runner->stats()[k];
      InstStats& to = result.stats[k];
      to.executions += from.executions;
      to.lanes += from.lanes;
      to.active_lanes += from.active_lanes;
      for (int d = 0; d < 8; ++d) to.detail[d] += from.detail[d];
    }
    for (PendingFinding& p : runner->findings()) {
      auto [it, added] = merged.try_emplace({p.inst, p.finding.kind}, p);
      if (added) continue;
      uint64_t count = it->second.finding.count + p.finding.count;
      if (p.order < it->second.order) it->second = p;
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
