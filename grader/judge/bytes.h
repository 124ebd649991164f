// Arrays of gigabytes, compared and copied on all cores.
#pragma once

#include <cstddef>
#include <span>

namespace warpgrade::judge {

// Whether they are equal. REQUIRES: as many bytes in both.
bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b);

// REQUIRES: as many bytes in both, which do not overlap.
void CopyBytes(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace warpgrade::judge
