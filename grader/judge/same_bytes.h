// Whether an array of gigabytes is as it was, on all cores: with one, a judge would spend most of its time so.
#pragma once

#include <cstddef>
#include <span>

namespace warpgrade::judge {

// REQUIRES: as many bytes in both.
bool SameBytes(std::span<const std::byte> a, std::span<const std::byte> b);

}  // namespace warpgrade::judge
