// Waits for another process that answers in less time than an idle processor takes to wake up.
#pragma once

#include <poll.h>

#include <cstdint>

namespace warpgrade {

// std::chrono::steady_clock, in nanoseconds.
int64_t SteadyNanoseconds();

// Does what poll() does, but stays awake for the first 50 microseconds. An idle processor takes about that long to wake
// (measured), and a graded call waits three times. A process that wants the processor meanwhile gets it (sched_yield).
int PollAwake(pollfd* fds, nfds_t count, int timeout_ms);

// The same, with the 50 microseconds kept by the clock `now_ns`.
int PollAwakeWithClock(pollfd* fds, nfds_t count, int timeout_ms, int64_t (*now_ns)());

}  // namespace warpgrade
