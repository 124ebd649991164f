// Large arrays lie in pages of 2 MiB, where the system has them. A block of a transposition touches another page of 4
// KiB with each row, and the processor remembers the addresses of only some thousands of pages.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// Smaller arrays gain little.
inline constexpr uint64_t kLeastHugeArray = uint64_t{4} << 20;

// The bytes are about to be used from the start to the end. Only whole huge pages are affected, so that no memory is
// taken beside them.
void PreferHugePages(void* from, uint64_t bytes);
// Ends that.
void PreferSmallPages(void* from, uint64_t bytes);

}  // namespace warpgrade::emulator
