// What is drawn of one request of a warp to memory, without a form: which bank serves which lane in which turn, and
// which bytes of which sectors are wanted. The terminal and the page draw it.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/score/pictures.h"

namespace warpgrade::report {

inline constexpr int kLanesOfWarp = 32, kBanks = 32;
inline constexpr uint64_t kBankBytes = 4, kSectorBytes = 32, kLineBytes = 128;

// One word of 4 bytes that a lane wants of shared memory. A lane that accesses 8 bytes wants two.
struct BankCell {
  int lane = 0, bank = 0;
  int turn = 0;        // from 1: when the bank serves it. Lanes that want the same word in the same turn share it
  bool waits = false;  // the bank serves another word first
};

struct BankPicture {
  std::vector<BankCell> cells;  // by lane, then word
  int turns = 0;
  int busiest_bank = 0, most_words = 0;  // the bank that is asked for most different words in one part of the warp
  int parts = 1;                         // of the warp, which are served one after the other
};

// One sector of 32 bytes of global memory that is moved.
struct SectorRow {
  uint64_t at = 0;      // where it starts
  uint32_t wanted = 0;  // a bit for each byte that a lane wants
  uint32_t lanes = 0;   // those that want a byte of it
  uint64_t Line() const { return at / kLineBytes; }
  int InLine() const { return static_cast<int>(at % kLineBytes / kSectorBytes); }
};

// The sectors of the request, by address.
using SectorPicture = std::vector<SectorRow>;

// False for data that no emulator records. Such a request has no picture.
bool IsDrawable(const score::MemoryRequest& request);

// REQUIRES: IsDrawable; in shared memory.
BankPicture BanksOf(const score::MemoryRequest& request);
// REQUIRES: IsDrawable; in global memory.
SectorPicture SectorsOf(const score::MemoryRequest& request);

}  // namespace warpgrade::report
