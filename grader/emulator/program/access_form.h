// How memory accesses, fences and isspacep are described to their handlers: what Inst names `access`, `fence` and
// `tested_space`.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// The direction of an access whose CountClass does not say it (CountClass::kGeneric).
enum class AccessDirection : uint8_t { kLoad, kStore, kAtomic };

// How far a fence reaches.
enum FenceScope : uint8_t { kBlockFence = 0, kDeviceFence = 1 };

// The state space that isspacep asks about.
enum class TestedSpace : uint8_t { kLocal, kShared, kParam, kGlobal, kConst };

}  // namespace warpgrade::emulator
