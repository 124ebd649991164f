// The sizes at which every library call is tried: none, one, part of a block, many blocks.
#pragma once

inline constexpr int kSizes[] = {0, 1, 1000, 1000000};
