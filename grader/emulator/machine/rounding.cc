// Sets the host's rounding mode around each instruction and computes lane by lane. The results are volatile, because
// the compiler may not vectorise or reorder float operations here. Tested by float_test.cc and convert_test.cc in
// tests/emulator/exec.
#include "grader/emulator/machine/rounding.h"

#include <cfenv>
#include <cmath>

#include "grader/emulator/state/execution.h"

// This file is compiled with -frounding-math: the compiler must not move or fold operations across fesetround.

namespace warpgrade::emulator {
namespace {

class ScopedRounding {
 public:
  explicit ScopedRounding(int mode) : saved_(std::fegetround()) { std::fesetround(mode); }
  ~ScopedRounding() { std::fesetround(saved_); }

 private:
  int saved_;
};

struct OpAdd {
  template <typename T>
  static T F(T a, T b, T) {
    return a + b;
  }
};
struct OpSub {
  template <typename T>
  static T F(T a, T b, T) {
    return a - b;
  }
};
struct OpMul {
  template <typename T>
  static T F(T a, T b, T) {
    return a * b;
  }
};
struct OpDiv {
  template <typename T>
  static T F(T a, T b, T) {
    return a / b;
  }
};
struct OpFma {
  template <typename T>
  static T F(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct OpRcp {
  template <typename T>
  static T F(T a, T, T) {
    return T(1) / a;
  }
};
struct OpSqrt {
  template <typename T>
  static T F(T a, T, T) {
    return std::sqrt(a);
  }
};

// .ftz: subnormal operands and results become zeros of the same sign.
template <bool kFtz, typename T>
T Flush(T v) {
  return kFtz && std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(T(0), v) : v;
}

template <typename T, typename Op, int kMode, bool kFtz = false>
void Directed(Exec& x, const Inst& i) {
  ScopedRounding rounding(kMode);
  const T* a = Row<T>(x, i.a);
  const T* b = Row<T>(x, i.b);
  const T* c = Row<T>(x, i.c);
  T* d = Row<T>(x, i.dst);
  for (int l = 0; l < kLanes; ++l) {
    if ((x.mask >> l) & 1) {
      volatile T r = Op::F(Flush<kFtz>(a[l]), Flush<kFtz>(b[l]), Flush<kFtz>(c[l]));
      T v = Flush<kFtz>(static_cast<T>(r));
      if (i.floats.saturate) v = v > 0 ? (v < 1 ? v : T(1)) : T(0);  // a NaN becomes 0 too
      d[l] = v;
    }
  }
}

// The same for two singles in each lane (.f32x2): a row of 64-bit values holds 64 singles.
template <typename Op, int kMode, bool kFtz = false>
void DirectedPair(Exec& x, const Inst& i) {
  ScopedRounding rounding(kMode);
  const float* a = Row<float>(x, i.a);
  const float* b = Row<float>(x, i.b);
  float* d = Row<float>(x, i.dst);
  for (int k = 0; k < 2 * kLanes; ++k) {
    if (((x.mask >> (k / 2)) & 1) == 0) continue;
    volatile float r = Op::F(Flush<kFtz>(a[k]), Flush<kFtz>(b[k]), 0.0f);
    d[k] = Flush<kFtz>(static_cast<float>(r));
  }
}

// cvt.rz/rm/rp of wider values into floats.
template <typename D, typename S, int kMode, bool kFtz = false>
void DirectedConvert(Exec& x, const Inst& i) {
  ScopedRounding rounding(kMode);
  using Cell = std::conditional_t<sizeof(S) == 8, uint64_t, uint32_t>;
  const Cell* a = Row<Cell>(x, i.a);
  D* d = Row<D>(x, i.dst);
  for (int l = 0; l < kLanes; ++l) {
    if (!((x.mask >> l) & 1)) continue;
    S s;
    __builtin_memcpy(&s, &a[l], sizeof(s));
    volatile D r = static_cast<D>(s);
    d[l] = Flush<kFtz>(static_cast<D>(r));
  }
}

#define MODES(name, Op)                                                                                        \
  {name ".rz.f32", Directed<float, Op, FE_TOWARDZERO>}, {name ".rm.f32", Directed<float, Op, FE_DOWNWARD>},    \
      {name ".rp.f32", Directed<float, Op, FE_UPWARD>}, {name ".rz.f64", Directed<double, Op, FE_TOWARDZERO>}, \
      {name ".rm.f64", Directed<double, Op, FE_DOWNWARD>}, {name ".rp.f64", Directed<double, Op, FE_UPWARD>},  \
      {name ".rz.ftz.f32", Directed<float, Op, FE_TOWARDZERO, true>},                                          \
      {name ".rm.ftz.f32", Directed<float, Op, FE_DOWNWARD, true>}, {                                          \
    name ".rp.ftz.f32", Directed<float, Op, FE_UPWARD, true>                                                   \
  }
#define MODES_OF_PAIRS(name, Op)                                                                                      \
  {name ".rz.f32x2", DirectedPair<Op, FE_TOWARDZERO>}, {name ".rm.f32x2", DirectedPair<Op, FE_DOWNWARD>},             \
      {name ".rp.f32x2", DirectedPair<Op, FE_UPWARD>}, {name ".rz.ftz.f32x2", DirectedPair<Op, FE_TOWARDZERO, true>}, \
      {name ".rm.ftz.f32x2", DirectedPair<Op, FE_DOWNWARD, true>}, {                                                  \
    name ".rp.ftz.f32x2", DirectedPair<Op, FE_UPWARD, true>                                                           \
  }
#define CONVERT(d, D, s, S)                                                                                           \
  {"cvt.rz." d "." s, DirectedConvert<D, S, FE_TOWARDZERO>}, {"cvt.rm." d "." s, DirectedConvert<D, S, FE_DOWNWARD>}, \
  {                                                                                                                   \
    "cvt.rp." d "." s, DirectedConvert<D, S, FE_UPWARD>                                                               \
  }

const HandlerEntry kHandlers[] = {
    MODES("add", OpAdd),
    MODES_OF_PAIRS("add", OpAdd),
    MODES("sub", OpSub),
    MODES("mul", OpMul),
    MODES("div", OpDiv),
    MODES("fma", OpFma),
    MODES("rcp", OpRcp),
    MODES("sqrt", OpSqrt),
    {"cvt.rz.ftz.f32.f64", DirectedConvert<float, double, FE_TOWARDZERO, true>},
    {"cvt.rm.ftz.f32.f64", DirectedConvert<float, double, FE_DOWNWARD, true>},
    {"cvt.rp.ftz.f32.f64", DirectedConvert<float, double, FE_UPWARD, true>},
    CONVERT("f32", float, "f64", double),
    CONVERT("f32", float, "s32", int32_t),
    CONVERT("f32", float, "u32", uint32_t),
    CONVERT("f32", float, "s64", int64_t),
    CONVERT("f32", float, "u64", uint64_t),
    CONVERT("f64", double, "s64", int64_t),
    CONVERT("f64", double, "u64", uint64_t),
};

}  // namespace

HandlerSpan RoundingHandlers() { return {kHandlers, sizeof(kHandlers) / sizeof(kHandlers[0])}; }

}  // namespace warpgrade::emulator
