// Single and double precision arithmetic. IEEE operations against the host's, approximate ones against the bounds that
// the PTX ISA 9.0 states ("Floating Point Instructions").
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <typename T>
constexpr Operand kOperand = sizeof(T) == 8 ? Operand::kF64 : Operand::kF32;
template <typename T>
T Of(uint64_t bits) {
  return Cast<T>(bits);
}
template <typename T>
uint64_t Bits(T v) {
  return Cast<BitsOf<T>>(v);
}

float Flush(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }
double Flush(double v) { return v; }
template <typename T>
T Saturate(T v) {
  return std::isnan(v) ? T(0) : std::fmin(std::fmax(v, T(0)), T(1));
}

// One operation in one rounding mode; volatile, so that the host does it at run time in that mode.
template <typename T>
T Compute(const std::string& op, T a, T b, T c, int mode) {
  int saved = std::fegetround();
  std::fesetround(mode);
  volatile T x = a, y = b, z = c, one = 1, r = 0;
  if (op == "add") r = x + y;
  if (op == "sub") r = x - y;
  if (op == "mul") r = x * y;
  if (op == "div") r = x / y;
  if (op == "rcp") r = one / x;
  if (op == "sqrt") r = std::sqrt(static_cast<T>(x));
  if (op == "fma") r = std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  std::fesetround(saved);
  return r;
}

template <typename T>
Form Arithmetic(const std::string& op, const std::string& rounding, bool ftz, bool sat) {
  const char* type = sizeof(T) == 8 ? "f64" : "f32";
  int arity = op == "rcp" || op == "sqrt" ? 1 : op == "fma" ? 3 : 2;
  std::string spelling = op + "." + rounding + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + "." + type;
  std::string key = op + (rounding == "rn" ? "" : "." + rounding) + (ftz ? ".ftz" : "") +
                    (sat && rounding == "rn" ? ".sat" : "") + "." + type;
  int mode = rounding == "rz"   ? FE_TOWARDZERO
             : rounding == "rm" ? FE_DOWNWARD
             : rounding == "rp" ? FE_UPWARD
                                : FE_TONEAREST;
  Operand o = kOperand<T>;
  return {key,
          spelling + (arity == 1   ? " %d, %a;"
                      : arity == 2 ? " %d, %a, %b;"
                                   : " %d, %a, %b, %c;"),
          o,
          o,
          arity >= 2 ? o : Operand::kNone,
          arity == 3 ? o : Operand::kNone,
          [=](uint64_t a, uint64_t b, uint64_t c) {
            T x = Of<T>(a), y = Of<T>(b), z = Of<T>(c);
            if (ftz) x = Flush(x), y = Flush(y), z = Flush(z);
            T r = Compute<T>(op, x, y, z, mode);
            if (ftz) r = Flush(r);
            return Bits(sat ? Saturate(r) : r);
          }};
}

template <typename T>
void AddArithmetic(std::vector<Form>* forms) {
  for (const char* op : {"add", "sub", "mul", "div", "fma", "rcp", "sqrt"}) {
    for (const char* mode : {"rn", "rz", "rm", "rp"}) forms->push_back(Arithmetic<T>(op, mode, false, false));
    if (sizeof(T) == 8) continue;
    for (const char* mode : {"rn", "rz", "rm", "rp"}) forms->push_back(Arithmetic<T>(op, mode, true, false));
    if (op[0] == 'd' || op[0] == 'r' || op[1] == 'q') continue;
    for (const char* mode : {"rz", "rm", "rp"}) {
      forms->push_back(Arithmetic<T>(op, mode, false, true));
      forms->push_back(Arithmetic<T>(op, mode, true, true));
    }
    bool saturates =
        std::string(op) == "add" || std::string(op) == "sub" || std::string(op) == "mul" || std::string(op) == "fma";
    if (saturates) {
      forms->push_back(Arithmetic<T>(op, "rn", false, true));
      forms->push_back(Arithmetic<T>(op, "rn", true, true));
    }
  }
}

// Two singles in each operand: each half is what the scalar form gives.
void AddPairs(std::vector<Form>* forms) {
  for (const char* mode : {"rn", "rz", "rm", "rp"}) {
    for (const bool ftz : {false, true}) {
      Form pair = Arithmetic<float>("add", mode, ftz, false);
      pair.key += "x2";
      pair.ptx.insert(pair.ptx.find(' '), "x2");
      pair.d = pair.a = pair.b = Operand::kF32x2;
      pair.oracle = [one = pair.oracle](uint64_t a, uint64_t b, uint64_t) {
        return one(a & 0xFFFFFFFF, b & 0xFFFFFFFF, 0) | one(a >> 32, b >> 32, 0) << 32;
      };
      forms->push_back(std::move(pair));
    }
  }
}

template <typename T>
Form Two(const std::string& key, std::function<T(T, T)> f) {
  return {key,
          key + " %d, %a, %b;",
          kOperand<T>,
          kOperand<T>,
          kOperand<T>,
          Operand::kNone,
          [f](uint64_t a, uint64_t b, uint64_t) { return Bits(f(Of<T>(a), Of<T>(b))); }};
}
template <typename T>
Form One(const std::string& key, std::function<T(T)> f) {
  return {key,
          key + " %d, %a;",
          kOperand<T>,
          kOperand<T>,
          Operand::kNone,
          Operand::kNone,
          [f](uint64_t a, uint64_t, uint64_t) { return Bits(f(Of<T>(a))); }};
}

// The ISA's min and max: +0 > -0, a NaN loses against a number unless .NaN asks for it.
template <typename T>
T MinMax(T a, T b, bool want_max, bool propagate) {
  if (std::isnan(a) || std::isnan(b)) {
    if (propagate || (std::isnan(a) && std::isnan(b))) return std::nan("");
    return std::isnan(a) ? b : a;
  }
  if (a == 0 && b == 0) return std::signbit(a) != want_max ? a : b;
  return (a < b) != want_max ? a : b;
}

template <typename T>
void AddSimple(std::vector<Form>* forms) {
  std::string dot = sizeof(T) == 8 ? ".f64" : ".f32";
  for (bool ftz : {false, true}) {
    if (ftz && sizeof(T) == 8) continue;
    std::string mods = std::string(ftz ? ".ftz" : "") + dot;
    auto in = [ftz](T v) { return ftz ? Flush(v) : v; };
    forms->push_back(One<T>("neg" + mods, [=](T a) { return -in(a); }));
    forms->push_back(One<T>("abs" + mods, [=](T a) { return std::fabs(in(a)); }));
    for (bool maximum : {false, true}) {
      std::string op = maximum ? "max" : "min";
      forms->push_back(Two<T>(op + mods, [=](T a, T b) { return MinMax(in(a), in(b), maximum, false); }));
      if (sizeof(T) == 8) continue;
      std::string nan = op + (ftz ? ".ftz" : "") + ".NaN" + dot;
      forms->push_back(Two<T>(nan, [=](T a, T b) { return MinMax(in(a), in(b), maximum, true); }));
    }
  }
  forms->push_back(Two<T>("copysign" + dot, [](T a, T b) { return std::copysign(b, a); }));
  struct Property {
    const char* name;
    std::function<bool(T)> holds;
  };
  for (const Property& p :
       {Property{"finite", [](T v) { return std::isfinite(v); }},
        Property{"infinite", [](T v) { return std::isinf(v); }}, Property{"number", [](T v) { return !std::isnan(v); }},
        Property{"notanumber", [](T v) { return std::isnan(v); }},
        Property{"normal", [](T v) { return std::isnormal(v); }},
        Property{"subnormal", [](T v) { return std::fpclassify(v) == FP_SUBNORMAL; }}}) {
    std::string key = std::string("testp.") + p.name + dot;
    forms->push_back({key, key + " %d, %a;", Operand::kPred, kOperand<T>, Operand::kNone, Operand::kNone,
                      [holds = p.holds](uint64_t a, uint64_t, uint64_t) { return holds(Of<T>(a)); }});
  }
}

// |got - want| <= absolute + relative * |want|, in double; infinities and NaNs must agree.
bool Near(double got, double want, double absolute, double relative) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  if (std::isinf(got)) return std::fabs(want) > 3.402823e38 && std::signbit(got) == std::signbit(want);
  return std::fabs(got - want) <= absolute + relative * std::fabs(want);
}

struct Bound {
  double absolute, relative;
};
constexpr double kUlp = 0x1p-23;            // of a single, relative
constexpr double kSubnormalUlp = 0x1p-149;  // rounding of subnormal results

Form Approximate(const std::string& key, Operand a, std::function<double(double)> f, Bound bound) {
  bool ftz = key.find(".ftz") != std::string::npos;
  return {key,
          key + " %d, %a;",
          Operand::kF32,
          a,
          Operand::kNone,
          Operand::kNone,
          {},
          [=](uint64_t x, uint64_t, uint64_t, uint64_t got) {
            float in = Of<float>(x), out = Of<float>(got);
            if (ftz) {
              in = Flush(in);
              if (std::fpclassify(out) == FP_SUBNORMAL) return false;
            }
            double want = f(in);
            if (ftz && std::fabs(want) < 0x1p-126) return std::fabs(out) <= 0x1p-126;
            if (std::fabs(want) >= 0x1p128) want = std::copysign(INFINITY, want);
            return Near(out, want, bound.absolute + kSubnormalUlp, bound.relative);
          }};
}
Form ApproximateDivision(const std::string& key) {
  return {key,
          key + " %d, %a, %b;",
          Operand::kF32,
          Operand::kNormal,
          Operand::kNormal,
          Operand::kNone,
          {},
          [](uint64_t a, uint64_t b, uint64_t, uint64_t got) {
            return Near(Of<float>(got), static_cast<double>(Of<float>(a)) / Of<float>(b), 0, 2 * kUlp);
          }};
}

void AddApproximations(std::vector<Form>* forms) {
  for (const char* key : {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"})
    forms->push_back(ApproximateDivision(key));
  auto reciprocal = [](double v) { return 1 / v; };
  auto root = [](double v) { return std::sqrt(v); };
  auto reciprocal_root = [](double v) { return v == 0 ? std::copysign(INFINITY, v) : 1 / std::sqrt(v); };
  for (const char* ftz : {"", ".ftz"}) {
    std::string mods = std::string(".approx") + ftz + ".f32";
    forms->push_back(Approximate("rcp" + mods, Operand::kF32, reciprocal, {0, kUlp}));
    forms->push_back(Approximate("sqrt" + mods, Operand::kF32, root, {0, kUlp}));
    forms->push_back(Approximate("rsqrt" + mods, Operand::kF32, reciprocal_root, {0, std::exp2(-22.9)}));
    forms->push_back(
        Approximate("sin" + mods, Operand::kAngle, [](double v) { return std::sin(v); }, {std::exp2(-20.5), 0}));
    forms->push_back(
        Approximate("cos" + mods, Operand::kAngle, [](double v) { return std::cos(v); }, {std::exp2(-20.5), 0}));
    forms->push_back(
        Approximate("lg2" + mods, Operand::kF32, [](double v) { return std::log2(v); }, {0x1p-22, 0x1p-22}));
    forms->push_back(Approximate("ex2" + mods, Operand::kF32, [](double v) { return std::exp2(v); }, {0, 2 * kUlp}));
  }
  forms->push_back(Approximate("tanh.approx.f32", Operand::kF32, [](double v) { return std::tanh(v); }, {0, 0x1p-11}));
  // Doubles: the ISA bounds the relative error of the reciprocal root by 2^-52.4 (software) and gives the two that work
  // on the high word no more than 2^-20 of relative error and a zero low word.
  forms->push_back({"rsqrt.approx.f64",
                    "rsqrt.approx.f64 %d, %a;",
                    Operand::kF64,
                    Operand::kF64,
                    Operand::kNone,
                    Operand::kNone,
                    {},
                    [=](uint64_t a, uint64_t, uint64_t, uint64_t got) {
                      return Near(Of<double>(got), reciprocal_root(Of<double>(a)), 0, 0x1p-51);
                    }});
  for (bool is_root : {false, true}) {
    std::string key = is_root ? "rsqrt.approx.ftz.f64" : "rcp.approx.ftz.f64";
    forms->push_back({key,
                      key + " %d, %a;",
                      Operand::kF64,
                      Operand::kF64,
                      Operand::kNone,
                      Operand::kNone,
                      {},
                      [=](uint64_t a, uint64_t, uint64_t, uint64_t got) {
                        // The ISA: the low word of the operand is ignored.
                        double in = Of<double>(a & ~uint64_t{0xFFFFFFFF});
                        if (std::fpclassify(in) == FP_SUBNORMAL) in = std::copysign(0.0, in);
                        double want = is_root ? reciprocal_root(in) : 1 / in;
                        if (std::fpclassify(want) == FP_SUBNORMAL) want = std::copysign(0.0, want);
                        return (got & 0xFFFFFFFF) == 0 && Near(Of<double>(got), want, 0, 0x1p-20);
                      }});
  }
}

}  // namespace

// .xorsign.abs: of the magnitudes, with the exclusive or of the signs.
void AddXorSign(std::vector<Form>* forms) {
  for (const bool is_max : {false, true}) {
    for (const bool nan : {false, true}) {
      for (const bool ftz : {false, true}) {
        const std::string op = is_max ? "max" : "min";
        forms->push_back(
            {op + ".xorsign.f32", op + (ftz ? ".ftz" : "") + (nan ? ".NaN" : "") + ".xorsign.abs.f32 %d, %a, %b;",
             Operand::kF32, Operand::kF32, Operand::kF32, Operand::kNone, [=](uint64_t a, uint64_t b, uint64_t) {
               float x = std::fabs(Cast<float>(a)), y = std::fabs(Cast<float>(b));
               if (ftz) x = Flush(x), y = Flush(y);
               if (nan && (std::isnan(x) || std::isnan(y))) return Bits(std::nanf(""));
               float r = std::isnan(x) ? y : std::isnan(y) ? x : (x < y) != is_max ? x : y;
               return Bits(std::isnan(r) ? r : ((a ^ b) >> 31 & 1) ? -r : r);
             }});
      }
    }
  }
}

std::vector<Form> FloatForms() {
  std::vector<Form> forms;
  AddXorSign(&forms);
  AddArithmetic<float>(&forms);
  AddArithmetic<double>(&forms);
  AddPairs(&forms);
  AddSimple<float>(&forms);
  AddSimple<double>(&forms);
  AddApproximations(&forms);
  return forms;
}

namespace {

TEST(FloatTest, EveryFormRoundsAsIeeeOrStaysInTheIsasBound) { CheckForms(FloatForms()); }

// Known answers, so that the oracle's use of the host is not the only witness: 1 + 2^-24 is halfway between two
// singles.
TEST(FloatTest, DirectedModesRoundAHalfwayCaseEachTheirWay) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f33800000;
    add.rn.f32 %f3, %f1, %f2; st.global.f32 [%rd0], %f3;
    add.rz.f32 %f3, %f1, %f2; st.global.f32 [%rd0+4], %f3;
    add.rm.f32 %f3, %f1, %f2; st.global.f32 [%rd0+8], %f3;
    add.rp.f32 %f3, %f1, %f2; st.global.f32 [%rd0+12], %f3;
    neg.f32 %f1, %f1; neg.f32 %f2, %f2;
    add.rm.f32 %f3, %f1, %f2; st.global.f32 [%rd0+16], %f3;
    add.rp.f32 %f3, %f1, %f2; st.global.f32 [%rd0+20], %f3;
  )"),
                                       {1}, {1}, 6);
  EXPECT_EQ(got, (std::vector<uint32_t>{0x3F800000, 0x3F800000, 0x3F800000, 0x3F800001, 0xBF800001, 0xBF800000}));
}

TEST(FloatTest, MulThenAddIsNotFused) {
  // (1 + 2^-12)^2 - 1 - 2^-11: the fused form keeps 2^-24.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.f32 %f1, 0f3F800800; mov.f32 %f2, 0fBF801000;
    mul.rn.f32 %f3, %f1, %f1; add.rn.f32 %f3, %f3, %f2; st.global.f32 [%rd0], %f3;
    fma.rn.f32 %f3, %f1, %f1, %f2; st.global.f32 [%rd0+4], %f3;
  )"),
                                       {1}, {1}, 2);
  EXPECT_EQ(got, (std::vector<uint32_t>{0, 0x33800000}));
}

TEST(FloatTest, DirectedModesAlsoFlushWhenAsked) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.f32 %f1, 0f00000001; mov.f32 %f2, 0f3F800000;
    add.rp.ftz.f32 %f3, %f1, %f2; st.global.f32 [%rd0], %f3;
    fma.rz.ftz.f32 %f3, %f1, %f2, %f1; st.global.f32 [%rd0+4], %f3;
  )"),
                                       {1}, {1}, 2);
  EXPECT_EQ(got, (std::vector<uint32_t>{0x3F800000, 0}));
}

}  // namespace
}  // namespace warpgrade::emulator
