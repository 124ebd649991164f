// From which loads and shuffles a kernel computes what it stores, and of which type values are. Read off the code of
// the kernel, through its registers and its local memory, but not through calls.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

struct ValueSource {
  uint32_t inst = 0;  // a load, an atomic or a shuffle, by Inst::index
  // The value adds up over a loop, so it may be computed from what every execution of `inst` gave, not only the last.
  bool adds_up = false;
};

struct ValueFlow {
  // For each store, atomic and shuffle, by Inst::index: from what its value may be computed.
  std::map<uint32_t, std::vector<ValueSource>> sources;
  // For each of all these: the type of its value. kB32 and the like where nothing in the kernel tells.
  std::map<uint32_t, ptx::Type> types;
};

// Whether `type` tells more of a value than `other`: floats more than signed integers, these more than unsigned ones,
// and those more than bits.
bool TellsMore(ptx::Type type, ptx::Type other);

// Gives no sources beyond a bound on the work, which no kernel that a person wrote comes near.
ValueFlow FlowOf(const Program& program);

}  // namespace warpgrade::emulator
