// Loads, stores and atomics at given shared memory offsets. The handlers of shared and of generic accesses share them.
// One host thread runs a whole block, so shared memory needs no host atomics.
#pragma once

#include "grader/emulator/machine/handlers/global_access.h"

namespace warpgrade::emulator {
namespace {

inline LaneMask EnterShared(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask, int size,
                            AccessKind kind, AddressSpan* span) {
  *span = Measure(a, offset, mask, static_cast<uint64_t>(size));
  bool plain = span->end <= x.launch->shared_bytes && span->low < span->end &&
               (span->any_bits & static_cast<uint64_t>(size - 1)) == 0;
  if (!plain) {
    LaneMask legal = CheckSharedLanes(x, i, a, offset, mask, size, kind);
    if (legal != mask) {
      mask = legal;
      if (mask == 0) return 0;
      *span = Measure(a, offset, mask, static_cast<uint64_t>(size));
    }
  }
  Wavefronts w = CountWavefronts(a, offset, mask, *span, size);
  InstStats::Shared& stats = x.stats[i.index].shared;
  stats.requests += 1;
  stats.wavefronts += w.actual;
  stats.ideal_wavefronts += w.ideal;
  if ((i.order & kStrong) != 0) {
    x.warp->last_strong = &i;
    x.warp->last_strong_address = kSharedWindow + a[__builtin_ctz(mask)] + offset;
  }
  // The memory that the system reserves behind the kernel's own is not checked.
  if ((!x.block->shadow.empty() || !x.block->shared_valid.empty()) && span->end <= x.launch->shared_bytes) {
    ObserveShared(x, i, {a, offset, mask, size, kind, span->contiguous, span->low, span->end});
  }
  return mask;
}

template <typename T, typename Out, int kVector>
inline void SharedLoad(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  AddressSpan span;
  mask = EnterShared(x, i, a, offset, mask, static_cast<int>(sizeof(T)) * kVector, AccessKind::kRead, &span);
  if (mask == 0) return;
  const uint32_t* rows = DataRows(x, i, kVector);
  const uint8_t* shared = x.block->shared.data();
  if (Synchronises(x, i)) {  // one host thread runs the block, so nothing can happen between the two
    AfterStrongRead(x, i, false,
                    {a, offset, mask, static_cast<int>(sizeof(T)) * kVector, AccessKind::kRead, false, 0, 0});
  }
  if (span.contiguous && mask == kAllLanes) {
    const T* from = reinterpret_cast<const T*>(shared + span.low);
    for (int k = 0; k < kVector; ++k) {
      Out* d = Row<Out>(x, rows[k]);
#pragma GCC ivdep
      for (int l = 0; l < kLanes; ++l) d[l] = Extend<T, Out>(from[l * kVector + k]);
    }
    return;
  }
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    T values[kVector];
    __builtin_memcpy(values, shared + (a[l] + offset), sizeof(values));
    for (int k = 0; k < kVector; ++k) Row<Out>(x, rows[k])[l] = Extend<T, Out>(values[k]);
  }
}

template <typename T, int kVector>
inline void SharedStore(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  AddressSpan span;
  mask = EnterShared(x, i, a, offset, mask, static_cast<int>(sizeof(T)) * kVector, AccessKind::kWrite, &span);
  if (mask == 0) return;
  const uint32_t* rows = DataRows(x, i, kVector);
  uint8_t* shared = x.block->shared.data();
  const AccessLanes lanes{
      a, offset, mask, static_cast<int>(sizeof(T)) * kVector, AccessKind::kWrite, span.contiguous, span.low, span.end};
  if (!x.block->shadow.empty() && !span.contiguous) {
    CheckCollidingStores(x, i, false, lanes, rows, kVector, static_cast<int>(sizeof(Storage<T>)));
  }
  if (Synchronises(x, i)) BeforeStrongWrite(x, i, false, lanes);
  if (span.contiguous && mask == kAllLanes) {
    T* to = reinterpret_cast<T*>(shared + span.low);
    for (int k = 0; k < kVector; ++k) {
      const Storage<T>* s = Row<Storage<T>>(x, rows[k]);
#pragma GCC ivdep
      for (int l = 0; l < kLanes; ++l) to[l * kVector + k] = static_cast<T>(s[l]);
    }
    return;
  }
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    T values[kVector];
    for (int k = 0; k < kVector; ++k) values[k] = static_cast<T>(Row<Storage<T>>(x, rows[k])[l]);
    __builtin_memcpy(shared + (a[l] + offset), values, sizeof(values));
  }
}

template <typename Op>
inline void SharedAtomic(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  using T = typename Op::T;
  using U = Bits<T>;
  AddressSpan span;
  mask = EnterShared(x, i, a, offset, mask, sizeof(T), AccessKind::kAtomic, &span);
  if (Synchronises(x, i)) {
    const AccessLanes lanes{a, offset, mask, sizeof(T), AccessKind::kAtomic, false, 0, 0};
    AfterStrongRead(x, i, false, lanes);
    BeforeStrongWrite(x, i, false, lanes);
  }
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  const Storage<T>* c = Row<Storage<T>>(x, i.c);
  Storage<T>* d = Row<Storage<T>>(x, i.dst);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint8_t* cell = x.block->shared.data() + (a[l] + offset);
    U old;
    __builtin_memcpy(&old, cell, sizeof(old));
    U next = __builtin_bit_cast(U, Op::F(__builtin_bit_cast(T, old), Get<T>(b[l]), Get<T>(c[l])));
    __builtin_memcpy(cell, &next, sizeof(next));
    d[l] = old;
  }
}

// A row of 32-bit addresses plus an offset, added in 32 bits. nvcc addresses s[i - 1] and s[i + 1] from one register,
// which is "negative" for i = 0.
struct WideAddresses {
  alignas(64) uint64_t lane[kLanes];
  WideAddresses(const uint32_t* narrow, int64_t offset) {
    const uint32_t add = static_cast<uint32_t>(offset);
#pragma GCC ivdep
    for (int l = 0; l < kLanes; ++l) lane[l] = narrow[l] + add;
  }
};

}  // namespace
}  // namespace warpgrade::emulator
