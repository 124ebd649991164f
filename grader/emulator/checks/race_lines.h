// The race check for one line of memory: compares an access with what the shadow remembers, then remembers it.
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
  uint32_t stamp;  // of lines that are not empty (shadow_memory.h)
  AccessId id;     // without lanes
  int size;
  uint64_t arena;  // subtract it from an address to find the address's line
};

// The part of an access that lies in one line.
struct LinePart {
  uint64_t line_address;
  uint32_t from, to;  // bytes of the line
  uint32_t words;     // the words of the line that it covers; 0 if it covers parts of words
  AccessMeta meta;
};

// Which steps to do for a part of an access. All lanes of a store are compared before any of them is remembered.
enum LinePhase : unsigned { kCompare = 1, kRemember = 2, kBoth = 3 };

void VisitLine(const RaceAccess& now, const LinePart& part, LinePhase phase);

}  // namespace warpgrade::emulator
