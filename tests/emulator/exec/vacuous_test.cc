// Forms cannot be vacuous: a wrong result must be noticed, on every kind of input; and the inputs must tell each form
// from its neighbours, which differ in the opcode or in one modifier.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "tests/emulator/exec/form_rows.h"

namespace warpgrade::emulator {
namespace {

std::vector<Form> AllForms() {
  std::vector<Form> all;
  for (auto table :
       {IntegerForms, FloatForms, HalfForms, CompareForms, ConvertForms, MoveForms, NarrowForms, VideoForms}) {
    for (Form& form : table()) all.push_back(std::move(form));
  }
  return all;
}

uint64_t OneOf(Operand o) {
  switch (o) {
    case Operand::kF16:
      return 0x3C00;
    case Operand::kBF16:
      return 0x3F80;
    case Operand::kF16x2:
      return 0x3C003C00;
    case Operand::kBF16x2:
      return 0x3F803F80;
    case Operand::kF32x2:
      return 0x3F8000003F800000;
    case Operand::kF64:
      return Cast<uint64_t>(1.0);
    case Operand::kF32:
      return Cast<uint32_t>(1.0f);
    default:
      return 1;
  }
}

// Results that cannot all be right.
std::vector<uint64_t> Candidates(Operand d) {
  const uint64_t all = Truncate(~uint64_t{0}, d), one = OneOf(d);
  return d == Operand::kPred ? std::vector<uint64_t>{0, 1}
                             : std::vector<uint64_t>{0, one, all / 2, all / 2 + 1, one ^ all};
}

// Whether some wrong result would be noticed on these inputs: with an oracle, its own with any one bit flipped (NaN: a
// number instead); with a judge, most of some results that cannot all be right.
bool Notices(const Form& form, uint64_t a, uint64_t b, uint64_t c) {
  if (form.judge) {
    size_t refused = 0;
    const std::vector<uint64_t> candidates = Candidates(form.d);
    for (uint64_t wrong : candidates) refused += Accepts(form, a, b, c, wrong) ? 0 : 1;
    return 2 * refused >= candidates.size();
  }
  const uint64_t want = Truncate(form.oracle(a, b, c), form.d);
  if (form.d == Operand::kPred) return !Accepts(form, a, b, c, want ^ 1);
  if (IsNan(want, form.d)) return !Accepts(form, a, b, c, OneOf(form.d));
  for (int bit = 0; bit < 8 * BytesOf(form.d); ++bit) {
    if (!Accepts(form, a, b, c, want ^ (uint64_t{1} << bit))) return true;
  }
  return false;
}

// The kinds of input on which a wrong result would pass.
std::vector<std::string> BlindSpots(const Form& form) {
  const Rows rows = MakeRows(form);
  std::vector<std::string> blind;
  const std::vector<uint64_t>* inputs[] = {&rows.a, &rows.b, &rows.c};
  const Operand kinds[] = {form.a, form.b, form.c};
  for (size_t operand = 0; operand < 3; ++operand) {
    for (const InputClass& kind : ClassesOf(kinds[operand])) {
      bool noticed = false;
      for (size_t r = 0; r < rows.a.size() && !noticed; ++r) {
        noticed = kind.holds((*inputs[operand])[r]) && Notices(form, rows.a[r], rows.b[r], rows.c[r]);
      }
      if (!noticed) blind.push_back(std::string(1, "abc"[operand]) + " is " + kind.name);
    }
  }
  return blind;
}

// "add.rn.f32" -> {"add", "f32", "rn"}; empty for several instructions in braces.
std::multiset<std::string> PartsOf(const std::string& ptx) {
  std::multiset<std::string> parts;
  if (ptx[0] == '{') return parts;
  std::string spelling = ptx.substr(0, ptx.find(' '));
  for (size_t at; (at = spelling.find('.')) != std::string::npos; spelling.erase(0, at + 1)) {
    parts.insert(spelling.substr(0, at));
  }
  parts.insert(spelling);
  return parts;
}

// How many parts one spelling has and the other has not, the larger of both ways.
size_t Distance(const std::multiset<std::string>& a, const std::multiset<std::string>& b) {
  std::vector<std::string> only_a, only_b;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only_b));
  return std::max(only_a.size(), only_b.size());
}

bool Distinguishes(const Rows& rows, const Form& f, const Form& g) {
  for (size_t r = 0; r < rows.a.size(); ++r) {
    const uint64_t a = rows.a[r], b = rows.b[r], c = rows.c[r];
    if (!Same(Truncate(f.oracle(a, b, c), f.d), Truncate(g.oracle(a, b, c), g.d), f.d)) return true;
  }
  return false;
}

// Spellings that mean the same for every input are made equal, so that only others are compared.
struct Synonym {
  const char* pattern;
  const char* replacement;
  const char* why;
};
constexpr Synonym kSynonyms[] = {
    {R"(^((?:add|sub|mul\.lo|mad\.lo|setp\.eq|setp\.ne|set\.eq|set\.ne).*\.)[us](\d+))", "$1i$2",
     "the low half of a result and equality do not depend on the sign"},
    {R"(^(set\.\w+)\.[us]32\.)", "$1.i32.", "set writes all ones or zeros, signed or not"},
    {R"(^set\.(eq|ne)\.(\w+)\.[us])", "set.$1.$2.i", "equality does not depend on the sign"},
    {R"(^setp\.lo\.)", "setp.lt.", "an old name"},
    {R"(^setp\.ls\.)", "setp.le.", "an old name"},
    {R"(^setp\.hi\.)", "setp.gt.", "an old name"},
    {R"(^setp\.hs\.)", "setp.ge.", "an old name"},
    {R"(^setp\.(num|nan)\.ftz)", "setp.$1", "flushing makes no number a NaN"},
    {R"(^cvt(\.sat)?\.[us]\d+\.[us]\d+)", "cvt.integers", "most of these cut off or extend alike in a wide register"},
    {R"(^(v(?:absdiff|min|max|avrg).*)\.sat)", "$1", "these do not leave the range of their operands"},
    {R"(^(cvt\.(?:rni|rzi))\.ftz(.*f32))", "$1$2", "a subnormal rounds to zero in any case"},
    {R"(^cvt\.rmi(?:\.ftz)?\.(u\d+))", "cvt.rzi.$1", "down and towards zero differ below zero, where u types are 0"},
    {R"(^(cvt\..*)rmi(.*sat))", "$1rzi$2", "down and towards zero differ below zero, where .sat gives 0"},
    {R"(^cvt\.r[nzmp]\.(b?f16)\.([us])8)", "cvt.$1.$28", "every 8-bit integer is exact"},
    {R"(^cvt\.rm\.(\w+)\.(u\d+))", "cvt.rz.$1.$2", "an unsigned integer is not below zero"},
    {R"(^(sqrt)\.rm)", "$1.rz", "a root is not below zero"},
    {R"(^(add|sub|mul|fma)\.rm(.*sat))", "$1.rz$2", "what is below zero is 0 under .sat"},
    {R"(^cvt\.rn\.ftz\.f16\.f32)", "cvt.rn.f16.f32", "a subnormal single rounds to zero in any case"},
    {R"(^cvt\.ftz\.f32\.f16)", "cvt.f32.f16", "a subnormal half is a normal single"},
};

std::string WithoutSynonyms(const std::string& ptx) {
  std::string spelling = ptx.substr(0, ptx.find(' '));
  for (const Synonym& s : kSynonyms) spelling = std::regex_replace(spelling, std::regex(s.pattern), s.replacement);
  return spelling;
}

// Forms one part apart that give the same results on all inputs, though they do not mean the same: a mistake that takes
// one for the other would not be noticed.
std::vector<std::string> Confusions(const std::vector<Form>& forms) {
  std::map<std::tuple<Operand, Operand, Operand, Operand>, std::vector<const Form*>> alike;
  for (const Form& f : forms) {
    if (f.oracle) alike[{f.d, f.a, f.b, f.c}].push_back(&f);
  }
  std::vector<std::string> confusions;
  for (const auto& [kinds, group] : alike) {
    const Rows rows = MakeRows(*group.front());
    std::vector<std::multiset<std::string>> parts;
    for (const Form* f : group) parts.push_back(PartsOf(f->ptx));
    for (size_t k = 0; k < group.size(); ++k) {
      for (size_t n = k + 1; n < group.size(); ++n) {
        if (parts[k].empty() || parts[n].empty() || Distance(parts[k], parts[n]) != 1) continue;
        if (Distinguishes(rows, *group[k], *group[n])) continue;
        if (WithoutSynonyms(group[k]->ptx) == WithoutSynonyms(group[n]->ptx)) continue;
        confusions.push_back(group[k]->ptx + " and " + group[n]->ptx);
      }
    }
  }
  return confusions;
}

// The checks themselves can fail.
TEST(VacuousTest, AJudgeThatTakesAnythingForNanIsFoundOut) {
  const Form careless{
      "k",
      "neg.f32 %d, %a;",
      Operand::kF32,
      Operand::kF32,
      Operand::kNone,
      Operand::kNone,
      {},
      [](uint64_t a, uint64_t, uint64_t, uint64_t got) { return IsNan(a, Operand::kF32) || got == (a ^ 0x80000000u); }};
  EXPECT_EQ(BlindSpots(careless), (std::vector<std::string>{"a is a positive NaN", "a is a negative NaN"}));
}

TEST(VacuousTest, AnOracleThatForgetsAModifierIsFoundOut) {
  auto minimum = [](uint64_t a, uint64_t b, uint64_t) { return std::min(a, b); };
  const Form right{"k",    "min.u32 %d, %a, %b;", Operand::kInt32, Operand::kInt32, Operand::kInt32, Operand::kNone,
                   minimum};
  Form wrong = right;
  wrong.ptx = "max.u32 %d, %a, %b;";
  EXPECT_EQ(Confusions({right, wrong}).size(), 1u);
  wrong.oracle = [](uint64_t a, uint64_t b, uint64_t) { return std::max(a, b); };
  EXPECT_EQ(Confusions({right, wrong}).size(), 0u);
}

TEST(VacuousTest, EveryFormNoticesAWrongResultOnEveryKindOfInput) {
  for (const Form& form : AllForms()) EXPECT_EQ(BlindSpots(form), std::vector<std::string>{}) << form.ptx;
}

TEST(VacuousTest, TheInputsTellEachFormFromItsNeighbours) {
  for (const std::string& pair : Confusions(AllForms())) ADD_FAILURE() << pair;
}

}  // namespace
}  // namespace warpgrade::emulator
