// How setp and set are described to their handlers: PTX ISA "Comparison and Selection Instructions".
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

enum class Relation : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };

// How the result is combined with the predicate in row c.
enum class PredicateJoin : uint8_t { kNone, kAnd, kOr, kXor };

// For the handlers that serve every relation: set, and setp of bf16 and of pairs.
struct CompareForm {
  Relation relation;
  bool flush;   // .ftz
  bool negate;  // the predicate in row c
};

}  // namespace warpgrade::emulator
