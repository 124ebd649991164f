// Loads, stores and atomics at given global addresses. The handlers of global and of generic accesses share them.
#pragma once

#include "grader/emulator/checks/access_check.h"
#include "grader/emulator/checks/race_check.h"
#include "grader/emulator/machine/handlers/access.h"
#include "grader/emulator/machine/step_notes.h"
#include "grader/emulator/recorders/request_recorder.h"

namespace warpgrade::emulator {
namespace {

inline const uint32_t* DataRows(const Exec& x, const Inst& i, int vector) {
  return vector == 1 ? &i.dst : x.vectors[i.vectors].rows;
}

// For a store or an atomic: counts the bytes that the host can read directly.
inline void CountHostVisible(Exec& x, const uint64_t* a, uint64_t offset, LaneMask mask, int size) {
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    if (a[__builtin_ctz(m)] + offset >= x.host_window) x.host_visible_bytes += static_cast<uint64_t>(size);
  }
}

// True if all lanes read the same bytes, or bytes of one 4-byte word. Then the constant cache serves a warp's load in
// one pass.
inline bool ReadsOneWord(const AddressSpan& span, int size) {
  return span.end - span.low == static_cast<uint64_t>(size) || (span.end - 1) >> 2 == span.low >> 2;
}

// For the picture of the request. REQUIRES: x.requests.
[[maybe_unused, gnu::noinline, gnu::cold]] void NoteRequest(Exec& x, const Inst& i, RequestSpace space,
                                                            const uint64_t* a, uint64_t offset, LaneMask mask, int size,
                                                            AccessKind kind) {
  Request request;
  request.space = space;
  request.direction = kind == AccessKind::kRead    ? AccessDirection::kLoad
                      : kind == AccessKind::kWrite ? AccessDirection::kStore
                                                   : AccessDirection::kAtomic;
  request.bytes = size;
  request.lanes = mask;
  for (int l = 0; l < kLanes; ++l) request.at[static_cast<size_t>(l)] = (mask >> l & 1) != 0 ? a[l] + offset : 0;
  x.requests->Note(i.index, request, x.block->linear, x.warp->index);
  if (x.steps != nullptr) NoteStep(x, i, space, a, offset, mask, size, kind);
}

// Checks and counts the access. Returns the lanes that may access, and measures their addresses into *span.
inline LaneMask EnterGlobal(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask, int size,
                            AccessKind kind, AddressSpan* span) {
  *span = Measure(a, offset, mask, static_cast<uint64_t>(size));
  const auto is_plain = [&] {
    return span->low >= x.allocation.base && span->end <= x.allocation.end && span->low < span->end &&
           (span->any_bits & static_cast<uint64_t>(size - 1)) == 0 &&
           (kind == AccessKind::kRead ? i.count_class != CountClass::kConstantLoad || x.allocation.constant
                                      : !x.allocation.constant);
  };
  if (!is_plain() && !(x.recent.Exchange(span->low, &x.allocation) && is_plain())) {
    LaneMask legal = CheckGlobalLanes(x, i, a, offset, mask, size, kind);
    if (legal != mask) {
      mask = legal;
      if (mask == 0) return 0;
      *span = Measure(a, offset, mask, static_cast<uint64_t>(size));
    }
  }
  const bool constant = kind == AccessKind::kRead && i.count_class == CountClass::kConstantLoad;
  if (!constant || !ReadsOneWord(*span, size)) {
    InstStats::Global& stats = x.stats[i.index].global;
    stats.requests += 1;
    stats.sectors += CountSectors(a, offset, mask, *span);
    stats.bytes += static_cast<uint64_t>(__builtin_popcount(mask)) * static_cast<uint64_t>(size);
    if (x.requests != nullptr) NoteRequest(x, i, RequestSpace::kGlobal, a, offset, mask, size, kind);
  }
  if (kind != AccessKind::kRead && span->end > x.host_window) CountHostVisible(x, a, offset, mask, size);
  if (x.launch->shadow != nullptr || x.launch->check_uninitialised) {
    ObserveGlobal(x, i, {a, offset, mask, size, kind, span->contiguous, span->low, span->end, span->same});
  }
  if ((i.order & kStrong) != 0) NoteStrong(x, i, a[__builtin_ctz(mask)] + offset);
  return mask;
}

// True if the access takes part in synchronisation: it is strong, and the program has fences.
inline bool Synchronises(const Exec& x, const Inst& i) { return (i.order & kStrong) != 0 && x.launch->sync != nullptr; }

// A copy of the addresses of a strong access, which outlives the access itself.
struct SyncAddresses {
  uint64_t at[kLanes];
  AccessLanes lanes;
  bool any;
  SyncAddresses(bool wanted, const uint64_t* a, uint64_t offset, LaneMask mask, int size, AccessKind kind)
      : any(wanted && mask != 0) {
    if (!any) return;
    for (int l = 0; l < kLanes; ++l) at[l] = a[l] + offset;
    lanes = AccessLanes{at, 0, mask, size, kind, false, 0, 0};
  }
};

template <typename T, typename Out>
inline Out Extend(T v) {
  return static_cast<Out>(v);  // extends by the sign of T
}

template <typename T, typename Out, int kVector>
inline void GlobalLoad(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  constexpr int kSize = static_cast<int>(sizeof(T)) * kVector;
  AddressSpan span;
  mask = EnterGlobal(x, i, a, offset, mask, kSize, AccessKind::kRead, &span);
  if (mask == 0) return;
  const uint32_t* rows = DataRows(x, i, kVector);
  const GlobalMemory& memory = *x.launch->memory;
  // A load may overwrite its address row, so copy the addresses that are needed after it.
  SyncAddresses strong(Synchronises(x, i), a, offset, mask, kSize, AccessKind::kRead);
  if (span.contiguous && mask == kAllLanes) {
    const T* from = reinterpret_cast<const T*>(memory.Host(span.low));
    for (int k = 0; k < kVector; ++k) {
      Out* d = Row<Out>(x, rows[k]);
#pragma GCC ivdep
      for (int l = 0; l < kLanes; ++l) d[l] = Extend<T, Out>(from[l * kVector + k]);
    }
    if (strong.any) AfterStrongRead(x, i, true, strong.lanes);
    return;
  }
  if (span.same && mask == kAllLanes) {
    T values[kVector];
    __builtin_memcpy(values, memory.Host(span.low), sizeof(values));
    for (int k = 0; k < kVector; ++k) {
      Out* d = Row<Out>(x, rows[k]);
      for (int l = 0; l < kLanes; ++l) d[l] = Extend<T, Out>(values[k]);
    }
    if (strong.any) AfterStrongRead(x, i, true, strong.lanes);
    return;
  }
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    // A load may overwrite its address row, so read all elements before writing any.
    T values[kVector];
    __builtin_memcpy(values, memory.Host(a[l] + offset), sizeof(values));
    for (int k = 0; k < kVector; ++k) Row<Out>(x, rows[k])[l] = Extend<T, Out>(values[k]);
  }
  if (strong.any) AfterStrongRead(x, i, true, strong.lanes);
}

template <typename T, int kVector>
inline void GlobalStore(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  constexpr int kSize = static_cast<int>(sizeof(T)) * kVector;
  AddressSpan span;
  mask = EnterGlobal(x, i, a, offset, mask, kSize, AccessKind::kWrite, &span);
  if (mask == 0) return;
  const uint32_t* rows = DataRows(x, i, kVector);
  const AccessLanes lanes{a, offset, mask, kSize, AccessKind::kWrite, span.contiguous, span.low, span.end};
  if (x.launch->shadow != nullptr && !span.contiguous) {
    CheckCollidingStores(x, i, true, lanes, rows, kVector, static_cast<int>(sizeof(Storage<T>)));
  }
  if (Synchronises(x, i)) BeforeStrongWrite(x, i, true, lanes);
  const GlobalMemory& memory = *x.launch->memory;
  if (span.contiguous && mask == kAllLanes) {
    T* to = reinterpret_cast<T*>(memory.Host(span.low));
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
    __builtin_memcpy(memory.Host(a[l] + offset), values, sizeof(values));
  }
}

// Executes the lanes one after another. Each is atomic with respect to other host threads. dst receives the old values;
// the operands are rows b and c.
template <typename Op>
inline void GlobalAtomic(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  using T = typename Op::T;
  using U = Bits<T>;
  AddressSpan span;
  mask = EnterGlobal(x, i, a, offset, mask, sizeof(T), AccessKind::kAtomic, &span);
  SyncAddresses strong(Synchronises(x, i), a, offset, mask, sizeof(T), AccessKind::kAtomic);
  if (strong.any) BeforeStrongWrite(x, i, true, strong.lanes);
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  const Storage<T>* c = Row<Storage<T>>(x, i.c);
  Storage<T>* d = Row<Storage<T>>(x, i.dst);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    U* cell = reinterpret_cast<U*>(x.launch->memory->Host(a[l] + offset));
    T vb = Get<T>(b[l]), vc = Get<T>(c[l]);
    U old = __atomic_load_n(cell, __ATOMIC_RELAXED);
    U next;
    do {
      next = __builtin_bit_cast(U, Op::F(__builtin_bit_cast(T, old), vb, vc));
    } while (!__atomic_compare_exchange_n(cell, &old, next, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    x.atomic_changes += next != old ? 1 : 0;
    d[l] = old;
  }
  if (strong.any) AfterStrongRead(x, i, true, strong.lanes);
}

}  // namespace
}  // namespace warpgrade::emulator
