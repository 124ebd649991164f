// The two accesses of a race in the code, and the words that say what would order them.
#pragma once

#include <cstdint>
#include <string>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

// The function that contains both accesses of a race.
struct RaceSite {
  const ptx::Function* function = nullptr;  // null: they are in two functions
  int32_t a = -1, b = -1;                   // indices in its body
  const ptx::Instruction& A() const { return function->body[static_cast<size_t>(a)]; }
  const ptx::Instruction& B() const { return function->body[static_cast<size_t>(b)]; }
};

// `inst_a` and `inst_b` are Inst::index.
RaceSite SiteOf(const Program& program, uint32_t inst_a, uint32_t inst_b);

struct RaceWords {
  std::string lacks;   // ends the message
  std::string advice;  // what to do
};

}  // namespace warpgrade::emulator
