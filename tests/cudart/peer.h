// A peer that speaks the wire protocol byte by byte, well or badly.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "grader/cudart/device/wire.h"

namespace warpgrade::cudart {

class Peer {
 public:
  Peer() {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) std::abort();
    mine_ = fds[0];
    servers_ = fds[1];
  }
  ~Peer() {
    HangUp();
    close(servers_);
  }
  int server_fd() const { return servers_; }
  int fd() const { return mine_; }

  void HangUp() {
    if (mine_ >= 0) close(std::exchange(mine_, -1));
  }
  void SendBytes(const void* data, size_t bytes) {
    ASSERT_EQ(send(mine_, data, bytes, MSG_NOSIGNAL), static_cast<ssize_t>(bytes));
  }
  void Send(wire::Type type, const wire::Writer& payload) {
    const wire::Header header{wire::kRequestMagic, static_cast<uint16_t>(type), 0, ++sequence_,
                              static_cast<uint32_t>(payload.buffer().size())};
    SendBytes(&header, sizeof header);
    SendBytes(payload.buffer().data(), payload.buffer().size());
  }
  // The next whole reply's payload; the test fails when there is none.
  std::vector<std::byte> Receive() {
    wire::Header header;
    if (recv(mine_, &header, sizeof header, MSG_WAITALL) != sizeof header) {
      ADD_FAILURE() << "there is no reply";
      return std::vector<std::byte>(sizeof(int32_t));
    }
    EXPECT_EQ(header.magic, wire::kReplyMagic);
    std::vector<std::byte> payload(header.payload_bytes);
    EXPECT_EQ(recv(mine_, payload.data(), payload.size(), MSG_WAITALL), static_cast<ssize_t>(payload.size()));
    return payload;
  }
  cudaError_t ReceiveError() {
    const std::vector<std::byte> payload = Receive();
    return static_cast<cudaError_t>(wire::Reader(payload).Get<int32_t>());
  }

 private:
  int mine_ = -1, servers_ = -1;
  uint32_t sequence_ = 0;
};

// A payload of the given values, in order.
template <typename... Values>
wire::Writer Payload(Values... values) {
  wire::Writer writer;
  (writer.Put(values), ...);
  return writer;
}

}  // namespace warpgrade::cudart
