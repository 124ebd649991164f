// Arrays of gigabytes, by all cores: with one, a judge would spend most of its time on them. Small ones by one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warpgrade::judge {

// The first byte in which they differ, if any. Where another process writes at the same time, a byte near one that
// differed when it was looked at. REQUIRES: as many bytes in both; so in CopyBytes.
std::optional<size_t> FirstDifference(std::span<const std::byte> a, std::span<const std::byte> b);

void CopyBytes(std::span<std::byte> to, std::span<const std::byte> from);

void FillBytes(std::span<std::byte> bytes, std::byte value);

}  // namespace warpgrade::judge
