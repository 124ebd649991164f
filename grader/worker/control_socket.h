// The worker's end of the control socket: whole messages, or the end of the judge.
#pragma once

#include "grader/worker/protocol.h"

namespace warpgrade::worker {

// The descriptor named by WARPGRADE_CONTROL_FD, or -1 when the program was not started by the judge.
int ControlSocketFromEnvironment();

// Waits for the next message: at first without sleeping, for up to `spin_ns`. False when the judge is gone or the
// packet is not one of this protocol. `descriptor`, when given, gets the file descriptor that came with it, which the
// caller closes, or -1.
bool Receive(int fd, protocol::Message* message, int64_t spin_ns = 0, int* descriptor = nullptr);

// False when the judge is gone.
bool Send(int fd, const protocol::Message& message);

// Copies as much of `text` as fits, always terminated.
template <int kBytes>
void CopyText(const char* text, char (&to)[kBytes]) {
  std::strncpy(to, text == nullptr ? "" : text, kBytes - 1);
  to[kBytes - 1] = '\0';
}

}  // namespace warpgrade::worker
