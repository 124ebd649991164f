// Keeps the copies of each block that have been issued and have not landed yet, in the order of issue. A wait for a
// group or for a phase makes them land. Tested by tests/emulator/exec/async_test.cc.
#include "grader/emulator/machine/async_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/handlers/shared_access.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {

// The asynchronous operations of one block that are still in flight.
struct AsyncState {
  // One executed cp.async of a warp. A lane leaves `lanes` when its part has landed.
  struct Copy {
    const Inst* inst = nullptr;
    int32_t warp = 0;
    LaneMask lanes = 0;
    uint64_t sequence = 0;
    uint32_t bytes = 0;
    std::array<uint32_t, kLanes> group = {};
    std::array<uint64_t, kLanes> to = {};
    std::array<std::array<uint8_t, 16>, kLanes> data = {};
  };
  // An arrival on an mbarrier that waits for the earlier copies of its lanes.
  struct Arrival {
    uint64_t barrier = 0;
    int32_t warp = 0;
    LaneMask lanes = 0;
    uint64_t sequence = 0;  // how many copies were issued before it
  };
  // A bulk copy into shared memory, and the mbarrier whose tx-count it lowers.
  struct Bulk {
    const Inst* inst = nullptr;
    uint64_t barrier = 0, to = 0;
    std::vector<uint8_t> data;
  };
  uint64_t block = 0;
  uint64_t next_sequence = 0;
  std::vector<Copy> copies;
  std::vector<Arrival> arrivals;
  std::vector<Bulk> bulks;
  std::vector<std::array<uint32_t, kLanes>> committed;  // by warp: groups that each lane has committed
};

namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// The state of the current block. A state left by an earlier block is reset.
AsyncState& State(Exec& x) {
  if (x.block->async == nullptr) x.block->async = std::make_shared<AsyncState>();
  AsyncState& s = *x.block->async;
  if (s.block != x.block->linear + 1) {
    s = AsyncState{};
    s.block = x.block->linear + 1;
    s.committed.resize(x.block->warps.size());
  }
  return s;
}

// The shared memory offsets of an operand's lanes. Lanes whose generic address is in another space are reported and
// left out.
LaneMask SharedOffsets(Exec& x, const Inst& i, uint32_t row, int64_t offset, uint8_t addressing, LaneMask mask,
                       uint64_t* to) {
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    if (addressing == kSharedNarrow) {
      to[l] = Row<uint32_t>(x, row)[l] + static_cast<uint32_t>(offset);
      continue;
    }
    to[l] = Row<uint64_t>(x, row)[l] + static_cast<uint64_t>(offset);
    if (addressing != kSharedGeneric) continue;
    if (to[l] - kSharedWindow >= kWindowBytes) {
      Report(x, i, FindingKind::kOutOfBounds, l, to[l], 8, "the address must lie in shared memory, but it does not");
      mask &= ~(1u << l);
      continue;
    }
    to[l] -= kSharedWindow;
  }
  return mask;
}

// Writes lanes of one copy to shared memory, on behalf of the warp that issued it.
void Land(Exec& x, AsyncState::Copy& c, LaneMask lanes) {
  lanes &= c.lanes;
  if (lanes == 0) return;
  c.lanes &= ~lanes;
  Warp* const running = x.warp;
  x.warp = &x.block->warps[Index(c.warp)];
  AddressSpan span;
  lanes = EnterShared(x, *c.inst, c.to.data(), 0, lanes, static_cast<int>(c.bytes), AccessKind::kWrite, &span);
  x.warp = running;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const size_t l = static_cast<size_t>(__builtin_ctz(m));
    std::memcpy(x.block->shared.data() + c.to[l], c.data[l].data(), c.bytes);
  }
}
void Forget(AsyncState& s) {
  std::erase_if(s.copies, [](const AsyncState::Copy& c) { return c.lanes == 0; });
}

// Reads wanted[l] bytes at from[l] into copy->data[l], for each lane l of `mask`. Returns the lanes that may continue:
// those that want no bytes, and those that may read every byte that they want.
LaneMask ReadSources(Exec& x, const Inst& i, const uint64_t* from, const uint32_t* wanted, LaneMask mask,
                     AsyncState::Copy* copy) {
  // Lanes that want the same number of bytes are checked together. Usually that is the whole size; the copy fills the
  // rest of its destination with zeros.
  for (LaneMask left = mask; left != 0;) {
    const uint32_t size = wanted[__builtin_ctz(left)];
    LaneMask same = 0;
    for (LaneMask m = left; m != 0; m &= m - 1) {
      if (wanted[__builtin_ctz(m)] == size) same |= m & (~m + 1u);
    }
    left &= ~same;
    if (size == 0) continue;
    const bool whole = (size & (size - 1)) == 0;
    AddressSpan span;
    LaneMask legal = EnterGlobal(x, i, from, 0, same, whole ? static_cast<int>(size) : 1, AccessKind::kRead, &span);
    for (LaneMask m = whole ? 0 : legal; m != 0; m &= m - 1) {  // not a power of two: check each byte
      const LaneMask one = m & (~m + 1u);
      for (uint32_t k = 1; k < size && (legal & one) != 0; ++k) {
        legal = (legal & ~one) | CheckGlobalLanes(x, i, from, k, one, 1, AccessKind::kRead);
      }
    }
    for (LaneMask m = legal; m != 0; m &= m - 1) {
      const int l = __builtin_ctz(m);
      std::memcpy(copy->data[static_cast<size_t>(l)].data(), x.launch->memory->Host(from[l]), size);
    }
    mask &= ~(same & ~legal);
  }
  return mask;
}

// cp.async: a = shared address, b = global address, vector = bytes, c = source bytes or a predicate.
void CpAsync(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  AsyncState& s = State(x);
  const VectorOperand& more = x.vectors[i.vectors];  // rows[0]: offset of the global address; rows[1]: c is negated
  const uint32_t bytes = i.vector;
  AsyncState::Copy copy;
  LaneMask mask = SharedOffsets(x, i, i.a, i.imm, i.async.addressing, x.mask, copy.to.data());
  mask = mask == 0 ? 0 : CheckSharedLanes(x, i, copy.to.data(), 0, mask, static_cast<int>(bytes), AccessKind::kWrite);
  uint64_t from[kLanes] = {};
  uint32_t wanted[kLanes] = {};
  const int32_t from_offset = static_cast<int32_t>(more.rows[0]);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    from[l] = Row<uint64_t>(x, i.b)[l] + static_cast<uint64_t>(int64_t{from_offset});
    if (i.async.ignore_source) {
      const bool ignore = ((*Row<uint32_t>(x, i.c) >> l) & 1) != more.rows[1];
      wanted[l] = ignore ? 0 : bytes;
    } else {
      wanted[l] = std::min(bytes, Row<uint32_t>(x, i.c)[l]);
    }
  }
  mask = ReadSources(x, i, from, wanted, mask, &copy);
  if (mask == 0) return;
  // From here on the write may happen at any time, so no other thread may access the destination.
  if (!x.block->shadow.empty()) {
    const AddressSpan span = Measure(copy.to.data(), 0, mask, bytes);
    CheckSharedRace(
        x, i,
        {copy.to.data(), 0, mask, static_cast<int>(bytes), AccessKind::kWrite, span.contiguous, span.low, span.end});
  }
  copy.inst = &i;
  copy.warp = x.warp->index;
  copy.lanes = mask;
  copy.bytes = bytes;
  copy.sequence = s.next_sequence++;
  copy.group = s.committed[Index(copy.warp)];
  s.copies.push_back(copy);
}

void CommitGroup(Exec& x, const Inst&) {
  AsyncState& s = State(x);
  auto& committed = s.committed[Index(x.warp->index)];
  for (LaneMask m = x.mask; m != 0; m &= m - 1) ++committed[static_cast<size_t>(__builtin_ctz(m))];
}

// imm is the number of latest groups that may still be in flight. With kAll, copies that are in no group land too.
template <bool kAll>
void WaitGroup(Exec& x, const Inst& i) {
  AsyncState& s = State(x);
  const auto& committed = s.committed[Index(x.warp->index)];
  for (AsyncState::Copy& c : s.copies) {
    if (c.warp != x.warp->index) continue;
    LaneMask due = 0;
    for (LaneMask m = c.lanes & x.mask; m != 0; m &= m - 1) {
      const size_t l = static_cast<size_t>(__builtin_ctz(m));
      if (kAll || int64_t{c.group[l]} < int64_t{committed[l]} - i.imm) due |= 1u << l;
    }
    Land(x, c, due);
  }
  Forget(s);
}

// ---- mbarrier ----

struct Mbarrier {
  uint64_t word = 0;
  bool phase() const { return word & 1; }
  uint32_t pending() const { return static_cast<uint32_t>(word >> 1) & 0xFFFFF; }
  uint32_t expected() const { return static_cast<uint32_t>(word >> 21) & 0xFFFFF; }
  int32_t transactions() const { return static_cast<int32_t>(static_cast<int64_t>(word << 2) >> 43); }
  bool initialised() const { return (word >> 62) == 1; }
  static Mbarrier Make(bool phase, uint32_t pending, uint32_t expected, int64_t transactions) {
    return {uint64_t{1} << 62 | (static_cast<uint64_t>(transactions) & 0x1FFFFF) << 41 |
            uint64_t{expected & 0xFFFFF} << 21 | uint64_t{pending & 0xFFFFF} << 1 | (phase ? 1 : 0)};
  }
};

Mbarrier ReadBarrier(const Exec& x, uint64_t at) {
  Mbarrier b;
  std::memcpy(&b.word, x.block->shared.data() + at, sizeof(b.word));
  return b;
}

// Stores the barrier's new state, and completes the phase if nothing is left to wait for. `i` is the instruction that
// counts the completed phase.
void Update(Exec& x, const Inst& i, uint64_t at, uint32_t pending, uint32_t expected, int64_t transactions) {
  bool phase = ReadBarrier(x, at).phase();
  if (pending == 0 && transactions == 0) {
    phase = !phase;
    pending = expected;
    MbarrierPhaseEnded(x, at);
    x.stats[i.index].completed() += 1;
    x.block->progressed = true;
  }
  const Mbarrier next = Mbarrier::Make(phase, pending, expected, transactions);
  std::memcpy(x.block->shared.data() + at, &next.word, sizeof(next.word));
}

void Arrive(Exec& x, const Inst& i, int lane, uint64_t at, uint32_t count, uint32_t drop, int32_t transactions) {
  const Mbarrier b = ReadBarrier(x, at);
  if (b.pending() < count) {
    Report(x, i, FindingKind::kBarrierDivergence, lane, kSharedWindow + at, 8,
           fmt::format("{} arrivals on an mbarrier that waits for only {} more in this phase; initialise it with the "
                       "number of threads that arrive in a phase",
                       count, b.pending()));
    count = b.pending();
  }
  Update(x, i, at, b.pending() - count, b.expected() - std::min(drop, b.expected()),
         int64_t{b.transactions()} + transactions);
}

// Lands the copies that the arrival waits for, on behalf of the warp that issued them.
void LandBefore(Exec& x, AsyncState& s, const AsyncState::Arrival& a) {
  Warp* const running = x.warp;
  x.warp = &x.block->warps[Index(a.warp)];
  BeginTrackedCopy(x);
  for (AsyncState::Copy& c : s.copies) {
    if (c.warp == a.warp && c.sequence < a.sequence) Land(x, c, a.lanes);
  }
  EndTrackedCopy(x, a.barrier);
  x.warp = running;
}

// Lands everything that the barrier at `at` tracks, because a thread waits for it.
void LandTracked(Exec& x, const Inst& i, uint64_t at) {
  AsyncState& s = State(x);
  std::vector<AsyncState::Arrival> due;
  std::erase_if(s.arrivals, [&](const AsyncState::Arrival& a) {
    if (a.barrier == at) due.push_back(a);
    return a.barrier == at;
  });
  for (const AsyncState::Arrival& a : due) {
    LandBefore(x, s, a);
    for (LaneMask m = a.lanes; m != 0; m &= m - 1) Arrive(x, i, __builtin_ctz(m), at, 1, 0, 0);
  }
  Forget(s);
  std::vector<AsyncState::Bulk> bulks;
  std::erase_if(s.bulks, [&](AsyncState::Bulk& b) {
    if (b.barrier != at) return false;
    bulks.push_back(std::move(b));
    return true;
  });
  for (const AsyncState::Bulk& b : bulks) {
    std::memcpy(x.block->shared.data() + b.to, b.data.data(), b.data.size());
    const Mbarrier m = ReadBarrier(x, at);
    Update(x, i, at, m.pending(), m.expected(), m.transactions() - static_cast<int32_t>(b.data.size()));
  }
}

// The barriers that the lanes name. They must be in bounds, aligned and, unless `fresh`, initialised.
LaneMask EnterBarrier(Exec& x, const Inst& i, AccessKind kind, bool fresh, uint64_t* at) {
  if (x.mask == 0) return 0;
  LaneMask mask = SharedOffsets(x, i, i.a, i.imm, i.async.addressing, x.mask, at);
  if (mask == 0) return 0;
  mask = CheckSharedLanes(x, i, at, 0, mask, 8, kind);
  if (mask != 0 && (!x.block->shadow.empty() || !x.block->shared_valid.empty())) {
    const AddressSpan span = Measure(at, 0, mask, 8);
    ObserveShared(x, i, {at, 0, mask, 8, kind, span.contiguous, span.low, span.end});
  }
  for (LaneMask m = fresh ? 0 : mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    if (ReadBarrier(x, at[l]).initialised()) continue;
    Report(x, i, FindingKind::kBarrierDivergence, l, kSharedWindow + at[l], 8,
           "this mbarrier was not initialised: before its use, one thread must initialise it and the block must "
           "synchronise");
    mask &= ~(1u << l);
  }
  return mask;
}

void MbarrierInit(Exec& x, const Inst& i) {  // b = count
  uint64_t at[kLanes];
  for (LaneMask m = EnterBarrier(x, i, AccessKind::kWrite, true, at); m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const uint32_t count = Row<uint32_t>(x, i.b)[l];
    const Mbarrier b = Mbarrier::Make(false, count, count, 0);
    std::memcpy(x.block->shared.data() + at[l], &b.word, sizeof(b.word));
  }
}
// An atomic for the race check: the last thread that leaves a cuda::pipeline invalidates its mbarriers, and knows that
// it is the last one from a counter alone.
void MbarrierInval(Exec& x, const Inst& i) {
  uint64_t at[kLanes];
  for (LaneMask m = EnterBarrier(x, i, AccessKind::kAtomic, false, at); m != 0; m &= m - 1) {
    std::memset(x.block->shared.data() + at[__builtin_ctz(m)], 0, 8);
  }
}
// The lanes of `among` whose address is that of its first lane.
LaneMask SameAddress(const uint64_t* at, LaneMask among) {
  const uint64_t first = at[__builtin_ctz(among)];
  LaneMask same = 0;
  for (LaneMask m = among; m != 0; m &= m - 1) {
    if (at[__builtin_ctz(m)] == first) same |= m & (~m + 1u);
  }
  return same;
}

// True if all lanes of the warp arrive at one barrier, and the phase cannot end before the last of them.
bool ArriveTogether(const Exec& x, const Inst& i, const uint64_t* at, LaneMask mask) {
  if (mask == 0 || (x.warp->alive & ~mask) != 0 || SameAddress(at, mask) != mask) return false;
  const int last = 31 - __builtin_clz(mask);
  uint64_t before = 0;
  for (LaneMask m = mask & ~(1u << last); m != 0; m &= m - 1) before += Row<uint32_t>(x, i.b)[__builtin_ctz(m)];
  return before < ReadBarrier(x, at[last]).pending();
}

// b = count, c = tx-count of .expect_tx; dst = the old state, which identifies the phase.
void MbarrierArrive(Exec& x, const Inst& i) {
  uint64_t at[kLanes];
  uint64_t* state = Row<uint64_t>(x, i.dst);
  const LaneMask mask = EnterBarrier(x, i, AccessKind::kAtomic, false, at);
  const bool together = ArriveTogether(x, i, at, mask);
  if (together) MbarrierArrived(x, mask, at[__builtin_ctz(mask)]);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const uint32_t count = Row<uint32_t>(x, i.b)[l];
    if (!together) MbarrierArrived(x, 1u << l, at[l]);
    const int32_t tx = i.async.expect_tx ? Row<int32_t>(x, i.c)[l] : 0;
    state[l] = ReadBarrier(x, at[l]).word;
    Arrive(x, i, l, at[l], count, i.async.drop ? count : 0, tx);
  }
}
// b = tx-count, i.sign: expect_tx adds, complete_tx takes away.
void MbarrierTransactions(Exec& x, const Inst& i) {
  uint64_t at[kLanes];
  for (LaneMask m = EnterBarrier(x, i, AccessKind::kAtomic, false, at); m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const Mbarrier b = ReadBarrier(x, at[l]);
    Update(x, i, at[l], b.pending(), b.expected(), b.transactions() + int64_t{i.sign} * Row<int32_t>(x, i.b)[l]);
  }
}
// test_wait, try_wait: b = state or parity. After a wait that fails, other fragments run.
void MbarrierWait(Exec& x, const Inst& i) {
  uint64_t at[kLanes];
  LaneMask done = 0;
  const LaneMask mask = EnterBarrier(x, i, AccessKind::kAtomic, false, at);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const bool phase = (i.async.parity ? uint64_t{Row<uint32_t>(x, i.b)[l]} : Row<uint64_t>(x, i.b)[l]) & 1;
    if (ReadBarrier(x, at[l]).phase() == phase) LandTracked(x, i, at[l]);
    if (ReadBarrier(x, at[l]).phase() != phase) done |= 1u << l;
  }
  for (LaneMask left = done; left != 0; left &= ~SameAddress(at, left)) MbarrierWaited(x, at[__builtin_ctz(left)]);
  uint32_t* p = Row<uint32_t>(x, i.dst);
  *p = (*p & ~x.mask) | done;
  if (done != mask) x.leave = true;
}
void MbarrierPendingCount(Exec& x, const Inst& i) {  // b = state
  for (LaneMask m = x.mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    Row<uint32_t>(x, i.dst)[l] = Mbarrier{Row<uint64_t>(x, i.b)[l]}.pending();
  }
}
// cp.async.mbarrier.arrive: arrives once all earlier copies of the thread have landed.
void AsyncArrive(Exec& x, const Inst& i) {
  uint64_t at[kLanes];
  AsyncState& s = State(x);
  for (LaneMask left = EnterBarrier(x, i, AccessKind::kAtomic, false, at); left != 0;) {
    const uint64_t barrier = at[__builtin_ctz(left)];
    const LaneMask same = SameAddress(at, left);
    left &= ~same;
    MbarrierArrived(x, same, barrier);
    if (!i.async.no_increment) {
      const Mbarrier b = ReadBarrier(x, barrier);
      const uint32_t more = static_cast<uint32_t>(__builtin_popcount(same));
      Update(x, i, barrier, b.pending() + more, b.expected(), b.transactions());
    }
    s.arrivals.push_back({barrier, x.warp->index, same, s.next_sequence});
  }
}

// ---- bulk copies: one thread moves a range; it is counted as warps of 16-byte accesses ----

// Calls f(addresses, offset of the part, mask) for each 512 bytes.
template <typename F>
bool ForParts(uint64_t base, uint64_t bytes, F f) {
  for (uint64_t done = 0; done < bytes; done += 512) {
    uint64_t addresses[kLanes];
    for (uint64_t l = 0; l < kLanes; ++l) addresses[l] = base + done + 16 * l;
    const uint64_t count = std::min<uint64_t>(kLanes, (bytes - done) / 16);
    const LaneMask mask = count == kLanes ? kAllLanes : (1u << count) - 1;
    if (!f(addresses, mask)) return false;
  }
  return true;
}
bool GlobalRange(Exec& x, const Inst& i, uint64_t base, uint64_t bytes, AccessKind kind) {
  AddressSpan span;
  return ForParts(base, bytes, [&](const uint64_t* a, LaneMask mask) {
    return EnterGlobal(x, i, a, 0, mask, 16, kind, &span) == mask;
  });
}
bool SharedRange(Exec& x, const Inst& i, uint64_t base, uint64_t bytes, AccessKind kind) {
  AddressSpan span;
  return ForParts(base, bytes, [&](const uint64_t* a, LaneMask mask) {
    return EnterShared(x, i, a, 0, mask, 16, kind, &span) == mask;
  });
}
bool WholeParts(Exec& x, const Inst& i, int lane, uint32_t bytes) {
  if (bytes % 16 == 0) return true;
  Report(x, i, FindingKind::kMisaligned, lane, 0, 0,
         fmt::format("a bulk copy of {} bytes; its size must be a multiple of 16", bytes));
  return false;
}

// shared <- global: a = shared address, b = global address, c = bytes, rows[2] = mbarrier, rows[0] = its offset.
void BulkToShared(Exec& x, const Inst& i) {
  AsyncState& s = State(x);
  const VectorOperand& more = x.vectors[i.vectors];
  uint64_t to[kLanes], barrier[kLanes];
  LaneMask mask = x.mask == 0 ? 0 : SharedOffsets(x, i, i.a, i.imm, i.async.addressing, x.mask, to);
  const uint8_t barrier_how = static_cast<uint8_t>(more.rows[3]);
  if (mask != 0)
    mask = SharedOffsets(x, i, more.rows[2], static_cast<int32_t>(more.rows[0]), barrier_how, mask, barrier);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const uint32_t bytes = Row<uint32_t>(x, i.c)[l];
    x.owed += bytes / kBytesPerInstruction;
    const uint64_t from = Row<uint64_t>(x, i.b)[l] + static_cast<uint64_t>(int64_t{i.global_offset});
    if (!WholeParts(x, i, l, bytes) || !GlobalRange(x, i, from, bytes, AccessKind::kRead)) continue;
    BeginTrackedCopy(x);
    const bool may_write = SharedRange(x, i, to[l], bytes, AccessKind::kWrite);
    EndTrackedCopy(x, barrier[l]);
    if (!may_write) continue;
    AsyncState::Bulk b;
    b.inst = &i;
    b.barrier = barrier[l];
    b.to = to[l];
    if (bytes != 0) {  // of no bytes, the address was not checked
      const uint8_t* source = x.launch->memory->Host(from);
      b.data.assign(source, source + bytes);
    }
    s.bulks.push_back(std::move(b));
  }
}
// global <- shared: a = shared address, b = global address, c = bytes. The copy is done at once, so a missing wait does
// not show.
void BulkToGlobal(Exec& x, const Inst& i) {
  uint64_t from[kLanes];
  const LaneMask mask = x.mask == 0 ? 0 : SharedOffsets(x, i, i.a, i.imm, i.async.addressing, x.mask, from);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    const uint32_t bytes = Row<uint32_t>(x, i.c)[l];
    x.owed += bytes / kBytesPerInstruction;
    const uint64_t to = Row<uint64_t>(x, i.b)[l] + static_cast<uint64_t>(int64_t{i.global_offset});
    if (!WholeParts(x, i, l, bytes) || !SharedRange(x, i, from[l], bytes, AccessKind::kRead) ||
        !GlobalRange(x, i, to, bytes, AccessKind::kWrite)) {
      continue;
    }
    if (bytes != 0) std::memcpy(x.launch->memory->Host(to), x.block->shared.data() + from[l], bytes);
  }
}
void BulkGroup(Exec&, const Inst&) {}  // bulk copies to global memory are complete when they are issued

const HandlerEntry kHandlers[] = {
    {"cp.async", CpAsync},
    {"cp.async.commit_group", CommitGroup},
    {"cp.async.wait_group", WaitGroup<false>},
    {"cp.async.wait_all", WaitGroup<true>},
    {"cp.async.mbarrier.arrive", AsyncArrive},
    {"cp.async.bulk.shared", BulkToShared},
    {"cp.async.bulk.global", BulkToGlobal},
    {"cp.async.bulk.group", BulkGroup},
    {"mbarrier.init", MbarrierInit},
    {"mbarrier.inval", MbarrierInval},
    {"mbarrier.arrive", MbarrierArrive},
    {"mbarrier.tx", MbarrierTransactions},
    {"mbarrier.wait", MbarrierWait},
    {"mbarrier.pending_count", MbarrierPendingCount},
};

}  // namespace

HandlerSpan AsyncHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator
