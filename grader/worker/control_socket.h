// The worker's end of the control socket. It sends and receives whole messages, and notices when the judge is gone.
#pragma once

#include "grader/worker/protocol.h"

namespace warpgrade::worker {

// The descriptor named by WARPGRADE_CONTROL_FD, or -1 when the program was not started by the judge.
int ControlSocketFromEnvironment();

// Waits for the next message, for the first `spin_ns` nanoseconds without sleeping. False when the judge is gone or the
// packet is not one of this protocol. `descriptor`, unless null, gets the file descriptor that came with the message,
// or -1; the caller closes it.
bool Receive(int fd, protocol::Message* message, int64_t spin_ns = 0, int* descriptor = nullptr);

// Sends a message. False when the judge is gone.
bool Send(int fd, const protocol::Message& message);

// Copies as much of `text` as fits into `to`, with a terminating zero. A null `text` becomes "".
template <int kBytes>
void CopyText(const char* text, char (&to)[kBytes]) {
  std::strncpy(to, text == nullptr ? "" : text, kBytes - 1);
  to[kBytes - 1] = '\0';
}

}  // namespace warpgrade::worker
