#include "grader/worker/control_socket.h"

#include <sys/socket.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdlib>

namespace warpgrade::worker {

int ControlSocketFromEnvironment() {
  const char* text = std::getenv(protocol::kControlFdVariable);
  if (text == nullptr || *text == '\0') return -1;
  char* end = nullptr;
  const long fd = std::strtol(text, &end, 10);
  return *end == '\0' && fd > 2 && fd < 1024 ? static_cast<int>(fd) : -1;
}

bool Receive(int fd, protocol::Message* message) {
  ssize_t received;
  do {
    received = recv(fd, message, sizeof(*message), 0);
  } while (received < 0 && errno == EINTR);
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
