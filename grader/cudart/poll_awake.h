// Waiting for the other process, which most often answers sooner than a processor wakes.
#pragma once

#include <poll.h>

namespace warpgrade::cudart {

// As poll(), and for the first 50 microseconds without going to sleep: an idle processor takes about as long to wake
// (measured), three times in a graded call. Whatever else wants the processor meanwhile gets it.
int PollAwake(pollfd* fds, nfds_t count, int timeout_ms);

}  // namespace warpgrade::cudart
