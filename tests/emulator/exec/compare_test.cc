// Comparison and selection. PTX ISA 9.0, "Comparison and Selection Instructions": ordered comparisons are false when an
// operand is NaN, those that end in u are true.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/narrow_float.h"

namespace warpgrade::emulator {
namespace {

struct CompareType {
  const char* name;
  Operand operand;
};
constexpr CompareType kIntegers[] = {{"u16", Operand::kInt16}, {"s16", Operand::kInt16}, {"u32", Operand::kInt32},
                                     {"s32", Operand::kInt32}, {"u64", Operand::kInt64}, {"s64", Operand::kInt64}};
constexpr CompareType kFloats[] = {{"f32", Operand::kF32}, {"f64", Operand::kF64}, {"f16", Operand::kF16}};
constexpr const char* kOrdered[] = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr const char* kUnordered[] = {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

// -1, 0, 1, or 2 for unordered.
int Order(const std::string& type, uint64_t a, uint64_t b, bool ftz) {
  auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2; };
  if (type == "u16") return order(static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  if (type == "s16") return order(static_cast<int16_t>(a), static_cast<int16_t>(b));
  if (type == "u32") return order(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  if (type == "s32") return order(static_cast<int32_t>(a), static_cast<int32_t>(b));
  if (type == "u64") return order(a, b);
  if (type == "s64") return order(static_cast<int64_t>(a), static_cast<int64_t>(b));
  if (type == "f64") return order(Cast<double>(a), Cast<double>(b));
  if (type == "f16") return order(Widen(a, kHalf), Widen(b, kHalf));
  if (type == "bf16") return order(Widen(a, kBFloat), Widen(b, kBFloat));
  float x = Cast<float>(a), y = Cast<float>(b);
  if (ftz && std::fpclassify(x) == FP_SUBNORMAL) x = 0;
  if (ftz && std::fpclassify(y) == FP_SUBNORMAL) y = 0;
  return order(x, y);
}

bool Holds(const std::string& op, int order) {
  bool unordered = order == 2;
  if (op == "num") return !unordered;
  if (op == "nan") return unordered;
  if (unordered) return op.size() == 3;  // equ, neu, ltu, ...
  std::string base = op.substr(0, 2);
  return base == "eq"   ? order == 0
         : base == "ne" ? order != 0
         : base == "lt" ? order < 0
         : base == "le" ? order <= 0
         : base == "gt" ? order > 0
                        : order >= 0;
}

Form Setp(const std::string& op, const CompareType& t, bool ftz) {
  std::string key = "setp." + op + (ftz ? ".ftz." : ".") + t.name, type = t.name;
  return {key,
          key + " %d, %a, %b;",
          Operand::kPred,
          t.operand,
          t.operand,
          Operand::kNone,
          [=](uint64_t a, uint64_t b, uint64_t) { return Holds(op, Order(type, a, b, ftz)); }};
}

void AddSetp(std::vector<Form>* forms) {
  for (const CompareType& t : kIntegers) {
    for (const char* op : kOrdered) forms->push_back(Setp(op, t, false));
  }
  for (const CompareType& t : kFloats) {
    for (const char* op : kOrdered) forms->push_back(Setp(op, t, false));
    for (const char* op : kUnordered) forms->push_back(Setp(op, t, false));
  }
  for (const char* op : kOrdered) forms->push_back(Setp(op, kFloats[0], true));
  for (const char* op : kUnordered) forms->push_back(Setp(op, kFloats[0], true));
  // lo, ls, hi, hs are the unsigned comparisons by their old names.
  const char* unsigned_names[][2] = {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
  for (auto& [name, op] : unsigned_names) {
    std::string base = op;
    forms->push_back({"setp." + base + ".u32", std::string("setp.") + name + ".u32 %d, %a, %b;", Operand::kPred,
                      Operand::kInt32, Operand::kInt32, Operand::kNone,
                      [=](uint64_t a, uint64_t b, uint64_t) { return Holds(base, Order("u32", a, b, false)); }});
  }
  // With a third predicate, plain and negated.
  for (const char* combine : {"and", "or", "xor"}) {
    for (bool negated : {false, true}) {
      char o = combine[0];
      forms->push_back({"setp.lt.s32",
                        std::string("setp.lt.") + combine + ".s32 %d, %a, %b, " + (negated ? "!%c;" : "%c;"),
                        Operand::kPred, Operand::kInt32, Operand::kInt32, Operand::kPred,
                        [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                          bool r = static_cast<int32_t>(a) < static_cast<int32_t>(b), p = (c != 0) != negated;
                          return o == 'a' ? r && p : o == 'o' ? r || p : r != p;
                        }});
    }
  }
}

// Where the comparison holds, set writes all ones, or a one of the destination's type.
uint64_t Yes(const std::string& d) {
  return d == "f32"    ? Cast<uint32_t>(1.0f)
         : d == "f16"  ? 0x3C00
         : d == "bf16" ? 0x3F80
         : d == "u16"  ? 0xFFFF
                       : 0xFFFFFFFF;
}

void AddSet(std::vector<Form>* forms) {
  std::vector<CompareType> types(std::begin(kIntegers), std::end(kIntegers));
  types.insert(types.end(), std::begin(kFloats), std::end(kFloats));
  types.push_back({"bf16", Operand::kBF16});
  for (const CompareType& t : types) {
    const std::string type = t.name;
    const bool floating = type[0] == 'f' || type[0] == 'b', half = type == "f16" || type == "bf16";
    std::vector<std::string> ops(std::begin(kOrdered), std::end(kOrdered));
    if (floating) ops.insert(ops.end(), std::begin(kUnordered), std::end(kUnordered));
    for (const std::string& d :
         half ? std::vector<std::string>{"u32", type} : std::vector<std::string>{"u32", "f32", "s32"}) {
      for (const std::string& op : ops) {
        forms->push_back(
            {"set." + type, "set." + op + "." + d + "." + type + " %d, %a, %b;",
             half && d == type ? t.operand : Operand::kInt32, t.operand, t.operand, Operand::kNone,
             [=](uint64_t a, uint64_t b, uint64_t) { return Holds(op, Order(type, a, b, false)) ? Yes(d) : 0; }});
      }
    }
  }
  forms->push_back({"set.f32", "set.le.ftz.u32.f32 %d, %a, %b;", Operand::kInt32, Operand::kF32, Operand::kF32,
                    Operand::kNone, [](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                      return Holds("le", Order("f32", a, b, true)) ? 0xFFFFFFFF : 0;
                    }});
  forms->push_back({"set.s32", "set.gt.and.u32.s32 %d, %a, %b, !%c;", Operand::kInt32, Operand::kInt32, Operand::kInt32,
                    Operand::kPred, [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t {
                      return static_cast<int32_t>(a) > static_cast<int32_t>(b) && c == 0 ? 0xFFFFFFFF : 0;
                    }});
}

// Pairs of halves: set writes each half for itself; setp gives a predicate for each.
void AddPairs(std::vector<Form>* forms) {
  const CompareType pairs[] = {{"f16", Operand::kF16x2}, {"bf16", Operand::kBF16x2}};
  for (const CompareType& t : pairs) {
    const std::string type = t.name, pair = type + "x2";
    for (const std::string op :
         {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "nan", "num"}) {
      auto holds = [=](uint64_t a, uint64_t b, int half) {
        return Holds(op, Order(type, a >> (16 * half) & 0xFFFF, b >> (16 * half) & 0xFFFF, false));
      };
      auto both = [=](uint64_t yes) {
        return [=](uint64_t a, uint64_t b, uint64_t) {
          return (holds(a, b, 0) ? yes : 0) | (holds(a, b, 1) ? yes << 16 : 0);
        };
      };
      forms->push_back({"set." + pair, "set." + op + "." + pair + "." + pair + " %d, %a, %b;", Operand::kInt32,
                        t.operand, t.operand, Operand::kNone, both(Yes(type))});
      forms->push_back({"set." + pair, "set." + op + ".u32." + pair + " %d, %a, %b;", Operand::kInt32, t.operand,
                        t.operand, Operand::kNone, both(0xFFFF)});
      forms->push_back({"setp." + pair, "setp." + op + "." + pair + " %d|%p9, %a, %b;", Operand::kPred, t.operand,
                        t.operand, Operand::kNone,
                        [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return holds(a, b, 0); }});
      forms->push_back({"setp." + pair, "setp." + op + ".or." + pair + " %p9|%d, %a, %b, %c;", Operand::kPred,
                        t.operand, t.operand, Operand::kPred,
                        [=](uint64_t a, uint64_t b, uint64_t c) -> uint64_t { return holds(a, b, 1) || c != 0; }});
    }
  }
  for (const std::string op :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "nan", "num"}) {
    forms->push_back({"setp.bf16", "setp." + op + ".bf16 %d, %a, %b;", Operand::kPred, Operand::kBF16, Operand::kBF16,
                      Operand::kNone, [=](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                        return Holds(op, Order("bf16", a, b, false));
                      }});
  }
}

void AddSelect(std::vector<Form>* forms) {
  const CompareType widths[] = {{"b16", Operand::kInt16}, {"b32", Operand::kInt32}, {"b64", Operand::kInt64}};
  for (const CompareType& t : widths) {
    forms->push_back({std::string("selp.") + t.name, std::string("selp.") + t.name + " %d, %a, %b, %c;", t.operand,
                      t.operand, t.operand, Operand::kPred,
                      [](uint64_t a, uint64_t b, uint64_t c) { return c != 0 ? a : b; }});
    if (t.operand == Operand::kInt16) continue;
    forms->push_back({std::string("slct.") + t.name + ".s32", std::string("slct.") + t.name + ".s32 %d, %a, %b, %c;",
                      t.operand, t.operand, t.operand, Operand::kInt32,
                      [](uint64_t a, uint64_t b, uint64_t c) { return static_cast<int32_t>(c) >= 0 ? a : b; }});
    forms->push_back({std::string("slct.") + t.name + ".f32", std::string("slct.") + t.name + ".f32 %d, %a, %b, %c;",
                      t.operand, t.operand, t.operand, Operand::kF32,
                      [](uint64_t a, uint64_t b, uint64_t c) { return Cast<float>(c) >= 0 ? a : b; }});
    forms->push_back({std::string("slct.") + t.name + ".f32",
                      std::string("slct.ftz.") + t.name + ".f32 %d, %a, %b, %c;", t.operand, t.operand, t.operand,
                      Operand::kF32, [](uint64_t a, uint64_t b, uint64_t c) {
                        bool zero = std::fpclassify(Cast<float>(c)) == FP_SUBNORMAL;
                        return zero || Cast<float>(c) >= 0 ? a : b;
                      }});
  }
}

}  // namespace

std::vector<Form> CompareForms() {
  std::vector<Form> forms;
  AddSetp(&forms);
  AddSet(&forms);
  AddPairs(&forms);
  AddSelect(&forms);
  return forms;
}

namespace {

TEST(CompareTest, EveryFormOrdersAsTheIsaSays) { CheckForms(CompareForms()); }

TEST(CompareTest, SecondPredicateIsTheNegation) {
  // p|q, with a combining predicate: q = (not (a < b)) and c.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    setp.ge.u32 %p3, %t, 2;
    setp.lt.u32 %p1|%p2, %t, 4; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %r1, %r1, %r2;
    setp.lt.and.u32 %p1|%p2, %t, 4, %p3; selp.u32 %r3, 4, 0, %p1; selp.u32 %r4, 8, 0, %p2;
    or.b32 %r1, %r1, %r3; or.b32 %r1, %r1, %r4;
    setp.lt.u32 _|%p2, %t, 1; selp.u32 %r3, 16, 0, %p2; or.b32 %r1, %r1, %r3;
    st.global.u32 [%at0], %r1;
  )"),
                                       {1}, {6}, 6);
  EXPECT_EQ(got, (std::vector<uint32_t>{1, 17, 21, 21, 26, 26}));
}

}  // namespace
}  // namespace warpgrade::emulator
