// Loads, stores and atomics of shared memory. The handlers of shared and of generic accesses share them. One host
// thread runs a whole block, so shared memory needs no host atomics. Most accesses have a shape that shared_shape.h
// knows; the others go through EnterShared. Tested by tests/emulator/exec/shared_access_test.cc and
// shared_shape_test.cc.
#pragma once

#include "grader/emulator/machine/handlers/global_access.h"
#include "grader/emulator/machine/handlers/shared_shape.h"

namespace warpgrade::emulator {
namespace {

inline void CountShared(Exec& x, const Inst& i, uint32_t wavefronts, uint32_t ideal) {
  InstStats::Shared& stats = x.stats[i.index].shared;
  stats.requests += 1;
  stats.wavefronts += wavefronts;
  stats.ideal_wavefronts += ideal;
}

inline void NoteStrongShared(Exec& x, const Inst& i, uint64_t address) {
  if ((i.order & kStrong) != 0) NoteStrong(x, i, kSharedWindow + address);
}

// The general way: any addresses, any lanes. Gives those that may access.
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
  const Wavefronts w = CountWavefronts(a, offset, mask, *span, size);
  CountShared(x, i, w.actual, w.ideal);
  if (x.requests != nullptr) NoteRequest(x, i, RequestSpace::kShared, a, offset, mask, size, kind);
  NoteStrongShared(x, i, a[__builtin_ctz(mask)] + offset);
  // The memory that the system reserves behind the kernel's own is not checked.
  if ((!x.block->shadow.empty() || !x.block->shared_valid.empty()) && span->end <= x.launch->shared_bytes) {
    ObserveShared(x, i, {a, offset, mask, size, kind, span->contiguous, span->low, span->end, span->same});
  }
  return mask;
}

inline AccessKind KindOf(const Inst& i) {
  return i.access == AccessDirection::kLoad    ? AccessKind::kRead
         : i.access == AccessDirection::kStore ? AccessKind::kWrite
                                               : AccessKind::kAtomic;
}

// True if all bytes of a whole warp were written, of which `valid` has a bit each. May say false if they were.
// REQUIRES: the lanes are in bounds and aligned.
template <int kSize>
inline bool WrittenEverywhere(const std::vector<uint64_t>& valid, SharedLanes a, LaneMask mask) {
  if (mask != kAllLanes || valid.empty()) return false;
#if defined(__AVX2__)
  const int* bits = reinterpret_cast<const int*>(valid.data());
  const __m256i offset = _mm256_set1_epi32(static_cast<int>(a.offset));
  constexpr auto kOnes = static_cast<int>((uint64_t{1} << kSize) - 1);  // no lane's bytes lie in two words of 32 bits
  const __m256i last_bits = _mm256_set1_epi32(31), wanted = _mm256_set1_epi32(kOnes);
  __m256i all = wanted;
  for (int l = 0; l < kLanes; l += 8) {
    const __m256i at = _mm256_add_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a.row + l)), offset);
    const __m256i word = _mm256_i32gather_epi32(bits, _mm256_srli_epi32(at, 5), 4);
    all = _mm256_and_si256(all, _mm256_srlv_epi32(word, _mm256_and_si256(at, last_bits)));
  }
  return _mm256_movemask_epi8(_mm256_cmpeq_epi32(all, wanted)) == -1;
#else
  return false;
#endif
}

// What follows is called last by EnterSharedLanes, with all that it takes in registers. So EnterSharedLanes itself,
// which most accesses need alone, saves no register.

[[maybe_unused, gnu::noinline, gnu::cold]] void NoteSharedRequest(Exec& x, const Inst& i, SharedLanes a, LaneMask mask,
                                                                  int size) {
  const WideAddresses wide(a);
  NoteRequest(x, i, RequestSpace::kShared, wide.lane, 0, mask, size, KindOf(i));
}

template <int kSize>
[[gnu::noinline]] SharedAccess Observed(Exec& x, const Inst& i, SharedLanes a, SharedAccess s) {
  if (x.requests != nullptr) [[unlikely]] {
    NoteSharedRequest(x, i, a, s.mask, kSize);
  }
  NoteStrongShared(x, i, a.At(__builtin_ctz(s.mask)));
  if (x.block->shadow.empty() && x.block->shared_valid.empty()) return s;
  const bool plain_read = i.access == AccessDirection::kLoad && (i.order & kStrong) == 0;
  if (plain_read && s.shape != LaneShape::kOther &&
      CheckPlainRead(x, i, s.mask, kSize, s.low, s.end, s.shape == LaneShape::kSame)) {
    return s;
  }
  const WideAddresses wide(a);
  const bool written = s.shape == LaneShape::kOther && WrittenEverywhere<kSize>(x.block->shared_valid, a, s.mask);
  ObserveShared(x, i,
                {wide.lane, 0, s.mask, kSize, KindOf(i), s.shape == LaneShape::kRun, s.low, s.end,
                 s.shape == LaneShape::kSame, written});
  return s;
}

inline LaneShape ShapeOf(const AddressSpan& span) {
  return span.contiguous ? LaneShape::kRun : span.same ? LaneShape::kSame : LaneShape::kOther;
}

// Some lane is outside the block's own shared memory, or misaligned.
[[maybe_unused, gnu::noinline]] SharedAccess EnterDoubtful(Exec& x, const Inst& i, SharedLanes a, LaneMask mask,
                                                           int size) {
  const WideAddresses wide(a);
  AddressSpan span;
  mask = EnterShared(x, i, wide.lane, 0, mask, size, KindOf(i), &span);
  if (mask == 0) return {};
  return {mask, static_cast<uint32_t>(span.low), static_cast<uint32_t>(span.end), ShapeOf(span)};
}

// The general way for an access whose shape is not known. It is known from then on.
template <int kSize>
[[gnu::noinline]] SharedAccess EnterUnknownShape(Exec& x, const Inst& i, SharedLanes a, LaneMask mask) {
  alignas(64) uint32_t at[kLanes];
  for (int l = 0; l < kLanes; ++l) at[l] = a.At(l);
  const AddressSpan span = Measure(at, 0, mask, kSize);
  if (span.end > x.launch->shared_bytes || span.low >= span.end || span.any_bits % kSize != 0) {
    return EnterDoubtful(x, i, a, mask, kSize);
  }
  const Wavefronts w = CountWavefronts(at, 0, mask, span, kSize);
  CountShared(x, i, w.actual, w.ideal);
  // Addresses of atomics mostly come from data: no two have one shape.
  if (KindOf(i) != AccessKind::kAtomic) Remember(x.shapes->Of(i.a), a, mask, span, kSize, w);
  return Observed<kSize>(x, i, a,
                         {mask, static_cast<uint32_t>(span.low), static_cast<uint32_t>(span.end), ShapeOf(span)});
}

// The lanes that may access, and how they lie. REQUIRES: mask != 0.
template <int kSize>
[[gnu::noinline]] SharedAccess EnterSharedLanes(Exec& x, const Inst& i, SharedLanes a, LaneMask mask) {
  Wavefronts w;
  const SharedAccess s = KnowShape<kSize>(x.shapes->Of(i.a), a, mask, x.launch->shared_bytes, &w);
  if (s.mask == 0) return EnterUnknownShape<kSize>(x, i, a, mask);
  CountShared(x, i, w.actual, w.ideal);
  if ((i.order & kStrong) != 0 || !x.block->shadow.empty() || !x.block->shared_valid.empty() || x.requests != nullptr) {
    return Observed<kSize>(x, i, a, s);
  }
  return s;
}

// One host thread runs the block, so nothing can happen between a strong access and what these do.
[[maybe_unused, gnu::noinline]] void SynchroniseShared(Exec& x, const Inst& i, SharedLanes a, LaneMask mask, int size,
                                                       AccessKind kind) {
  const WideAddresses wide(a);
  const AccessLanes lanes{wide.lane, 0, mask, size, kind, false, 0, 0};
  if (kind != AccessKind::kWrite) AfterStrongRead(x, i, false, lanes);
  if (kind != AccessKind::kRead) BeforeStrongWrite(x, i, false, lanes);
}

[[maybe_unused, gnu::noinline]] void CheckCollisions(Exec& x, const Inst& i, SharedLanes a, SharedAccess s,
                                                     const uint32_t* rows, int vector, int element_bytes,
                                                     int cell_bytes) {
  const WideAddresses wide(a);
  const int size = vector * element_bytes;
  CheckCollidingStores(x, i, false, {wide.lane, 0, s.mask, size, AccessKind::kWrite, false, s.low, s.end}, rows, vector,
                       cell_bytes);
}

template <typename T, typename Out, int kVector>
inline void SharedLoad(Exec& x, const Inst& i, SharedLanes a, LaneMask mask) {
  constexpr int kSize = static_cast<int>(sizeof(T)) * kVector;
  const SharedAccess s = EnterSharedLanes<kSize>(x, i, a, mask);
  if (s.mask == 0) return;
  if (Synchronises(x, i)) SynchroniseShared(x, i, a, s.mask, kSize, AccessKind::kRead);
  const uint32_t* rows = DataRows(x, i, kVector);
  const uint8_t* shared = x.block->shared.data();
  if (s.mask == kAllLanes && s.shape == LaneShape::kRun) {
    const T* from = reinterpret_cast<const T*>(shared + s.low);
    for (int k = 0; k < kVector; ++k) {
      Out* d = Row<Out>(x, rows[k]);
#pragma GCC ivdep
      for (int l = 0; l < kLanes; ++l) d[l] = Extend<T, Out>(from[l * kVector + k]);
    }
    return;
  }
  if (s.mask == kAllLanes && s.shape == LaneShape::kSame) {
    T values[kVector];
    __builtin_memcpy(values, shared + s.low, sizeof(values));
    for (int k = 0; k < kVector; ++k) {
      Out* d = Row<Out>(x, rows[k]);
      for (int l = 0; l < kLanes; ++l) d[l] = Extend<T, Out>(values[k]);
    }
    return;
  }
  auto load = [&](int l) {  // the address row may be a destination too: read all elements before writing any
    T values[kVector];
    __builtin_memcpy(values, shared + a.At(l), sizeof(values));
    for (int k = 0; k < kVector; ++k) Row<Out>(x, rows[k])[l] = Extend<T, Out>(values[k]);
  };
  if (s.mask == kAllLanes) {
    for (int l = 0; l < kLanes; ++l) load(l);
    return;
  }
  for (LaneMask m = s.mask; m != 0; m &= m - 1) load(__builtin_ctz(m));
}

template <typename T, int kVector>
inline void SharedStore(Exec& x, const Inst& i, SharedLanes a, LaneMask mask) {
  constexpr int kSize = static_cast<int>(sizeof(T)) * kVector;
  const SharedAccess s = EnterSharedLanes<kSize>(x, i, a, mask);
  if (s.mask == 0) return;
  const uint32_t* rows = DataRows(x, i, kVector);
  uint8_t* shared = x.block->shared.data();
  if (!x.block->shadow.empty() && s.shape != LaneShape::kRun) {
    CheckCollisions(x, i, a, s, rows, kVector, sizeof(T), static_cast<int>(sizeof(Storage<T>)));
  }
  if (Synchronises(x, i)) SynchroniseShared(x, i, a, s.mask, kSize, AccessKind::kWrite);
  if (s.mask == kAllLanes && s.shape == LaneShape::kRun) {
    T* to = reinterpret_cast<T*>(shared + s.low);
    for (int k = 0; k < kVector; ++k) {
      const Storage<T>* from = Row<Storage<T>>(x, rows[k]);
#pragma GCC ivdep
      for (int l = 0; l < kLanes; ++l) to[l * kVector + k] = static_cast<T>(from[l]);
    }
    return;
  }
  auto store = [&](int l) {
    T values[kVector];
    for (int k = 0; k < kVector; ++k) values[k] = static_cast<T>(Row<Storage<T>>(x, rows[k])[l]);
    __builtin_memcpy(shared + a.At(l), values, sizeof(values));
  };
  if (s.mask == kAllLanes) {
    for (int l = 0; l < kLanes; ++l) store(l);
    return;
  }
  for (LaneMask m = s.mask; m != 0; m &= m - 1) store(__builtin_ctz(m));
}

template <typename Op>
inline void SharedAtomic(Exec& x, const Inst& i, SharedLanes a, LaneMask mask) {
  using T = typename Op::T;
  using U = Bits<T>;
  const SharedAccess s = EnterSharedLanes<sizeof(T)>(x, i, a, mask);
  if (s.mask == 0) return;
  if (Synchronises(x, i)) SynchroniseShared(x, i, a, s.mask, sizeof(T), AccessKind::kAtomic);
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  const Storage<T>* c = Row<Storage<T>>(x, i.c);
  Storage<T>* d = Row<Storage<T>>(x, i.dst);
  for (LaneMask m = s.mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint8_t* cell = x.block->shared.data() + a.At(l);
    U old;
    __builtin_memcpy(&old, cell, sizeof(old));
    U next = __builtin_bit_cast(U, Op::F(__builtin_bit_cast(T, old), Get<T>(b[l]), Get<T>(c[l])));
    __builtin_memcpy(cell, &next, sizeof(next));
    d[l] = old;
  }
}

// 64-bit addresses in shared memory as 32-bit ones. `legal`: the lanes for which that is no loss; the others, which lie
// 4 GB or more beyond the start, are reported.
struct NarrowAddresses {
  alignas(64) uint32_t lane[kLanes];
  LaneMask legal;
  NarrowAddresses(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask, int size, AccessKind kind)
      : legal(mask) {
    uint64_t beyond = 0;
    for (int l = 0; l < kLanes; ++l) {
      const uint64_t at = a[l] + offset;
      lane[l] = static_cast<uint32_t>(at);
      beyond |= (mask >> l & 1) != 0 ? at >> 32 : 0;
    }
    if (beyond != 0) legal = CheckSharedLanes(x, i, a, offset, mask, size, kind);
  }
  SharedLanes lanes() const { return {lane, 0}; }
};

}  // namespace
}  // namespace warpgrade::emulator
