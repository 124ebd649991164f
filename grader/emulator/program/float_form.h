// How float arithmetic and conversions to narrow floats are described to their handlers.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// The modifiers of an instruction that its handler looks up when it runs. float_modifiers.def lists them.
struct FloatFlags {
#define FLOAT_MODIFIER(spelling)
#define FLOAT_FLAG(spelling, field) uint8_t field : 1;
#define FLOAT_FLAG_ONLY(spelling, field) uint8_t field : 1;
#include "grader/emulator/program/float_modifiers.def"
#undef FLOAT_FLAG_ONLY
#undef FLOAT_FLAG
#undef FLOAT_MODIFIER
};

// How cvt rounds to f16, bf16 and tf32.
enum NarrowRounding : uint8_t { kToNearest, kToZero, kDownward, kUpward, kToNearestAway };

struct NarrowFlags {
  NarrowRounding rounding : 3;
  uint8_t saturate : 1, relu : 1, flush : 1;
  uint8_t finite : 1;  // .satfinite: the largest number instead of infinity
};

}  // namespace warpgrade::emulator
