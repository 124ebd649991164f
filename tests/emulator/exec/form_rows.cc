// Edge values and random ones for each kind of operand, the classes that they fall into, and what counts as the same
// result.
#include "tests/emulator/exec/form_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace warpgrade::emulator {
namespace {

constexpr size_t kRandomRows = 128;

}  // namespace

int BytesOf(Operand o) {
  switch (o) {
    case Operand::kNone:
      return 0;
    case Operand::kInt16:
    case Operand::kF16:
    case Operand::kBF16:
      return 2;
    case Operand::kInt64:
    case Operand::kF32x2:
    case Operand::kF64:
      return 8;
    default:
      return 4;
  }
}

namespace {

std::vector<uint64_t> SingleEdges() {
  std::vector<uint64_t> bits;
  for (float f : {0.0f, 1.0f, 1.5f, 2.5f, 3.14159f, 1e-30f, 1e30f, 16777217.0f, 0.49999997f})
    bits.push_back(Cast<uint32_t>(f));
  // Smallest and largest subnormal, smallest and largest normal, infinity, three NaNs.
  for (uint32_t u : {1u, 0x007FFFFFu, 0x00800000u, 0x7F7FFFFFu, 0x7F800000u, 0x7FC00001u, 0x7F800001u, 0x7FFFFFFFu,
                     0x3F801000u, 0x3F803000u})  // the last two lie halfway between two tf32
    bits.push_back(u);
  for (size_t k = 0, n = bits.size(); k < n; ++k) bits.push_back(bits[k] | 0x80000000u);
  return bits;
}

std::vector<uint64_t> DoubleEdges() {
  std::vector<uint64_t> bits;
  for (double f : {0.0, 1.0, 1.5, 2.5, 1e-300, 1e300, 4503599627370497.5, 2147483648.0, 65504.0, 1e-8, 1e-40})
    bits.push_back(Cast<uint64_t>(f));
  for (uint64_t u : {uint64_t{1}, uint64_t{0x000FFFFFFFFFFFFF}, uint64_t{0x0010000000000000},
                     uint64_t{0x7FEFFFFFFFFFFFFF}, uint64_t{0x7FF0000000000000}, uint64_t{0x7FF8000000000001},
                     uint64_t{0x7FF0000000000001}, uint64_t{0x7FFFFFFFFFFFFFFF}}) {
    bits.push_back(u);
  }
  for (size_t k = 0, n = bits.size(); k < n; ++k) bits.push_back(bits[k] | (uint64_t{1} << 63));
  return bits;
}

// Each value in the low half and in the high half, beside two different others.
std::vector<uint64_t> PairEdges(const std::vector<uint64_t>& halves, int width = 16) {
  std::vector<uint64_t> bits;
  for (size_t k = 0; k < halves.size(); ++k) {
    for (size_t other : {k + 3, k + 5}) bits.push_back(halves[k] << width | halves[other % halves.size()]);
  }
  return bits;
}

std::vector<uint64_t> Edges(Operand o) {
  switch (o) {
    case Operand::kNone:
      return {0};
    case Operand::kPred:
      return {0, 1};
    case Operand::kAmount:
      return {0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 255, 256, 0x80000000u, 0xFFFFFFFFu};
    case Operand::kInt16:
      return {0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF, 0x1234};
    case Operand::kInt32:
      return {0,           1,           2,          3,          10,          0x80,
              0x801,       0xFFFF,      0x8000,     0x7FFFFFFF, 0x80000000u, 0x80000001u,
              0xFFFFFFFEu, 0xFFFFFFFFu, 0x12345678, 0x01000001, 0x00800000,  0x00FFFFFF};
    case Operand::kInt64:
      return {0,
              1,
              2,
              0x801,
              10,
              0x80,
              0xFFFFFFFFu,
              0x80000000u,
              0x100000000u,
              uint64_t{1} << 53 | 1,
              ~uint64_t{0} >> 1,
              uint64_t{1} << 63,
              ~uint64_t{0},
              ~uint64_t{1},
              0x123456789ABCDEF0};
    case Operand::kF16:
    case Operand::kBF16:
      return {0,      0x8000, 1,      0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x3E00, 0x7BFF, 0xFBFF,
              0x7C00, 0xFC00, 0x7E00, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7F7F, 0x7FC0, 0x3FC1, 0x0080,
              0x4001, 0x7FFF, 0xFFFF, 0x7C01, 0x007F, 0x807F, 0x83FF, 0x3A00, 0x3F40};
    case Operand::kF16x2:
      return PairEdges({0, 0x8000, 1, 0x83FF, 0x3C00, 0xFBFF, 0x7C00, 0xFC00, 0x7FFF, 0xFE00, 0x3A00});
    case Operand::kBF16x2:
      return PairEdges({0, 0x8000, 1, 0x807F, 0x3F80, 0xFF7F, 0x7F80, 0xFF80, 0x7FFF, 0xFFC0, 0x3F40});
    case Operand::kF32:
      return SingleEdges();
    case Operand::kF32x2:
      return PairEdges(SingleEdges(), 32);
    case Operand::kF64:
      return DoubleEdges();
    case Operand::kAngle:
    case Operand::kNormal:
      return {Cast<uint32_t>(0.5f), Cast<uint32_t>(-1.0f), Cast<uint32_t>(2.0f)};
  }
  return {0};
}

uint64_t Random(Operand o, std::mt19937_64& rng) {
  switch (o) {
    case Operand::kNone:
      return 0;
    case Operand::kPred:
      return rng() & 1;
    case Operand::kAmount:
      return rng() % 70;
    case Operand::kF32:
      if (rng() % 2)
        return Cast<uint32_t>(
            std::ldexp(static_cast<float>(static_cast<int32_t>(rng())), -static_cast<int>(rng() % 40)));
      return rng() & 0xFFFFFFFF;
    case Operand::kF32x2: {
      const uint64_t low = Random(Operand::kF32, rng);
      return Random(Operand::kF32, rng) << 32 | low;
    }
    case Operand::kF64:
      if (rng() % 2)
        return Cast<uint64_t>(
            std::ldexp(static_cast<double>(static_cast<int64_t>(rng())), -static_cast<int>(rng() % 80)));
      return rng();
    case Operand::kAngle:
      return Cast<uint32_t>(static_cast<float>(std::uniform_real_distribution<double>(-6.28318, 6.28318)(rng)));
    case Operand::kNormal: {
      float f = std::ldexp(static_cast<float>(std::uniform_real_distribution<double>(1, 2)(rng)),
                           static_cast<int>(rng() % 120) - 60);
      return Cast<uint32_t>(rng() % 2 ? f : -f);
    }
    default:
      return rng() & (BytesOf(o) == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * BytesOf(o))) - 1);
  }
}

}  // namespace

Rows MakeRows(const Form& form) {
  Rows rows;
  auto add = [&rows](uint64_t a, uint64_t b, uint64_t c) {
    rows.a.push_back(a);
    rows.b.push_back(b);
    rows.c.push_back(c);
  };
  std::vector<uint64_t> b_edges = Edges(form.b), c_edges = Edges(form.c);
  std::mt19937_64 rng(12345);
  size_t turn = 0;
  for (uint64_t a : Edges(form.a)) {
    for (uint64_t b : b_edges) {
      // Three operands: not every combination, but each value of c with many of (a, b).
      for (size_t k = 0; k < std::min<size_t>(3, c_edges.size()); ++k) add(a, b, c_edges[turn++ % c_edges.size()]);
    }
  }
  for (size_t k = 0; k < kRandomRows; ++k) add(Random(form.a, rng), Random(form.b, rng), Random(form.c, rng));
  while (rows.a.size() % 32 != 0) add(rows.a[0], rows.b[0], rows.c[0]);
  return rows;
}

uint64_t Truncate(uint64_t v, Operand o) { return BytesOf(o) == 8 ? v : v & ((uint64_t{1} << (8 * BytesOf(o))) - 1); }

bool IsNan(uint64_t v, Operand o) {
  switch (o) {
    case Operand::kF16:
      return (v & 0x7C00) == 0x7C00 && (v & 0x3FF) != 0;
    case Operand::kBF16:
      return (v & 0x7F80) == 0x7F80 && (v & 0x7F) != 0;
    case Operand::kF32:
    case Operand::kNormal:
    case Operand::kAngle:
      return std::isnan(Cast<float>(v));
    case Operand::kF64:
      return std::isnan(Cast<double>(v));
    default:
      return false;
  }
}

bool Same(uint64_t got, uint64_t want, Operand o) {
  if (o == Operand::kF16x2 || o == Operand::kBF16x2) {
    Operand part = o == Operand::kF16x2 ? Operand::kF16 : Operand::kBF16;
    return Same(got & 0xFFFF, want & 0xFFFF, part) && Same(got >> 16 & 0xFFFF, want >> 16 & 0xFFFF, part);
  }
  if (o == Operand::kF32x2) {
    const Operand part = Operand::kF32;
    return Same(Truncate(got, part), Truncate(want, part), part) && Same(got >> 32, want >> 32, part);
  }
  return got == want || (IsNan(got, o) && IsNan(want, o));
}

bool Accepts(const Form& form, uint64_t a, uint64_t b, uint64_t c, uint64_t got) {
  return form.judge ? form.judge(a, b, c, got) : Same(got, Truncate(form.oracle(a, b, c), form.d), form.d);
}

std::vector<InputClass> ClassesOf(Operand o) {
  const int bits = 8 * BytesOf(o);
  const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1, sign = bits == 0 ? 0 : all / 2 + 1;
  auto is = [](uint64_t value) { return [value](uint64_t v) { return v == value; }; };
  switch (o) {
    case Operand::kNone:
      return {};
    case Operand::kPred:
      return {{"true", is(1)}, {"false", is(0)}};
    case Operand::kAmount:
      return {{"0", is(0)}, {"31", is(31)}, {"32", is(32)}, {"more than 64", [](uint64_t v) { return v > 64; }}};
    case Operand::kAngle:
    case Operand::kNormal:
      return {{"a negative number", [](uint64_t v) { return (v >> 31) != 0; }},
              {"a positive number", [](uint64_t v) { return (v >> 31) == 0; }}};
    case Operand::kInt16:
    case Operand::kInt32:
    case Operand::kInt64:
      return {
          {"0", is(0)}, {"all ones", is(all)}, {"the smallest signed", is(sign)}, {"the largest signed", is(sign - 1)}};
    default:
      break;
  }
  const bool packed = o == Operand::kF16x2 || o == Operand::kBF16x2 || o == Operand::kF32x2;
  const Operand one = o == Operand::kF16x2    ? Operand::kF16
                      : o == Operand::kBF16x2 ? Operand::kBF16
                      : o == Operand::kF32x2  ? Operand::kF32
                                              : o;
  const int width = packed ? bits / 2 : bits;
  const int mantissa = one == Operand::kF16 ? 10 : one == Operand::kBF16 ? 7 : one == Operand::kF32 ? 23 : 52;
  const uint64_t magnitude = packed ? (uint64_t{1} << (width - 1)) - 1 : sign - 1,
                 infinity = magnitude >> mantissa << mantissa;
  std::vector<InputClass> classes;
  for (int at = 0; at < bits; at += width) {
    const std::string where = packed ? (at == 0 ? " in the low half" : " in the high half") : "";
    auto add = [&](const char* name, std::function<bool(uint64_t)> holds) {
      classes.push_back({name + where, [=](uint64_t v) { return holds(v >> at & (magnitude * 2 + 1)); }});
    };
    add("a positive NaN", [=](uint64_t v) { return v > infinity && v <= magnitude; });
    add("a negative NaN", [=](uint64_t v) { return (v & magnitude) > infinity && v > magnitude; });
    add("infinity", [=](uint64_t v) { return v == infinity; });
    add("-infinity", [=](uint64_t v) { return v == (infinity | (magnitude + 1)); });
    add("-0", [=](uint64_t v) { return v == magnitude + 1; });
    add("0", [=](uint64_t v) { return v == 0; });
    add("a positive subnormal", [=](uint64_t v) { return v > 0 && v < (uint64_t{1} << mantissa); });
    add("a negative subnormal",
        [=](uint64_t v) { return v > magnitude + 1 && v < magnitude + 1 + (uint64_t{1} << mantissa); });
  }
  return classes;
}

}  // namespace warpgrade::emulator
