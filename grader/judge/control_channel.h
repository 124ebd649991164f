// The judge's end of the control socket to one worker (grader/worker/protocol.h).
#pragma once

#include <cstdint>
#include <string>

#include "grader/result/result.h"
#include "grader/worker/protocol.h"

namespace warpgrade::judge {

class ControlChannel {
 public:
  // A connected pair of sockets: ours, and the one that the worker inherits.
  static Result<ControlChannel> Open();
  ControlChannel(ControlChannel&& other) noexcept;
  ControlChannel& operator=(ControlChannel&& other) noexcept;
  ~ControlChannel();

  int fd() const { return ours_; }
  int worker_fd() const { return workers_; }
  // Closes our copy of the worker's end. Call it when the worker has inherited its own.
  void CloseWorkerEnd();

  // Sends a message, with `descriptor` unless it is -1. Errors: kMachine. If the worker is gone or does not read its
  // messages, this is not an error: the wait for the answer notices it.
  [[nodiscard]] Status Send(const protocol::Message& message, int descriptor = -1);

  enum class Received { kMessage, kNothing, kClosed, kGarbage };
  // Takes the next message, without waiting. kGarbage: `fault` says what is wrong with the packet.
  Received Receive(protocol::Message* message, std::string* fault);

 private:
  ControlChannel(int ours, int workers) : ours_(ours), workers_(workers) {}
  int ours_ = -1, workers_ = -1;
};

}  // namespace warpgrade::judge
