// One line of memory under the race check: comparing an access with what the shadow remembers, and remembering it.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// An access of the current warp that is being checked.
struct RaceAccess {
  Exec& x;
  const Inst& inst;
  bool global;
  bool writes;
  SyncKind kind;
  uint32_t stamp;  // of lines that are not empty: see shadow_memory.h
  AccessId id;     // without lanes
  int size;
  uint64_t arena;  // what to take from an address to find its line
};

// The part of an access that lies in one line.
struct LinePart {
  uint64_t line_address;
  uint32_t from, to;  // bytes of the line
  uint32_t words;     // of the line, when the part is of whole words
  AccessMeta meta;
};

// What to do with a part of an access. Lanes of one store are all compared before any is remembered.
enum LinePhase : unsigned { kCompare = 1, kRemember = 2, kBoth = 3 };

void VisitLine(const RaceAccess& now, const LinePart& part, LinePhase phase);

}  // namespace warpgrade::emulator
