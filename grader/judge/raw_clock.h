// The judge's clock: nanoseconds of CLOCK_MONOTONIC_RAW, whose speed is never adjusted.
#pragma once

#include <time.h>

#include <cstdint>

namespace warpgrade::judge {

inline int64_t RawNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace warpgrade::judge
