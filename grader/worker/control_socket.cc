#include "grader/worker/control_socket.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace warpgrade::worker {
namespace {

int64_t Nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

int ControlSocketFromEnvironment() {
  const char* text = std::getenv(protocol::kControlFdVariable);
  if (text == nullptr || *text == '\0') return -1;
  char* end = nullptr;
  const long fd = std::strtol(text, &end, 10);
  return *end == '\0' && fd > 2 && fd < 1024 ? static_cast<int>(fd) : -1;
}

bool Receive(int fd, protocol::Message* message, int64_t spin_ns, int* descriptor) {
  iovec part{message, sizeof(*message)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr packet = {};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  if (descriptor != nullptr) {
    *descriptor = -1;
    packet.msg_control = control;
    packet.msg_controllen = sizeof(control);
  }
  ssize_t received = -1;
  if (spin_ns > 0) {
    const int64_t end_ns = Nanoseconds() + spin_ns;
    do {
      received = recvmsg(fd, &packet, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (received < 0 && (errno == EAGAIN || errno == EINTR) && Nanoseconds() < end_ns);
  }
  while (received < 0) {
    received = recvmsg(fd, &packet, MSG_CMSG_CLOEXEC);
    if (received < 0 && errno != EINTR) return false;
  }
  const cmsghdr* const header = received > 0 && descriptor != nullptr ? CMSG_FIRSTHDR(&packet) : nullptr;
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    std::memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  }
  return received > 0 && protocol::HeaderFault(*message, static_cast<uint64_t>(received)) == nullptr;
}

bool Send(int fd, const protocol::Message& message) {
  ssize_t sent;
  do {
    sent = send(fd, &message, message.bytes(), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(message.bytes());
}

}  // namespace warpgrade::worker
