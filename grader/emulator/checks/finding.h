// A fault that the emulator saw in a kernel, with everything needed to explain it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/emulator/state/dim3.h"

namespace warpgrade::emulator {

enum class FindingKind {
  kOutOfBounds,
  kUseAfterFree,
  kMisaligned,
  kUninitialisedRead,
  kSharedRace,
  kGlobalRace,
  kBarrierDivergence,
  kDeadlock,
  kEndlessLoop,  // the instruction budget ran out
  kBadShuffleMask,
  kTrap,
  kAssert,
  kStackOverflow,
  kUnsupported,  // an instruction or feature that we do not implement
  kInvalidLaunch,
  // Of the host's side of a program: raised by the runtime, with no thread and often no kernel.
  kDoubleFree,
  kInvalidFree,     // of something that is not the start of an allocation
  kInvalidCopy,     // a copy or fill that leaves its allocation
  kLeak,            // an allocation that lives when the program ends
  kUncheckedError,  // a call or launch failed and nobody asked
};
const char* Name(FindingKind kind);  // "out-of-bounds"
// True for findings that stop the kernel (an illegal address); false for those that only report (a race).
bool IsFatal(FindingKind kind);

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
  // Of a race: the other access. other_line 0: there is none. Without line information it is a line of the PTX.
  std::string other_file;
  int other_line = 0;
  Dim3 other_block{0, 0, 0};
  Dim3 other_thread{0, 0, 0};
  uint64_t count = 1;   // how often the same kind at the same line was seen
  std::string message;  // a full sentence without kernel and line: "wrote 4 bytes at ..., 4 bytes past the end of ..."
};

}  // namespace warpgrade::emulator
