// Literals and constant expressions (PTX ISA 9.0, sections 4.5.1 to 4.5.5): 64-bit integers, signed or unsigned, and
// floating point.
#pragma once

#include <cstdint>

#include "grader/emulator/ptx/module.h"
#include "grader/emulator/ptx/token_stream.h"

namespace warpgrade::ptx {

struct Constant {
  Type type = Type::kS64;  // kS64, kU64, kF32 (bits are the low 32) or kF64
  uint64_t bits = 0;

  bool IsFloat() const { return type == Type::kF32 || type == Type::kF64; }
};

// The value as a double, whatever its type.
double ToDouble(const Constant& value);

// A whole expression: 4, -1, (3 << 2) | 1, 0f3F800000. On failure `tokens` holds the error.
Constant ParseConstant(TokenStream& tokens);

// A term that binds tighter than '+': what follows the sign in [%rd1+4*2].
Constant ParseConstantTerm(TokenStream& tokens);

// The bytes that a variable of `type` gets from `value`, in the low bits: 1.5 as .f32 is 0x3FC00000.
uint64_t BitsAs(Type type, const Constant& value);

}  // namespace warpgrade::ptx
