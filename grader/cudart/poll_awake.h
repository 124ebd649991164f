// Waiting for the other process, which most often answers sooner than a processor wakes.
#pragma once

#include <poll.h>

#include <cstdint>

namespace warpgrade::cudart {

// std::chrono::steady_clock, in nanoseconds.
int64_t SteadyNanoseconds();

// As poll(), but it does not go to sleep in the first 50 microseconds: an idle processor takes about as long to wake
// (measured), and a graded call waits three times. Whatever else wants the processor meanwhile gets it.
int PollAwake(pollfd* fds, nfds_t count, int timeout_ms);

// The same, with the 50 microseconds kept by the clock `now_ns`.
int PollAwakeWithClock(pollfd* fds, nfds_t count, int timeout_ms, int64_t (*now_ns)());

}  // namespace warpgrade::cudart
