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
  ControlChannel& operator=(ControlChannel&&) = delete;
  ~ControlChannel();

  int fd() const { return ours_; }
  int worker_fd() const { return workers_; }
  // Once the worker has inherited its end.
  void CloseWorkerEnd();

  // False when the worker is gone or does not read what it is sent. `descriptor`, unless -1, goes with the message.
  bool Send(const protocol::Message& message, int descriptor = -1);

  enum class Received { kMessage, kNothing, kClosed, kGarbage };
  // Never blocks. kGarbage: `fault` says what is wrong with the packet.
  Received Receive(protocol::Message* message, std::string* fault);

 private:
  ControlChannel(int ours, int workers) : ours_(ours), workers_(workers) {}
  int ours_ = -1, workers_ = -1;
};

}  // namespace warpgrade::judge
