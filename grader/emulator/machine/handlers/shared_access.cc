// ld, st, atom and red on shared memory. Bank conflicts are counted for each request, and the race check runs. The keys
// ending in .a32 take 32-bit addresses. Tested by tests/emulator/exec/shared_access_test.cc.
#include "grader/emulator/machine/handlers/shared_access.h"

#include "grader/emulator/machine/handlers/atomic_ops.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

inline SharedLanes Narrow(const Exec& x, const Inst& i) {
  return {Row<uint32_t>(x, i.a), static_cast<uint32_t>(i.imm)};
}
inline NarrowAddresses Narrowed(Exec& x, const Inst& i, int size, AccessKind kind) {
  return NarrowAddresses(x, i, Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask, size, kind);
}

template <typename T, typename Out, int kVector>
void Load(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  const NarrowAddresses a = Narrowed(x, i, sizeof(T) * kVector, AccessKind::kRead);
  if (a.legal != 0) SharedLoad<T, Out, kVector>(x, i, a.lanes(), a.legal);
}
template <typename T, typename Out, int kVector>
void Load32(Exec& x, const Inst& i) {
  if (x.mask != 0) SharedLoad<T, Out, kVector>(x, i, Narrow(x, i), x.mask);
}
template <typename T, int kVector>
void Store(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  const NarrowAddresses a = Narrowed(x, i, sizeof(T) * kVector, AccessKind::kWrite);
  if (a.legal != 0) SharedStore<T, kVector>(x, i, a.lanes(), a.legal);
}
template <typename T, int kVector>
void Store32(Exec& x, const Inst& i) {
  if (x.mask != 0) SharedStore<T, kVector>(x, i, Narrow(x, i), x.mask);
}
template <typename Op>
void Atomic(Exec& x, const Inst& i) {
  if (x.mask == 0) return;
  const NarrowAddresses a = Narrowed(x, i, sizeof(typename Op::T), AccessKind::kAtomic);
  if (a.legal != 0) SharedAtomic<Op>(x, i, a.lanes(), a.legal);
}
template <typename Op>
void Atomic32(Exec& x, const Inst& i) {
  if (x.mask != 0) SharedAtomic<Op>(x, i, Narrow(x, i), x.mask);
}

#define LOAD(v, V, t, T, Out) \
  {"ld.shared" v "." t, Load<T, Out, V>}, { "ld.shared.a32" v "." t, Load32<T, Out, V> }
#define LOAD_ALL(v, V)                                                                                            \
  LOAD(v, V, "u8", uint8_t, uint32_t), LOAD(v, V, "s8", int8_t, uint32_t), LOAD(v, V, "u16", uint16_t, uint32_t), \
      LOAD(v, V, "s16", int16_t, uint32_t), LOAD(v, V, "u32", uint32_t, uint32_t),                                \
      LOAD(v, V, "u64", uint64_t, uint64_t), LOAD(v, V, "u8.wide", uint8_t, uint64_t),                            \
      LOAD(v, V, "s8.wide", int8_t, uint64_t), LOAD(v, V, "u16.wide", uint16_t, uint64_t),                        \
      LOAD(v, V, "s16.wide", int16_t, uint64_t), LOAD(v, V, "u32.wide", uint32_t, uint64_t),                      \
      LOAD(v, V, "s32.wide", int32_t, uint64_t)
#define STORE(v, V, t, T) \
  {"st.shared" v "." t, Store<T, V>}, { "st.shared.a32" v "." t, Store32<T, V> }
#define STORE_ALL(v, V) \
  STORE(v, V, "u8", uint8_t), STORE(v, V, "u16", uint16_t), STORE(v, V, "u32", uint32_t), STORE(v, V, "u64", uint64_t)

const HandlerEntry kHandlers[] = {
    LOAD_ALL("", 1),
    LOAD_ALL(".v2", 2),
    LOAD_ALL(".v4", 4),
    STORE_ALL("", 1),
    STORE_ALL(".v2", 2),
    STORE_ALL(".v4", 4),
    WARPGRADE_ATOMICS("atom.shared", Atomic),
    WARPGRADE_ATOMICS("atom.shared.a32", Atomic32),
};

}  // namespace

HandlerSpan SharedAccessHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
