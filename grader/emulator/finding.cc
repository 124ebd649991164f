#include "grader/emulator/finding.h"

namespace warpgrade::emulator {

const char* Name(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBounds:
      return "out-of-bounds";
    case FindingKind::kUseAfterFree:
      return "use-after-free";
    case FindingKind::kMisaligned:
      return "misaligned";
    case FindingKind::kSharedRace:
      return "shared-race";
    case FindingKind::kBarrierDivergence:
      return "barrier-divergence";
    case FindingKind::kDeadlock:
      return "deadlock";
    case FindingKind::kEndlessLoop:
      return "endless-loop";
    case FindingKind::kBadShuffleMask:
      return "wrong-member-mask";
    case FindingKind::kTrap:
      return "trap";
    case FindingKind::kAssert:
      return "assert";
    case FindingKind::kStackOverflow:
      return "stack-overflow";
    case FindingKind::kUnsupported:
      return "unsupported";
    case FindingKind::kInvalidLaunch:
      return "invalid-launch";
  }
  return "unknown";
}

bool IsFatal(FindingKind kind) {
  return kind != FindingKind::kSharedRace && kind != FindingKind::kBadShuffleMask &&
         kind != FindingKind::kBarrierDivergence;
}

}  // namespace warpgrade::emulator
