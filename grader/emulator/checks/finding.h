// A fault that the emulator saw in a kernel or in the host's side of a program, with everything needed to explain it.
// finding_kinds.def lists the kinds; report.h says how checks report one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/emulator/state/dim3.h"

namespace warpgrade::emulator {

enum class FindingKind {
#define WARPGRADE_FINDING(kind, name, effect, status) kind,
#include "grader/emulator/checks/finding_kinds.def"
#undef WARPGRADE_FINDING
};
// The name that a person reads and --json writes: "out-of-bounds". "unknown" beyond the last kind.
const char* Name(FindingKind kind);
// True for kinds that make the launch fail (an illegal address); false for those that only report (a race).
bool IsFatal(FindingKind kind);
// True for kinds that end the launch at once. After the other fatal kinds the kernel continues, so that later faults
// are found too.
bool StopsAtOnce(FindingKind kind);
// True for races between threads of kernels.
bool IsRace(FindingKind kind);

// How far apart the two threads of a race are: in one warp, in one block, in different blocks.
enum class RaceReach : uint8_t { kWarp, kBlock, kGrid };
// "warp", "block" or "grid".
const char* Name(RaceReach reach);

// A call or an access of the host that a finding is about.
struct HostPlace {
  // Its address in the program's file, as it was linked; 0: not known. The program's process tells it, so it may be any
  // number.
  uint64_t address = 0;
  size_t in_message = 0;  // the place in Finding::message where its source line may be inserted
};

struct Finding {
  FindingKind kind = FindingKind::kOutOfBounds;
  std::string kernel;  // demangled
  std::string file;    // "" when the code has no line information
  int line = 0;
  int ptx_line = 0;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  uint64_t address = 0;  // 0 when no address is involved
  int access_bytes = 0;
  // The other access of a race. other_line is 0 if there is none. Without line information it is a line of the PTX.
  std::string other_file;
  int other_line = 0;
  Dim3 other_block{0, 0, 0};
  Dim3 other_thread{0, 0, 0};
  Dim3 block_size;        // of a race: the shape of the block
  std::string place;      // of a race: "tile[33]", as in `message`
  const char* verb = "";  // of a race: "read", "wrote", "did an atomic on"; this and the next are constants
  const char* other_verb = "";
  RaceReach reach = RaceReach::kWarp;  // of a race: the farthest of all pairs of threads in these two lines
  bool warp_barrier = false;           // of a race: the barrier in `message` is a __syncwarp()
  // Of a race: `advice` puts a barrier before this line; 0: none, or several. Races with one line need one barrier.
  int barrier_line = 0;
  // Of a race: the read should come first and the write after it, so it is not the read that misses a write.
  bool reads_first = false;
  uint64_t count = 1;                  // how often the same kind at the same line was seen
  std::string advice;                  // what to do about this one; "" when the kind alone says it
  std::vector<HostPlace> host_places;  // of a fault of the host's side: where it is, and then the earlier call
  std::string message;  // a full sentence without kernel and line: "wrote 4 bytes at ..., 4 bytes past the end of ..."
};

// The message of an atomic on local memory. Its address may be that of an array, so it is no wrong index.
inline constexpr char kLocalAtomic[] =
    "did an atomic on the thread's own local memory; atomics are for global and shared memory";

// True if it is about an access of a thread to its own local memory.
bool IsInLocalMemory(const Finding& finding);

}  // namespace warpgrade::emulator
