// The student's end of a socket to the judge's device, for fuzzers.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grader/cudart/device/wire.h"
#include "grader/emulator/device.h"

namespace warpgrade::fuzz {

namespace wire = cudart::wire;

inline emulator::DeviceOptions SmallDevice() {
  emulator::DeviceOptions options;
  options.host_threads = 1;
  options.global_memory_bytes = 4 << 20;
  options.heap_bytes = 64 << 10;
  options.multiprocessors = 2;
  options.instruction_budget = 20'000;
  options.print = [](std::string_view) {};
  return options;
}

// The student's end of the socket: sends without waiting, and drops what it is answered.
class Peer {
 public:
  Peer() {
    int ends[2];
    WARPGRADE_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    mine_ = ends[0];
    servers_ = ends[1];
  }
  ~Peer() {
    close(mine_);
    close(servers_);
  }
  int server_fd() const { return servers_; }
  void Send(std::span<const std::byte> bytes) {
    if (!bytes.empty()) static_cast<void>(send(mine_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  }
  // One answer, which was sent; nullopt if there is none. A descriptor that comes with it is closed.
  std::optional<std::vector<std::byte>> Answer() {
    wire::Header header;
    if (!Get(&header, sizeof header)) return std::nullopt;
    WARPGRADE_CHECK(header.magic == wire::kReplyMagic);
    std::vector<std::byte> payload(header.payload_bytes);
    WARPGRADE_CHECK(payload.empty() || Get(payload.data(), payload.size()));
    return payload;
  }
  void DropAnswers() {
    std::byte dropped[16384];
    while (recv(mine_, dropped, sizeof dropped, MSG_DONTWAIT) > 0) {
    }
  }

 private:
  bool Get(void* to, size_t bytes) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    for (size_t got = 0; got < bytes;) {
      iovec part{static_cast<std::byte*>(to) + got, bytes - got};
      msghdr message = {};
      message.msg_iov = &part;
      message.msg_iovlen = 1;
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      const ssize_t n = recvmsg(mine_, &message, MSG_DONTWAIT);
      if (n <= 0) return false;
      got += static_cast<size_t>(n);
      const cmsghdr* header = CMSG_FIRSTHDR(&message);
      if (header == nullptr) continue;
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
      close(descriptor);
    }
    return true;
  }

  int mine_ = -1, servers_ = -1;
};

inline std::vector<std::byte> WithHeader(uint8_t type, std::span<const std::byte> payload) {
  wire::Writer request;
  const wire::Header header{wire::kRequestMagic, type, 0, 1, static_cast<uint32_t>(payload.size())};
  request.PutBytes(&header, sizeof header);
  request.PutBytes(payload.data(), payload.size());
  return request.buffer();
}

}  // namespace warpgrade::fuzz
