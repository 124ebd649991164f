// ld, st, atom and red on global memory: PTX ISA "Data Movement", "Parallel Synchronization: atom, red". Bounds are
// exact; sectors are counted per request. Tested by tests/emulator/exec/global_access_test.cc.
#include "grader/emulator/machine/handlers/global_access.h"

#include "grader/emulator/machine/handlers/atomic_ops.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

template <typename T, typename Out, int kVector>
void Load(Exec& x, const Inst& i) {
  if (x.mask != 0) GlobalLoad<T, Out, kVector>(x, i, Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
}
template <typename T, int kVector>
void Store(Exec& x, const Inst& i) {
  if (x.mask != 0) GlobalStore<T, kVector>(x, i, Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
}
template <typename Op>
void Atomic(Exec& x, const Inst& i) {
  if (x.mask != 0) GlobalAtomic<Op>(x, i, Row<uint64_t>(x, i.a), static_cast<uint64_t>(i.imm), x.mask);
}

#define LOAD(v, V, t, T, Out) \
  { "ld.global" v "." t, Load<T, Out, V> }
#define LOAD_ALL(v, V)                                                                                            \
  LOAD(v, V, "u8", uint8_t, uint32_t), LOAD(v, V, "s8", int8_t, uint32_t), LOAD(v, V, "u16", uint16_t, uint32_t), \
      LOAD(v, V, "s16", int16_t, uint32_t), LOAD(v, V, "u32", uint32_t, uint32_t),                                \
      LOAD(v, V, "u64", uint64_t, uint64_t), LOAD(v, V, "u8.wide", uint8_t, uint64_t),                            \
      LOAD(v, V, "s8.wide", int8_t, uint64_t), LOAD(v, V, "u16.wide", uint16_t, uint64_t),                        \
      LOAD(v, V, "s16.wide", int16_t, uint64_t), LOAD(v, V, "u32.wide", uint32_t, uint64_t),                      \
      LOAD(v, V, "s32.wide", int32_t, uint64_t)
#define STORE_ALL(v, V)                                                                 \
  {"st.global" v ".u8", Store<uint8_t, V>}, {"st.global" v ".u16", Store<uint16_t, V>}, \
      {"st.global" v ".u32", Store<uint32_t, V>}, {                                     \
    "st.global" v ".u64", Store<uint64_t, V>                                            \
  }

const HandlerEntry kHandlers[] = {
    LOAD_ALL("", 1),
    LOAD_ALL(".v2", 2),
    LOAD_ALL(".v4", 4),
    STORE_ALL("", 1),
    STORE_ALL(".v2", 2),
    STORE_ALL(".v4", 4),
    WARPGRADE_ATOMICS("atom.global", Atomic),
};

}  // namespace

HandlerSpan GlobalAccessHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
