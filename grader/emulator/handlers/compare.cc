// Comparison and selection: PTX ISA "Comparison and Selection Instructions". Tested by
// tests/emulator/exec/compare_test.cc.
#include "grader/emulator/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

// Ordered comparisons are false when an operand is NaN; the ones ending in u are true.
struct Eq {
  template <typename T>
  static bool F(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <typename T>
  static bool F(T a, T b) {
    return a < b || a > b;
  }
};
struct Lt {
  template <typename T>
  static bool F(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <typename T>
  static bool F(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <typename T>
  static bool F(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <typename T>
  static bool F(T a, T b) {
    return a >= b;
  }
};
struct Equ {
  template <typename T>
  static bool F(T a, T b) {
    return !(a < b || a > b);
  }
};
struct Neu {
  template <typename T>
  static bool F(T a, T b) {
    return a != b;
  }
};
struct Ltu {
  template <typename T>
  static bool F(T a, T b) {
    return !(a >= b);
  }
};
struct Leu {
  template <typename T>
  static bool F(T a, T b) {
    return !(a > b);
  }
};
struct Gtu {
  template <typename T>
  static bool F(T a, T b) {
    return !(a <= b);
  }
};
struct Geu {
  template <typename T>
  static bool F(T a, T b) {
    return !(a < b);
  }
};
struct Num {
  template <typename T>
  static bool F(T a, T b) {
    return a == a && b == b;
  }
};
struct Nan {
  template <typename T>
  static bool F(T a, T b) {
    return a != a || b != b;
  }
};

// The second predicate (dst2) gets the negated comparison. Inst::small: 0 plain, 1 and, 2 or, 3 xor with predicate c,
// which is negated when imm is 1. dst or dst2 may be the sink: then its offset is the frame's scratch word.
template <typename T, typename Op, bool kFlush>
void Setp(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  uint32_t bits = PredicateOf([=](int l) {
    T p = Get<T>(a[l]), q = Get<T>(b[l]);
    if (kFlush) {
      if (p < T(0) ? -p < static_cast<T>(1.17549435e-38f) : p < static_cast<T>(1.17549435e-38f)) p = 0;
      if (q < T(0) ? -q < static_cast<T>(1.17549435e-38f) : q < static_cast<T>(1.17549435e-38f)) q = 0;
    }
    return Op::F(p, q);
  });
  uint32_t negated = ~bits;
  if (i.small != 0) {
    uint32_t c = *Row<uint32_t>(x, i.c);
    if (i.imm == 1) c = ~c;
    bits = i.small == 1 ? bits & c : i.small == 2 ? bits | c : bits ^ c;
    negated = i.small == 1 ? negated & c : i.small == 2 ? negated | c : negated ^ c;
  }
  SetPredicate(x, i.dst, bits);
  if (i.dst2 != 0) SetPredicate(x, i.dst2, negated);
}

// set: all ones or 1.0 where true.
template <typename D, typename T, typename Op>
void Set(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  const uint32_t c_mask = i.small != 0 ? (i.imm == 1 ? ~*Row<uint32_t>(x, i.c) : *Row<uint32_t>(x, i.c)) : 0;
  const uint8_t combine = i.small;
  ForLanes<D>(x, i.dst, [=](int l) {
    bool r = Op::F(Get<T>(a[l]), Get<T>(b[l])), c = (c_mask >> l) & 1;
    if (combine == 1) r = r && c;
    if (combine == 2) r = r || c;
    if (combine == 3) r = r != c;
    D one = D(0.5) == D(0) ? static_cast<D>(-1) : static_cast<D>(1);
    return r ? one : D(0);
  });
}

template <typename T>
void Selp(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  uint32_t p = *Row<uint32_t>(x, i.c);
  if (i.imm == 1) p = ~p;
  ForLanes<T>(x, i.dst, [=](int l) { return Get<T>((p >> l) & 1 ? a[l] : b[l]); });
}
template <typename T, typename C>
void Slct(Exec& x, const Inst& i) {
  const Storage<T>* a = Row<Storage<T>>(x, i.a);
  const Storage<T>* b = Row<Storage<T>>(x, i.b);
  const uint32_t* c = Row<uint32_t>(x, i.c);
  ForLanes<T>(x, i.dst, [=](int l) { return Get<T>(Get<C>(c[l]) >= C(0) ? a[l] : b[l]); });
}

#define SETP(op, Op, t, T) \
  { "setp." op "." t, Setp<T, Op, false> }
#define SETP_INT(t, T)                                                                                           \
  SETP("eq", Eq, t, T), SETP("ne", Neu, t, T), SETP("lt", Lt, t, T), SETP("le", Le, t, T), SETP("gt", Gt, t, T), \
      SETP("ge", Ge, t, T)
#define SETP_FLOAT(t, T)                                                                                        \
  SETP("eq", Eq, t, T), SETP("ne", Ne, t, T), SETP("lt", Lt, t, T), SETP("le", Le, t, T), SETP("gt", Gt, t, T), \
      SETP("ge", Ge, t, T), SETP("equ", Equ, t, T), SETP("neu", Neu, t, T), SETP("ltu", Ltu, t, T),             \
      SETP("leu", Leu, t, T), SETP("gtu", Gtu, t, T), SETP("geu", Geu, t, T), SETP("num", Num, t, T),           \
      SETP("nan", Nan, t, T)
#define SETP_FTZ(op, Op) \
  { "setp." op ".ftz.f32", Setp<float, Op, true> }
#define SET_INT(d, D, t, T)                                                                                   \
  {"set.eq." d "." t, Set<D, T, Eq>}, {"set.ne." d "." t, Set<D, T, Ne>}, {"set.lt." d "." t, Set<D, T, Lt>}, \
      {"set.le." d "." t, Set<D, T, Le>}, {"set.gt." d "." t, Set<D, T, Gt>}, {                               \
    "set.ge." d "." t, Set<D, T, Ge>                                                                          \
  }
#define SET(d, D)                                                                                \
  SET_INT(d, D, "u32", uint32_t), SET_INT(d, D, "s32", int32_t), SET_INT(d, D, "u64", uint64_t), \
      SET_INT(d, D, "s64", int64_t), SET_INT(d, D, "f32", float), SET_INT(d, D, "f64", double)

const HandlerEntry kHandlers[] = {
    SETP_INT("u16", uint16_t),
    SETP_INT("s16", int16_t),
    SETP_INT("u32", uint32_t),
    SETP_INT("s32", int32_t),
    SETP_INT("u64", uint64_t),
    SETP_INT("s64", int64_t),
    SETP_FLOAT("f32", float),
    SETP_FLOAT("f64", double),
    SETP_FLOAT("f16", _Float16),
    SETP_FTZ("eq", Eq),
    SETP_FTZ("ne", Ne),
    SETP_FTZ("lt", Lt),
    SETP_FTZ("le", Le),
    SETP_FTZ("gt", Gt),
    SETP_FTZ("ge", Ge),
    SETP_FTZ("equ", Equ),
    SETP_FTZ("neu", Neu),
    SETP_FTZ("ltu", Ltu),
    SETP_FTZ("leu", Leu),
    SETP_FTZ("gtu", Gtu),
    SETP_FTZ("geu", Geu),
    SETP_FTZ("num", Num),
    SETP_FTZ("nan", Nan),
    SET("u32", uint32_t),
    SET("f32", float),
    {"selp.b16", Selp<uint16_t>},
    {"selp.b32", Selp<uint32_t>},
    {"selp.b64", Selp<uint64_t>},
    {"slct.b32.s32", Slct<uint32_t, int32_t>},
    {"slct.b64.s32", Slct<uint64_t, int32_t>},
    {"slct.b32.f32", Slct<uint32_t, float>},
    {"slct.b64.f32", Slct<uint64_t, float>},
};

}  // namespace

HandlerSpan CompareHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator::WARPGRADE_ISA
