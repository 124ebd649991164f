// The inputs of a described lab: every element is made from a seed and its index, so that several threads can draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/described/description.h"

namespace warpgrade::described {

// Fills `to` with the elements of `buffer` in the case `c`, of the kind kValueKinds[c.pattern].
void DrawValues(const Description& lab, const BufferRow& buffer, const Case& c, uint64_t seed, std::span<std::byte> to);

}  // namespace warpgrade::described
