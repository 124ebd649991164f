// What one instruction does to one thread: the oracle's semantics, written from the PTX ISA 9.0 one value at a time and
// sharing nothing with the emulator's handlers. Tested by running: oracle_test.cc compares the two.
#pragma once

#include <cstdint>
#include <functional>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::oracle {

// Operands as raw bits in the low part of a word, predicates as 0 and 1. `in` are the sources in source order.
struct Step {
  uint64_t in[5] = {};
  uint64_t out = 0;
  uint64_t out2 = 0;  // the second half of p|q
  bool carry = false;
};
using Rule = std::function<void(Step&)>;

// The rule of an instruction that works on registers alone (arithmetic, logic, comparison, conversion), or an empty
// function when the oracle does not know it.
Rule FindRule(const ptx::Instruction& i);

// Split by subject; each gives an empty function for what is not its own.
Rule IntegerRule(const ptx::Instruction& i);
Rule BitRule(const ptx::Instruction& i);
Rule FloatRule(const ptx::Instruction& i);
Rule HalfRule(const ptx::Instruction& i);
Rule CompareRule(const ptx::Instruction& i);
Rule ConvertRule(const ptx::Instruction& i);
Rule VideoRule(const ptx::Instruction& i);

bool Has(const ptx::Instruction& i, const char* modifier);
// The type named by the `k`th modifier from the end that names one; kNone if there are fewer.
ptx::Type TypeFromEnd(const ptx::Instruction& i, int k);
bool IsSigned(ptx::Type t);
bool IsInteger(ptx::Type t);  // .u, .s and .b
int BitsOf(ptx::Type t);
// The number that the low bits stand for.
__int128 Number(uint64_t bits, int width, bool is_signed);

float Single(uint64_t bits);
double Double(uint64_t bits);
uint64_t Bits(float v);
uint64_t Bits(double v);
// Zero of the same sign for a subnormal.
float Flush(float v);

// f16 and bf16 by exact integer arithmetic: a number is `mantissa` * 2^`exponent`.
struct NarrowFormat {
  int precision;         // significant bits, with the hidden one
  int minimum_exponent;  // of the smallest normal number's leading bit
  int bias;
  int mantissa_bits;
};
inline constexpr NarrowFormat kHalf{11, -14, 15, 10};
inline constexpr NarrowFormat kBFloat{8, -126, 127, 7};
double Widen(uint64_t bits, const NarrowFormat& f);
// Rounds to nearest even. `sign_of_zero` is the sign of a result that is exactly zero.
uint64_t RoundTo(const NarrowFormat& f, __int128 mantissa, int exponent, bool sign_of_zero);
// The nearest value of the format; NaN gives the canonical one.
uint64_t Narrow(double v, const NarrowFormat& f);

}  // namespace warpgrade::oracle
