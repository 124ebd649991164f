#include "grader/emulator/checks/finding.h"

namespace warpgrade::emulator {

const char* Name(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBounds:
      return "out-of-bounds";
    case FindingKind::kUseAfterFree:
      return "use-after-free";
    case FindingKind::kMisaligned:
      return "misaligned";
    case FindingKind::kUninitialisedRead:
      return "uninitialised-read";
    case FindingKind::kSharedRace:
      return "shared-race";
    case FindingKind::kGlobalRace:
      return "global-race";
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
    case FindingKind::kDoubleFree:
      return "double-free";
    case FindingKind::kInvalidFree:
      return "invalid-free";
    case FindingKind::kInvalidCopy:
      return "invalid-copy";
    case FindingKind::kLeak:
      return "leak";
    case FindingKind::kUncheckedError:
      return "unchecked-error";
  }
  return "unknown";
}

bool IsFatal(FindingKind kind) {
  switch (kind) {
    case FindingKind::kUninitialisedRead:
    case FindingKind::kSharedRace:
    case FindingKind::kGlobalRace:
    case FindingKind::kBarrierDivergence:
    case FindingKind::kBadShuffleMask:
    case FindingKind::kDoubleFree:
    case FindingKind::kInvalidFree:
    case FindingKind::kInvalidCopy:
    case FindingKind::kLeak:
    case FindingKind::kUncheckedError:
      return false;
    default:
      return true;
  }
}

}  // namespace warpgrade::emulator
