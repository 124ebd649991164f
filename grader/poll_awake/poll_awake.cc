// Tested by tests/poll_awake/poll_awake_test.cc. tests/cudart/bench measures what it saves.
#include "grader/poll_awake/poll_awake.h"

#include <sched.h>

#include <chrono>

namespace warpgrade {
namespace {

constexpr auto kAwake = std::chrono::microseconds(50);

}  // namespace

int PollAwake(pollfd* fds, nfds_t count, int timeout_ms) {
  if (timeout_ms == 0) return poll(fds, count, 0);
  const auto end = std::chrono::steady_clock::now() + kAwake;
  do {
    if (const int ready = poll(fds, count, 0); ready != 0) return ready;
    sched_yield();
  } while (std::chrono::steady_clock::now() < end);
  return poll(fds, count, timeout_ms);
}

}  // namespace warpgrade
