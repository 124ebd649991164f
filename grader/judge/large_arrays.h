// Arrays of gigabytes, by all cores: with one, a judge would spend most of its time on them. Small ones by one.
#pragma once

#include <cstddef>
#include <span>

namespace warpgrade::judge {

// Whether both are the same. REQUIRES: as many bytes in both; so in CopyBytes.
bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b);

void CopyBytes(std::span<std::byte> to, std::span<const std::byte> from);

void FillBytes(std::span<std::byte> bytes, std::byte value);

}  // namespace warpgrade::judge
