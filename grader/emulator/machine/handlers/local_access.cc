// ld and st on local memory (and on the param space of calls, which is part of it), and accesses through generic
// addresses, whose address window decides the space. Tested by tests/emulator/exec/local_access_test.cc.
#include "grader/emulator/checks/report.h"
#include "grader/emulator/machine/handlers/atomic_ops.h"
#include "grader/emulator/machine/handlers/shared_access.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

inline LaneMask EnterLocal(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask, int size,
                           AccessKind kind) {
  mask = CheckLocalLanes(x, i, a, offset, mask, size, kind);
  if (mask == 0) return 0;
  InstStats::Local& stats = x.stats[i.index].local;
  stats.requests += 1;
  stats.bytes += static_cast<uint64_t>(__builtin_popcount(mask)) * static_cast<uint64_t>(size);
  if (!x.warp->local_valid.empty()) ObserveLocal(x, i, a, offset, mask, size, kind);
  return mask;
}
inline uint8_t* LocalCell(const Exec& x, int lane, uint64_t address) {
  return x.warp->local.data() + static_cast<uint64_t>(lane) * x.warp->local_stride + address;
}

template <typename T, typename Out, int kVector>
inline void LocalLoadAt(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  mask = EnterLocal(x, i, a, offset, mask, static_cast<int>(sizeof(T)) * kVector, AccessKind::kRead);
  const uint32_t* rows = DataRows(x, i, kVector);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    T values[kVector];
    __builtin_memcpy(values, LocalCell(x, l, a[l] + offset), sizeof(values));
    for (int k = 0; k < kVector; ++k) Row<Out>(x, rows[k])[l] = Extend<T, Out>(values[k]);
  }
}
template <typename T, int kVector>
inline void LocalStoreAt(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  mask = EnterLocal(x, i, a, offset, mask, static_cast<int>(sizeof(T)) * kVector, AccessKind::kWrite);
  const uint32_t* rows = DataRows(x, i, kVector);
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    T values[kVector];
    for (int k = 0; k < kVector; ++k) values[k] = static_cast<T>(Row<Storage<T>>(x, rows[k])[l]);
    __builtin_memcpy(LocalCell(x, l, a[l] + offset), values, sizeof(values));
  }
}

template <typename T, typename Out, int kVector>
void LocalLoad(Exec& x, const Inst& i) {
  if (x.mask != 0) LocalLoadAt<T, Out, kVector>(x, i, Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
}
template <typename T, int kVector>
void LocalStore(Exec& x, const Inst& i) {
  if (x.mask != 0) LocalStoreAt<T, kVector>(x, i, Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
}

// Reads kernel parameters through a generic address: the kernel takes the address of a struct that was passed by value.
template <typename T, typename Out, int kVector>
inline void ParamLoadAt(Exec& x, const Inst& i, const uint64_t* a, uint64_t offset, LaneMask mask) {
  const uint32_t* rows = DataRows(x, i, kVector);
  const uint64_t bytes = x.launch->parameters.size();
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctz(m);
    T values[kVector] = {};
    uint64_t at = a[l] + offset;
    if (at > bytes || bytes - at < sizeof(values)) {
      Report(x, i, FindingKind::kOutOfBounds, l, kParamWindow + at, static_cast<int>(sizeof(values)),
             "read past the end of the kernel's parameters");
      continue;
    }
    __builtin_memcpy(values, x.launch->parameters.data() + at, sizeof(values));
    for (int k = 0; k < kVector; ++k) Row<Out>(x, rows[k])[l] = Extend<T, Out>(values[k]);
  }
}

// Splits the lanes by address window. The addresses of each part become relative to its space.
struct Windows {
  alignas(64) uint64_t relative[kLanes];
  alignas(64) uint32_t narrow[kLanes];  // the same; a window has 32-bit addresses
  LaneMask local = 0, shared = 0, param = 0, global = 0;
  Windows(const uint64_t* a, uint64_t offset, LaneMask mask) {
    for (int l = 0; l < kLanes; ++l) {
      uint64_t v = a[l] + offset;
      LaneMask bit = mask & (1u << l);
      relative[l] = v;
      if (v - kSharedWindow < kWindowBytes) {
        shared |= bit;
        relative[l] = v - kSharedWindow;
      } else if (IsLocalAddress(v)) {
        local |= bit;
        relative[l] = v - kLocalWindow;
      } else if (v - kParamWindow < kWindowBytes) {
        param |= bit;
        relative[l] = v - kParamWindow;
      } else {
        global |= bit;
      }
    }
    for (int l = 0; l < kLanes; ++l) narrow[l] = static_cast<uint32_t>(relative[l]);
  }
  SharedLanes shared_lanes() const { return {narrow, 0}; }
};

// `window` is added to the address in the report.
void ReportNotAllowed(Exec& x, const Inst& i, const Windows& w, LaneMask mask, int size, const char* what,
                      uint64_t window = 0) {
  for (LaneMask m = mask; m != 0; m &= m - 1) {
    const int l = __builtin_ctz(m);
    if (CountAgain(x, i, FindingKind::kOutOfBounds, l)) continue;
    Report(x, i, FindingKind::kOutOfBounds, l, window + w.relative[l], size, what);
  }
}

void ReportParameterWrite(Exec& x, const Inst& i, const Windows& w, int size) {
  ReportNotAllowed(x, i, w, w.param, size, "wrote to a parameter of the kernel; parameters can only be read",
                   kParamWindow);
}

template <typename T, typename Out, int kVector>
void GenericLoad(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  Windows w(Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
  if (i.count_class == CountClass::kParameter) {  // it does not count as memory, so it may reach nothing else
    ReportNotAllowed(x, i, w, x.mask & ~w.param, static_cast<int>(sizeof(T)) * kVector,
                     "ld.param read an address that is not among the kernel's parameters");
    return ParamLoadAt<T, Out, kVector>(x, i, w.relative, 0, w.param);
  }
  if (w.global != 0) GlobalLoad<T, Out, kVector>(x, i, w.relative, 0, w.global);
  if (w.shared != 0) SharedLoad<T, Out, kVector>(x, i, w.shared_lanes(), w.shared);
  if (w.local != 0) LocalLoadAt<T, Out, kVector>(x, i, w.relative, 0, w.local);
  if (w.param != 0) ParamLoadAt<T, Out, kVector>(x, i, w.relative, 0, w.param);
}
template <typename T, int kVector>
void GenericStore(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  Windows w(Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
  if (i.count_class == CountClass::kParameter) {
    return ReportNotAllowed(x, i, w, x.mask, static_cast<int>(sizeof(T)) * kVector,
                            "st.param wrote through a register; a kernel's parameters can only be read");
  }
  if (w.global != 0) GlobalStore<T, kVector>(x, i, w.relative, 0, w.global);
  if (w.shared != 0) SharedStore<T, kVector>(x, i, w.shared_lanes(), w.shared);
  if (w.local != 0) LocalStoreAt<T, kVector>(x, i, w.relative, 0, w.local);
  if (w.param != 0) ReportParameterWrite(x, i, w, static_cast<int>(sizeof(T)) * kVector);
}
template <typename Op>
void GenericAtomic(Exec& x, const Inst& i) {
  constexpr int kSize = static_cast<int>(sizeof(typename Op::T));
  if (x.mask == 0) return;
  Windows w(Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
  if (w.global != 0) GlobalAtomic<Op>(x, i, w.relative, 0, w.global);
  if (w.shared != 0) SharedAtomic<Op>(x, i, w.shared_lanes(), w.shared);
  if (w.local != 0) ReportNotAllowed(x, i, w, w.local, kSize, kLocalAtomic, kLocalWindow);
  if (w.param != 0) ReportParameterWrite(x, i, w, kSize);
}

#define LOAD(v, V, t, T, Out) \
  {"ld.local" v "." t, LocalLoad<T, Out, V>}, { "ld" v "." t, GenericLoad<T, Out, V> }
#define LOAD_ALL(v, V)                                                                                            \
  LOAD(v, V, "u8", uint8_t, uint32_t), LOAD(v, V, "s8", int8_t, uint32_t), LOAD(v, V, "u16", uint16_t, uint32_t), \
      LOAD(v, V, "s16", int16_t, uint32_t), LOAD(v, V, "u32", uint32_t, uint32_t),                                \
      LOAD(v, V, "u64", uint64_t, uint64_t), LOAD(v, V, "u8.wide", uint8_t, uint64_t),                            \
      LOAD(v, V, "s8.wide", int8_t, uint64_t), LOAD(v, V, "u16.wide", uint16_t, uint64_t),                        \
      LOAD(v, V, "s16.wide", int16_t, uint64_t), LOAD(v, V, "u32.wide", uint32_t, uint64_t),                      \
      LOAD(v, V, "s32.wide", int32_t, uint64_t)
#define STORE(v, V, t, T) \
  {"st.local" v "." t, LocalStore<T, V>}, { "st" v "." t, GenericStore<T, V> }
#define STORE_ALL(v, V) \
  STORE(v, V, "u8", uint8_t), STORE(v, V, "u16", uint16_t), STORE(v, V, "u32", uint32_t), STORE(v, V, "u64", uint64_t)

const HandlerEntry kHandlers[] = {
    LOAD_ALL("", 1),
    LOAD_ALL(".v2", 2),
    LOAD_ALL(".v4", 4),
    STORE_ALL("", 1),
    STORE_ALL(".v2", 2),
    STORE_ALL(".v4", 4),
    WARPGRADE_ATOMICS("atom", GenericAtomic),
};

}  // namespace

HandlerSpan LocalAccessHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
