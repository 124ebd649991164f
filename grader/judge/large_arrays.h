// Work on arrays of gigabytes, spread over all cores; with one core, the judge would spend most of its time on it.
// Small arrays stay on one core.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warpgrade::judge {

// The index of the first byte in which `a` and `b` differ, if any. If another process writes meanwhile, it is an index
// near a byte that differed when it was read. REQUIRES: equal sizes.
std::optional<size_t> FirstDifference(std::span<const std::byte> a, std::span<const std::byte> b);

// Copies `from` to `to`. REQUIRES: equal sizes.
void CopyBytes(std::span<std::byte> to, std::span<const std::byte> from);

// Sets every byte.
void FillBytes(std::span<std::byte> bytes, std::byte value);

// Whether every byte is `value`. True for no bytes.
bool AllBytesAre(std::span<const std::byte> bytes, std::byte value);

}  // namespace warpgrade::judge
