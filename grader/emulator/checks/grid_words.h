// Says what would order two accesses by different blocks.
#pragma once

#include "grader/emulator/checks/race_site.h"
#include "grader/emulator/program/barrier_place.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// The words for a race of two blocks. `places` is known and is about the function of the site. Null: it is not known.
RaceWords WordsAcrossBlocks(const LaunchShared& launch, const BarrierPlaces* places, const RaceSite& site);

}  // namespace warpgrade::emulator
