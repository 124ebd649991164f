// Keeps what each warp has synchronised with, and answers whether an earlier access is ordered before the current one.
// Inside a block, barriers, warp synchronisation and partial barriers give the order; between blocks, a search through
// releases and acquires finds it. Tested by race_test.cc and global_race_test.cc in tests/emulator/exec.
#include "grader/emulator/checks/happens_before.h"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {
namespace {

// The limit of releases and acquires in a launch. Beyond it every access counts as ordered.
constexpr uint64_t kMaxEntries = 2'000'000;
// The limit of steps in one search.
constexpr int kMaxSteps = 20'000;

uint32_t EpochInBlock(const Block& block) { return std::min(block.barrier_epoch - block.first_epoch + 1, kMaxEpoch); }

bool Before(uint32_t epoch, uint32_t tick, const WarpOrder::Fence& fence) {
  return epoch < fence.epoch || (epoch == fence.epoch && tick < fence.tick);
}

void Tick(WarpOrder& order) { order.tick = std::min(order.tick + 1, kMaxTick); }

// True if the release `r` orders `access`, which is an access of the releasing block. `scope` is how far the release
// must reach.
bool Covers(const Release& r, AccessId access, FenceScope scope) {
  if (r.only_tick != 0) {
    return EpochOf(access) == r.epoch && WarpOf(access) == r.warp && TickOf(access) == r.only_tick;
  }
  if (r.everything) return EpochOf(access) <= r.epoch;
  const WarpOrder::Fence& fence = r.fence[scope];
  if (EpochOf(access) < fence.epoch) return true;
  if (WarpOf(access) != r.warp) return false;
  if (LaneOf(access) == r.lane || IsMany(access)) return Before(EpochOf(access), TickOf(access), fence);
  return EpochOf(access) == fence.epoch && TickOf(access) < fence.sync;
}

// The warp that stands for `warp` where acquires are concerned. In lock step, what one half of a wavefront of 64 lanes
// has acquired, the other half has, too.
uint32_t AcquirerOf(const Exec& x, uint32_t warp) {
  return x.launch->program->wave_lanes == kLanes ? warp : warp / 2 * 2;
}
uint32_t AcquirerOf(const Exec& x) { return AcquirerOf(x, static_cast<uint32_t>(x.warp->index)); }

// The bit of a SyncKey that says that the variable is in shared memory.
constexpr uint64_t kInShared = uint64_t{1} << 63;

bool IsGlobal(const Acquire& a) { return (a.key & kInShared) == 0; }

// A warp on whose acquires the search relies, and the last acquire of its block by then.
struct Step {
  const Acquire* from;
  uint32_t block, warp, epoch;
  auto Reader() const { return std::array<uint32_t, 3>{block, warp, epoch}; }
};

// True if `a`, an acquire of a variable in shared memory, cannot help to order `before`. The same then holds for all
// such acquires before it. Only the block itself releases these variables. So they deliver
//   accesses of this block, made in the same epoch or in an earlier one, and
//   acquires of other warps, which the barriers since then have delivered, too, unless they are of the present epoch.
bool IsIdle(const Acquire& a, const Step& step, AccessId before) {
  if (BlockOf(before) == step.block) return a.epoch < step.epoch && a.epoch < EpochOf(before);
  return a.previous_global == nullptr || a.previous_global->epoch < step.epoch;
}

// The first acquire from `a` back that may help to order `before`.
const Acquire* NotIdle(const Acquire* a, const Step& step, AccessId before) {
  return a == nullptr || IsGlobal(*a) || !IsIdle(*a, step, before) ? a : a->previous_global;
}

}  // namespace

AccessId CurrentAccess(const Exec& x) {
  return MakeAccessId(x.block->linear, EpochInBlock(*x.block), x.warp->order.tick,
                      static_cast<uint32_t>(x.warp->index));
}

bool OrderedInBlock(const Exec& x, AccessId before, uint32_t lane, bool many) {
  const uint32_t epoch = EpochInBlock(*x.block), tick = TickOf(before);
  if (EpochOf(before) < epoch || epoch == kMaxEpoch) return true;
  const WarpOrder& order = x.warp->order;
  const uint32_t warp = static_cast<uint32_t>(x.warp->index);
  if (WarpOf(before) != warp) {
    return x.block->order.partial_used && (tick == kMaxTick || x.block->order.seen[warp][WarpOf(before)] > tick);
  }
  if (!IsMany(before) && !many && LaneOf(before) == lane) return true;
  if (order.full_sync > tick || tick == kMaxTick) return true;
  if (order.partial_count == 0) return false;
  if (IsMany(before) || many) return true;  // the lanes are not known, so assume that they are ordered
  LaneMask reached = 1u << LaneOf(before);
  for (int k = 0; k < order.partial_count; ++k) {
    const WarpOrder::PartialSync& p = order.partial[static_cast<size_t>(k)];
    if (p.tick > tick && (p.lanes & reached) != 0) reached |= p.lanes;
  }
  return (reached >> lane & 1) != 0;
}

void FenceExecuted(Exec& x, LaneMask lanes, FenceScope scope) {
  if (x.launch->sync == nullptr) return;
  WarpOrder& order = x.warp->order;
  Tick(order);
  const uint32_t epoch = EpochInBlock(*x.block);
  for (int s = 0; s <= scope; ++s) {
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      size_t lane = static_cast<size_t>(__builtin_ctz(m));
      if (s == 0 && ((order.fenced >> lane) & 1) == 0) order.fences[0][lane] = order.fences[1][lane] = {};
      order.fences[static_cast<size_t>(s)][lane] = {epoch, order.tick, order.full_sync};
    }
    if (s == 0) order.fenced |= lanes;
    order.fresh[s] |= lanes;
    x.block->order.fence_in_epoch[s] = epoch;
  }
  x.launch->sync->OnFence(x, scope);
}

void Fence(Exec& x, const Inst& i) {
  if (x.mask != 0) FenceExecuted(x, x.mask, i.fence);
}

void WarpSynced(Exec& x, LaneMask lanes) {
  WarpOrder& order = x.warp->order;
  Tick(order);
  if ((x.warp->alive & ~lanes) == 0) {
    order.full_sync = order.tick;
    order.partial_count = 0;
    return;
  }
  if ((lanes & (lanes - 1)) == 0) return;  // a single lane waits for nobody
  if (order.partial_count == static_cast<int>(order.partial.size())) {
    // The table is full: treat the oldest entry as a synchronisation of all lanes. This can only hide races.
    order.full_sync = order.partial[0].tick;
    std::move(order.partial.begin() + 1, order.partial.end(), order.partial.begin());
    --order.partial_count;
  }
  order.partial[static_cast<size_t>(order.partial_count++)] = {order.tick, lanes};
}

void WaveSynced(Block& block, Warp& a, Warp& b) {
  block.order.partial_used = true;
  for (Warp* w : {&a, &b}) {
    Tick(w->order);
    w->order.full_sync = w->order.tick;
    w->order.partial_count = 0;
  }
  auto& seen = block.order.seen;
  const auto one = static_cast<size_t>(a.index), other = static_cast<size_t>(b.index);
  seen[one][other] = std::max(seen[one][other], b.order.tick);
  seen[other][one] = std::max(seen[other][one], a.order.tick);
}

void BlockSynced(Block& block) {
  BlockOrder& order = block.order;
  const uint32_t epoch = EpochInBlock(block);
  for (int s = 0; s < 2; ++s) {
    if (order.fence_in_epoch[s] == epoch) order.fenced_before[s] = epoch + 1;
  }
  ++block.barrier_epoch;
  for (Warp& w : block.warps) w.order.NextEpoch();
  block.granules.Reset();  // the check never reads a line of an earlier epoch again
  if (order.partial_used) {
    for (auto& row : order.seen) row.fill(0);
  }
}

void PartArrived(Exec& x, int32_t barrier) {
  BlockOrder& order = x.block->order;
  order.partial_used = true;
  const size_t warp = static_cast<size_t>(x.warp->index);
  auto& brings = order.arriving[static_cast<size_t>(barrier)];
  Tick(x.warp->order);
  for (size_t v = 0; v < brings.size(); ++v) brings[v] = std::max(brings[v], order.seen[warp][v]);
  brings[warp] = std::max(brings[warp], x.warp->order.tick);
}

void PartWaited(Block& block, Warp& warp, int32_t barrier) {
  warp.order.full_sync = warp.order.tick;
  auto& knows = block.order.seen[static_cast<size_t>(warp.index)];
  const auto& brought = block.order.arriving[static_cast<size_t>(barrier)];
  for (size_t v = 0; v < knows.size(); ++v) knows[v] = std::max(knows[v], brought[v]);
}

void PartCompleted(Block& block, int32_t barrier) { block.order.arriving[static_cast<size_t>(barrier)].fill(0); }

void SyncTable::OnArrival(uint64_t key, const Release& release) {
  if (entries_.fetch_add(1, std::memory_order_relaxed) >= kMaxEntries) return;
  Shard& shard = ShardOf(key);
  std::lock_guard<std::mutex> lock(shard.mutex);
  SyncVariable& v = shard.variables[key];
  v.of_block[release.block].push_back(static_cast<uint32_t>(v.releases.size()));
  v.releases.push_back(release);
}

void SyncTable::OnPhaseEnd(uint64_t key) {
  Shard& shard = ShardOf(key);
  std::lock_guard<std::mutex> lock(shard.mutex);
  SyncVariable& v = shard.variables[key];
  v.before_phase_end = static_cast<uint32_t>(v.releases.size());
}

void SyncTable::OnWaited(Exec& x, uint64_t key) {
  Shard& shard = ShardOf(key);
  std::lock_guard<std::mutex> lock(shard.mutex);
  auto it = shard.variables.find(key);
  if (it == shard.variables.end()) return;
  Acquire a;
  a.variable = &it->second;
  a.key = key;
  a.count = it->second.before_phase_end;
  a.warp = static_cast<uint32_t>(x.warp->index);
  a.epoch = EpochInBlock(*x.block);
  a.kind = AcquireKind::kFenced;
  a.of_block = a.of_phase = true;
  Push(x, shard, a);
}

namespace {

Release ReleaseOf(const Exec& x, int lane) {
  Release r;
  r.block = static_cast<uint32_t>(x.block->linear) & 0xFFFFFF;
  r.warp = static_cast<uint32_t>(x.warp->index);
  r.lane = static_cast<uint32_t>(lane);
  r.epoch = EpochInBlock(*x.block);
  r.of_block = true;
  return r;
}

}  // namespace

void MbarrierArrived(Exec& x, LaneMask lanes, uint64_t at) {
  if (x.launch->sync == nullptr || lanes == 0) return;
  WarpOrder& order = x.warp->order;
  Tick(order);
  const bool whole = (x.warp->alive & ~lanes) == 0;
  // Of partial warp synchronisation it is not known here which lanes took part, so it counts as one of all lanes.
  const uint32_t sync = whole || order.partial_count > 0 ? order.tick : order.full_sync;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    Release r = ReleaseOf(x, __builtin_ctz(m));
    r.fence[kBlockFence] = {r.epoch, order.tick, sync};
    r.everything = x.block->order.partial_used;
    r.acquired = x.block->order.acquired;
    x.launch->sync->OnArrival(SyncKey(x, false, at), r);
    if (whole) return;  // it covers them all
  }
}

void MbarrierPhaseEnded(Exec& x, uint64_t at) {
  if (x.launch->sync != nullptr) x.launch->sync->OnPhaseEnd(SyncKey(x, false, at));
}

void MbarrierWaited(Exec& x, uint64_t at) {
  if (x.launch->sync != nullptr) x.launch->sync->OnWaited(x, SyncKey(x, false, at));
}

void BeginTrackedCopy(Exec& x) { Tick(x.warp->order); }

void EndTrackedCopy(Exec& x, uint64_t at) {
  if (x.launch->sync == nullptr) return;
  Release r = ReleaseOf(x, 0);
  r.only_tick = x.warp->order.tick;
  Tick(x.warp->order);
  x.launch->sync->OnArrival(SyncKey(x, false, at), r);
}

uint64_t SyncKey(const Exec& x, bool global, uint64_t address) {
  const uint64_t word = address >> 2;
  return global ? word : kInShared | x.block->linear << 20 | word;
}

void SyncTable::OnWrite(const Exec& x, const Inst& inst, uint64_t key, int lane) {
  const WarpOrder& order = x.warp->order;
  const BlockOrder& block = x.block->order;
  const bool fenced = (order.fenced >> lane) & 1;
  if (!fenced && block.fenced_before[kBlockFence] == 0) return;  // without a fence the write releases nothing
  if (entries_.load(std::memory_order_relaxed) >= kMaxEntries) return;
  Release r;
  r.block = static_cast<uint32_t>(x.block->linear) & 0xFFFFFF;
  r.warp = static_cast<uint32_t>(x.warp->index);
  r.lane = static_cast<uint32_t>(lane);
  r.epoch = EpochInBlock(*x.block);
  for (size_t s = 0; s < 2; ++s) {
    if (fenced) r.fence[s] = order.fences[s][static_cast<size_t>(lane)];
    // Some thread executed a fence, and the block's threads then met at a barrier.
    if (block.fenced_before[s] > r.fence[s].epoch) r.fence[s] = {block.fenced_before[s], 0, 0};
  }
  r.of_block = (inst.order & kBlockScope) != 0;
  r.everything = block.partial_used;
  r.acquired = block.acquired;
  Shard& shard = ShardOf(key);
  std::lock_guard<std::mutex> lock(shard.mutex);
  SyncVariable& v = shard.variables[key];
  auto& mine = v.of_block[r.block];
  if (!mine.empty()) {  // a spinning thread writes the same variable many times: keep one release
    Release& last = v.releases[mine.back()];
    bool same = last.warp == r.warp && last.lane == r.lane && last.epoch == r.epoch && last.acquired == r.acquired &&
                mine.back() + 1 == v.releases.size();
    if (same) {
      last = r;
      return;
    }
  }
  mine.push_back(static_cast<uint32_t>(v.releases.size()));
  v.releases.push_back(r);
  entries_.fetch_add(1, std::memory_order_relaxed);
}

// REQUIRES: `shard`, that of the variable, is locked.
void SyncTable::Push(Exec& x, Shard& shard, const Acquire& acquire) {
  const Acquire* last = x.block->order.acquired;
  const bool known = last != nullptr && last->variable == acquire.variable && last->count == acquire.count &&
                     last->warp == acquire.warp && last->epoch == acquire.epoch && last->kind >= acquire.kind &&
                     last->of_block == acquire.of_block && last->of_phase == acquire.of_phase;
  if (known || entries_.fetch_add(1, std::memory_order_relaxed) >= kMaxEntries) return;
  Acquire& added = shard.acquires.emplace_back(acquire);
  if (last != nullptr) {
    added.previous = last;
    added.previous_global = IsGlobal(*last) ? last : last->previous_global;
    added.number = last->number + 1;
  }
  x.block->order.acquired = &added;
}

void SyncTable::OnRead(Exec& x, const Inst& inst, uint64_t key, std::optional<FenceScope> fence) {
  constexpr size_t kMostUnfenced = 64;
  Shard& shard = ShardOf(key);
  std::lock_guard<std::mutex> lock(shard.mutex);
  auto it = shard.variables.find(key);
  if (it == shard.variables.end()) return;
  const bool compares = inst.access == AccessDirection::kAtomic && (inst.order & kCompares) != 0;
  Acquire a;
  a.variable = &it->second;
  a.key = key;
  a.count = static_cast<uint32_t>(it->second.releases.size());
  a.warp = AcquirerOf(x);
  a.epoch = EpochInBlock(*x.block);
  a.of_block = (inst.order & kBlockScope) != 0;
  std::vector<UnfencedRead>& unfenced = x.block->order.unfenced;
  // If a block has read very many variables without a fence, each read counts as one with a fence.
  const bool fenced = fence == kDeviceFence || unfenced.size() >= kMostUnfenced;
  a.kind = fenced ? AcquireKind::kFenced : compares ? AcquireKind::kLock : AcquireKind::kRead;
  Push(x, shard, a);
  if (fenced) return;
  const UnfencedRead read{a.variable, key, a.count, a.warp, a.epoch, a.of_block, fence == kBlockFence};
  if (fence == kBlockFence) {
    a.kind = AcquireKind::kFenced;
    a.of_block = true;
    Push(x, shard, a);
  }
  for (UnfencedRead& earlier : unfenced) {
    if (earlier.variable != read.variable || earlier.warp != read.warp || earlier.of_block != read.of_block) continue;
    earlier = read;
    return;
  }
  unfenced.push_back(read);
}

void SyncTable::OnFence(Exec& x, FenceScope scope) {
  std::vector<UnfencedRead>& unfenced = x.block->order.unfenced;
  const uint32_t warp = AcquirerOf(x), epoch = EpochInBlock(*x.block);
  const auto reached = [&](const UnfencedRead& r) { return r.warp == warp || r.epoch < epoch; };
  for (UnfencedRead& r : unfenced) {
    if (!reached(r) || (scope == kBlockFence && r.block_fenced)) continue;
    Acquire a;
    a.variable = r.variable;
    a.key = r.key;
    a.count = r.count;
    a.warp = warp;
    a.epoch = epoch;
    a.kind = AcquireKind::kFenced;
    a.of_block = r.of_block || scope == kBlockFence;
    r.block_fenced = true;
    Shard& shard = ShardOf(r.key);
    std::lock_guard<std::mutex> lock(shard.mutex);
    Push(x, shard, a);
  }
  if (scope == kDeviceFence) std::erase_if(unfenced, reached);
}

bool SyncTable::Observed(const Exec& x, uint64_t key) const {
  const uint32_t warp = AcquirerOf(x), epoch = EpochInBlock(*x.block);
  int steps = 0;
  const bool global = (key & kInShared) == 0;
  const Acquire* a = x.block->order.acquired;
  for (; a != nullptr && ++steps <= kMaxSteps; a = global ? a->previous_global : a->previous) {
    if (a->key == key && (a->warp == warp || a->epoch < epoch)) return true;
  }
  return steps > kMaxSteps;  // then it counts as observed
}

// REQUIRES: the shard of a.key is locked. `block` is the block that acquired.
bool SyncTable::Delivers(const Acquire& a, AccessId before, uint32_t block) {
  const uint32_t from = BlockOf(before);
  auto it = a.variable->of_block.find(from);
  if (it == a.variable->of_block.end() || (a.of_block && from != block)) return false;
  int looked = 0;
  for (auto index = it->second.rbegin(); index != it->second.rend() && ++looked <= kMaxSteps; ++index) {
    if (*index >= a.count) continue;
    const Release& r = a.variable->releases[*index];
    if (r.of_block && from != block) continue;
    if (Covers(r, before, from == block ? kBlockFence : kDeviceFence)) return true;
  }
  return looked > kMaxSteps;
}

bool SyncTable::Ordered(const Exec& x, AccessId before, AcquireKind least) {
  if (entries_.load(std::memory_order_relaxed) >= kMaxEntries) return true;
  std::vector<Step> open;
  if (x.block->order.acquired == nullptr) return false;
  open.push_back({x.block->order.acquired, static_cast<uint32_t>(x.block->linear) & 0xFFFFFF, AcquirerOf(x),
                  EpochInBlock(*x.block)});
  // How many of a variable's releases were followed: of those that reach every block, and of a block's own.
  constexpr uint32_t kEveryBlock = ~0u;
  std::map<std::pair<const SyncVariable*, uint32_t>, uint32_t> followed;
  // How many of the acquires of a block were searched for a warp.
  std::map<std::array<uint32_t, 3>, uint32_t> searched;
  int steps = 0;
  const auto follow = [&](const Release& r) {
    ++steps;
    if (r.acquired != nullptr) open.push_back({r.acquired, r.block, AcquirerOf(x, r.warp), r.epoch});
  };
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    uint32_t& known = searched[step.Reader()];
    const uint32_t until = std::exchange(known, std::max(known, step.from->number));
    const Acquire* a = NotIdle(step.from, step, before);
    for (; a != nullptr && a->number > until; a = NotIdle(a->previous, step, before)) {
      if (++steps > kMaxSteps) return true;
      // The warp that has waited for a phase may have told others by a barrier of a part of the block.
      const bool told = a->of_phase && x.block->order.partial_used;
      const bool visible = a->kind >= least && (a->warp == step.warp || a->epoch < step.epoch || told);
      if (!visible) continue;
      Shard& shard = ShardOf(a->key);
      std::lock_guard<std::mutex> lock(shard.mutex);
      if (Delivers(*a, before, step.block)) return true;
      const SyncVariable& variable = *a->variable;
      if (const auto own = variable.of_block.find(step.block); own != variable.of_block.end()) {
        uint32_t& done = followed[{a->variable, step.block}];
        for (; done < own->second.size() && own->second[done] < a->count; ++done) {
          follow(variable.releases[own->second[done]]);
        }
      }
      if (a->of_block) continue;
      for (uint32_t& done = followed[{a->variable, kEveryBlock}]; done < a->count && steps <= kMaxSteps; ++done) {
        const Release& r = variable.releases[done];
        if (!r.of_block && (r.everything || r.fence[kDeviceFence].epoch > 0)) follow(r);
      }
    }
  }
  return steps > kMaxSteps;
}

}  // namespace warpgrade::emulator
