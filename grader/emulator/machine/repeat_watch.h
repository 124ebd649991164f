// Finds blocks that never end, because they come back to an earlier state. When a block has run for long, its state is
// looked at after each of its turns. The state is everything that decides what the block does next: the positions of
// its lanes, their registers, local and shared memory. Brent's method (BIT 20, 1980) saves one state and compares it
// with each later one. It saves a new one after 1, 2, 4, ... looks. So in the end a state on the cycle is saved, and
// comes again.
//
//   looks   1 2 3 4 5 6 7 8 ...
//   saved   ^ ^   ^       ^       each saved state is compared with all looks up to the next saved one
//
// A block that is in the same state again never ends if it read no global memory in between. If it read global memory,
// it never ends if nobody can change that memory: not the host, and no other block, except blocks that also repeat and
// write nothing. If it wrote global memory, that memory must also be the same again. Otherwise other blocks run first.
//
// A loop that counts has another state in each iteration, however long it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Watches one block. Used by the host thread that runs it.
class RepeatWatch {
 public:
  // A block is looked at when it has run this many instructions.
  static constexpr uint64_t kFirstLook = 1'000'000;

  enum class Verdict {
    kMovesOn,    // no repeated state was found
    kRepeats,    // it repeats until another block or the host writes what it reads
    kNeverEnds,  // it repeats, and nobody can write what it reads
    kWaits,      // it repeats, and what it reads can only be written while the launch is suspended
  };
  // Looks at x.block. REQUIRES: no warp of it runs.
  Verdict Look(const Exec& x);

  // How many instructions wrote global memory on this host thread.
  static uint64_t WritesOf(const Exec& x) { return TrafficOf(x).writes; }

 private:
  // How often instructions accessed global memory on this host thread. An atomic that changes nothing is no write.
  struct Traffic {
    uint64_t reads = 0, writes = 0;
  };
  static Traffic TrafficOf(const Exec& x);
  void Save(const Exec& x, uint64_t stamp);
  bool IsSaved(const Exec& x) const;
  bool LanesStay(const Exec& x) const;
  Verdict Returned(const Exec& x);
  Verdict ReturnedAfterReads(const Exec& x, uint64_t writes);
  Verdict ReturnedAfterWrites(const Exec& x);
  Verdict LookLater(Verdict verdict, uint64_t longest_skip);

  std::vector<uint8_t> state_;
  std::vector<uint64_t> spun_;            // Warp::spun of each warp in that state
  uint64_t clock_ = 0;                    // Exec::clock then
  Traffic traffic_;                       // until then
  std::vector<uint8_t> memory_;           // all global memory then; empty: not saved
  uint64_t stamp_ = 0;                    // RepeatTally::stamp then
  uint64_t looks_ = 0, most_looks_ = 1;   // since the state was saved, and when it is replaced
  uint64_t skip_ = 0, next_skip_ = 1;     // looks that are left out, since one was in vain
  Verdict verdict_ = Verdict::kMovesOn;   // meanwhile
  bool repeats_ = false;                  // it read and did not write between two visits of one state
  uint64_t writes_before_ = 0;            // Traffic::writes when that was found
  uint64_t confirmed_in_ = ~uint64_t{0};  // RepeatTally::stamp when it was counted as confirmed
};

// A block is done. Called for every block of a launch.
void CountDone(LaunchShared& launch);

}  // namespace warpgrade::emulator
