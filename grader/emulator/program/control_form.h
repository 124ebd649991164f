// How barriers and the branches of waiting loops are described to their handlers.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// How bar.red combines the predicates of all threads.
enum class BarrierReduction : uint8_t { kCount, kAnd, kOr };

// A loop that only waits: see wait_loop.h.
struct WaitLoopFlags {
  uint8_t takes_lock : 1;     // it polls by compare-and-swap or exchange
  uint8_t is_collective : 1;  // it votes, so it needs the whole warp
};

}  // namespace warpgrade::emulator
