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
  uint64_t arena;      // subtract it from an address to find the address's line
  uint32_t full_sync;  // of the warp, at the time of the access (WarpOrder)
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

// The words that plain reads by any thread need not be compared with and remembered in. Without the lock.
inline uint32_t SettledForReads(const LineShadow& line, uint32_t stamp) {
  if (__atomic_load_n(&line.stamp, __ATOMIC_RELAXED) != stamp || line.settled_atomics) return 0;
  return __atomic_load_n(&line.settled, __ATOMIC_RELAXED);
}

// The lane that accessed a byte of the line, and its access.
inline uint32_t LaneAt(AccessMeta meta, uint32_t byte) {
  const uint32_t log2 = Log2Of(meta);
  return static_cast<uint32_t>(BaseOf(meta) + (log2 == kSameWord ? 0 : static_cast<int>(byte >> log2))) & 31;
}
inline AccessId ThreadAt(AccessId id, AccessMeta meta, uint32_t byte) {
  return WithLane(id, LaneAt(meta, byte)) | (Log2Of(meta) == kSameWord ? kManyLanes : 0);
}

// The most common access whose lanes are not in order: one lane's access to a word that nobody has touched, in a line
// that is kept by words. Remembers it as VisitLine would; returns false for all others.
inline bool VisitUntouchedWord(const RaceAccess& now, LineShadow& line, const GranulePool& pool, uint32_t word,
                               AccessMeta meta) {
  if (line.stamp != now.stamp || line.form != LineForm::kWords) return false;
  Granule& g = pool.At(line.granules)[word];
  if ((HeldWords(line) >> word & 1) == 0) {
    HeldWords(line) |= 1u << word;
    g = Granule{};
  } else if (g.write.id != 0 || g.read.id != 0) {
    return false;
  }
  (now.writes ? g.write : g.read) = Cell{ThreadAt(now.id, meta, word * 4), meta};
  return true;
}

// Makes an empty line that is kept by words. Returns false if no granules are left.
bool StartInWords(uint32_t stamp, LineShadow& line, GranulePool& pool);

}  // namespace warpgrade::emulator
