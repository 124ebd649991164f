// Comparison and selection: PTX ISA "Comparison and Selection Instructions". Tested by
// tests/emulator/exec/compare_test.cc.
#include "grader/emulator/machine/handlers/lanes.h"

namespace warpgrade::emulator::WARPGRADE_ISA {
namespace {

// Ordered comparisons are false when an operand is NaN; the unordered ones, which end in u, are true.
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

inline uint32_t Joined(PredicateJoin join, uint32_t bits, uint32_t c) {
  return join == PredicateJoin::kAnd ? bits & c : join == PredicateJoin::kOr ? bits | c : bits ^ c;
}

// The second predicate gets the negated comparison. Both are combined with predicate c, which is negated when imm is 1.
// If dst is the sink, its offset is that of the frame's scratch word.
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
  if (i.join != PredicateJoin::kNone) {
    uint32_t c = *Row<uint32_t>(x, i.c);
    if (i.imm == 1) c = ~c;
    bits = Joined(i.join, bits, c);
    negated = Joined(i.join, negated, c);
  }
  SetPredicate(x, i.dst, bits);
  if (i.second_dst != 0) SetPredicate(x, i.second_dst, negated);
}

// For forms that are too rare to have their own handler.
template <typename T>
inline bool Compare(Relation relation, T a, T b) {
  switch (relation) {
    case Relation::kEq:
      return Eq::F(a, b);
    case Relation::kNe:
      return Ne::F(a, b);
    case Relation::kLt:
      return Lt::F(a, b);
    case Relation::kLe:
      return Le::F(a, b);
    case Relation::kGt:
      return Gt::F(a, b);
    case Relation::kGe:
      return Ge::F(a, b);
    case Relation::kEqu:
      return Equ::F(a, b);
    case Relation::kNeu:
      return Neu::F(a, b);
    case Relation::kLtu:
      return Ltu::F(a, b);
    case Relation::kLeu:
      return Leu::F(a, b);
    case Relation::kGtu:
      return Gtu::F(a, b);
    case Relation::kGeu:
      return Geu::F(a, b);
    case Relation::kNum:
      return Num::F(a, b);
    default:
      return Nan::F(a, b);
  }
}

// How a value is stored in its cell. kHalves is 2 for a packed pair, whose halves are compared separately.
template <typename T>
struct Plain {
  static constexpr int kHalves = 1;
  using Cell = Storage<T>;
  static T Value(Cell cell, int, bool flush) {
    T v = Get<T>(cell);
    if (flush && sizeof(T) == 4 && (static_cast<uint32_t>(cell) & 0x7F800000u) == 0) v = 0;
    return v;
  }
};
template <int kCount>
struct Half {
  static constexpr int kHalves = kCount;
  using Cell = uint32_t;
  static float Value(Cell cell, int half, bool flush) {
    uint16_t bits = static_cast<uint16_t>(cell >> (16 * half));
    if (flush && (bits & 0x7C00) == 0) return 0;
    return static_cast<float>(__builtin_bit_cast(_Float16, bits));
  }
};
template <int kCount>
struct BFloat {
  static constexpr int kHalves = kCount;
  using Cell = uint32_t;
  static float Value(Cell cell, int half, bool flush) {
    uint32_t bits = (cell >> (16 * half)) << 16;
    if (flush && (bits & 0x7F800000u) == 0) return 0;
    return __builtin_bit_cast(float, bits);
  }
};

template <typename Source>
inline uint32_t CompareLanes(Exec& x, const Inst& i, int half) {
  const typename Source::Cell* a = Row<typename Source::Cell>(x, i.a);
  const typename Source::Cell* b = Row<typename Source::Cell>(x, i.b);
  const Relation relation = i.compare.relation;
  const bool flush = i.compare.flush;
  uint32_t bits = 0;
  for (int l = 0; l < kLanes; ++l) {
    bool holds = Compare(relation, Source::Value(a[l], half, flush), Source::Value(b[l], half, flush));
    bits |= static_cast<uint32_t>(holds) << l;
  }
  return bits;
}
inline uint32_t Combine(Exec& x, const Inst& i, uint32_t bits) {
  if (i.join == PredicateJoin::kNone) return bits;
  const uint32_t c = *Row<uint32_t>(x, i.c);
  return Joined(i.join, bits, i.compare.negate ? ~c : c);
}

// set: stores `imm` where the comparison is true and zero elsewhere. `imm` is all ones, or 1 in the destination's type;
// for a pair it holds one for each half.
template <typename Source>
void Set(Exec& x, const Inst& i) {
  const uint32_t low = Combine(x, i, CompareLanes<Source>(x, i, 0)), yes = static_cast<uint32_t>(i.imm);
  if constexpr (Source::kHalves == 2) {
    const uint32_t high = Combine(x, i, CompareLanes<Source>(x, i, 1));
    ForLanes<uint32_t>(x, i.dst, [=](int l) {
      return ((low >> l) & 1 ? yes & 0xFFFFu : 0u) | ((high >> l) & 1 ? yes & 0xFFFF0000u : 0u);
    });
  } else {
    ForLanes<uint32_t>(x, i.dst, [=](int l) { return (low >> l) & 1 ? yes : 0u; });
  }
}
// setp of pairs: the first predicate compares the low halves and the second one the high halves. setp of a single bf16:
// the second predicate is the negation of the first.
template <typename Source>
void SetpHalves(Exec& x, const Inst& i) {
  const uint32_t low = CompareLanes<Source>(x, i, 0);
  const uint32_t other = Source::kHalves == 2 ? CompareLanes<Source>(x, i, 1) : ~low;
  const uint32_t first = Combine(x, i, low), second = Combine(x, i, other);
  SetPredicate(x, i.dst, first);
  if (i.second_dst != 0) SetPredicate(x, i.second_dst, second);
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
  const bool flush = i.flush;  // .ftz: a negative subnormal counts as zero
  ForLanes<T>(x, i.dst, [=](int l) {
    bool first = Get<C>(c[l]) >= C(0) || (flush && (c[l] & 0x7F800000u) == 0);
    return Get<T>(first ? a[l] : b[l]);
  });
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
    {"setp.bf16", SetpHalves<BFloat<1>>},
    {"setp.f16x2", SetpHalves<Half<2>>},
    {"setp.bf16x2", SetpHalves<BFloat<2>>},
    {"set.u16", Set<Plain<uint16_t>>},
    {"set.s16", Set<Plain<int16_t>>},
    {"set.u32", Set<Plain<uint32_t>>},
    {"set.s32", Set<Plain<int32_t>>},
    {"set.u64", Set<Plain<uint64_t>>},
    {"set.s64", Set<Plain<int64_t>>},
    {"set.f32", Set<Plain<float>>},
    {"set.f64", Set<Plain<double>>},
    {"set.f16", Set<Half<1>>},
    {"set.f16x2", Set<Half<2>>},
    {"set.bf16", Set<BFloat<1>>},
    {"set.bf16x2", Set<BFloat<2>>},
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
