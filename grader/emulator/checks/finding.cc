#include "grader/emulator/checks/finding.h"

#include <iterator>

#include "grader/emulator/program/address_space.h"

namespace warpgrade::emulator {
namespace {

enum class Effect { kReports, kFails, kStops };

struct Row {
  const char* name;
  Effect effect;
};
constexpr Row kRows[] = {
#define WARPGRADE_FINDING(kind, name, effect, status) {name, Effect::effect},
#include "grader/emulator/checks/finding_kinds.def"
#undef WARPGRADE_FINDING
};

}  // namespace

const char* Name(FindingKind kind) {
  const size_t row = static_cast<size_t>(kind);
  return row < std::size(kRows) ? kRows[row].name : "unknown";
}

const char* Name(RaceReach reach) {
  constexpr const char* kNames[] = {"warp", "block", "grid"};
  return kNames[static_cast<size_t>(reach)];
}

bool IsFatal(FindingKind kind) { return kRows[static_cast<size_t>(kind)].effect != Effect::kReports; }
bool StopsAtOnce(FindingKind kind) { return kRows[static_cast<size_t>(kind)].effect == Effect::kStops; }

bool IsRace(FindingKind kind) {
  return kind == FindingKind::kSharedRace || kind == FindingKind::kGlobalRace ||
         kind == FindingKind::kUnorderedVolatile;
}

bool IsInLocalMemory(const Finding& finding) { return finding.host_places.empty() && IsLocalAddress(finding.address); }

}  // namespace warpgrade::emulator
