// The socket between the judge and one worker. A failed send is the machine's failure unless the worker is gone or does
// not read. Tests: tests/judge/hostile_worker_test.cc, tests/faults/failing_calls_test.cc.
#include "grader/judge/control_channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

namespace warpgrade::judge {

Result<ControlChannel> ControlChannel::Open() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{ErrorKind::kMachine, std::string("cannot make a socket for the worker: ") + std::strerror(errno)};
  }
  return ControlChannel(ends[0], ends[1]);
}

ControlChannel::ControlChannel(ControlChannel&& other) noexcept
    : ours_(std::exchange(other.ours_, -1)), workers_(std::exchange(other.workers_, -1)) {}

ControlChannel& ControlChannel::operator=(ControlChannel&& other) noexcept {
  std::swap(ours_, other.ours_);
  std::swap(workers_, other.workers_);
  return *this;
}

ControlChannel::~ControlChannel() {
  CloseWorkerEnd();
  if (ours_ >= 0) close(ours_);
}

void ControlChannel::CloseWorkerEnd() {
  if (workers_ >= 0) close(std::exchange(workers_, -1));
}

Status ControlChannel::Send(const protocol::Message& message, int descriptor) {
  iovec part{const_cast<protocol::Message*>(&message), message.bytes()};
  msghdr packet = {};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor >= 0) {
    packet.msg_control = control;
    packet.msg_controllen = sizeof(control);
    cmsghdr* const header = CMSG_FIRSTHDR(&packet);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  // The judge sends one message and waits for its answer, so a full socket means a worker that does not listen.
  if (sendmsg(ours_, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return Status();
  constexpr int kWorkers[] = {EAGAIN, EPIPE, ECONNRESET, ECONNREFUSED, ENOTCONN, EINTR};
  if (std::find(std::begin(kWorkers), std::end(kWorkers), errno) != std::end(kWorkers)) return Status();
  // ETOOMANYREFS: the kernel counts descriptors on their way for each user, so another program may have used them up.
  return Error{ErrorKind::kMachine, std::string("cannot send the worker a message: ") + std::strerror(errno)};
}

ControlChannel::Received ControlChannel::Receive(protocol::Message* message, std::string* fault) {
  // With MSG_TRUNC, recv returns the packet's true length, so a packet that is too long is detected.
  const ssize_t received = recv(ours_, message, sizeof(*message), MSG_DONTWAIT | MSG_TRUNC);
  if (received < 0) {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? Received::kNothing : Received::kClosed;
  }
  if (received == 0) return Received::kClosed;
  if (received > static_cast<ssize_t>(sizeof(*message))) {
    *fault = "longer than any message";
    return Received::kGarbage;
  }
  if (const char* what = protocol::HeaderFault(*message, static_cast<uint64_t>(received))) {
    *fault = what;
    return Received::kGarbage;
  }
  return Received::kMessage;
}

}  // namespace warpgrade::judge
