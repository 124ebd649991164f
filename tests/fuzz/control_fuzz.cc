// libFuzzer target: whatever packets a worker sends to the judge, each is a message or refused for a reason, and what
// reaches a report of it is plain text of a bounded length. An input is a list of packets:
//
//   u8 kind | u16 length | bytes      kind 1: the body of a Ready; 2: of a Done; else: the packet as it is
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "grader/judge/case_run.h"
#include "grader/judge/control_channel.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/worker_end.h"

namespace {

using warpgrade::judge::ControlChannel;
namespace protocol = warpgrade::protocol;

constexpr size_t kLongestText = 4000;  // bytes of a message about one packet, each of the worker's escaped

struct Packet {
  uint8_t kind = 0;
  std::string bytes;
};

// Takes the next packet from the input.
Packet Next(const uint8_t** data, size_t* size) {
  Packet packet;
  packet.kind = (*data)[0];
  const size_t length = (*data)[1] | size_t{(*data)[2]} << 8;
  const size_t taken = std::min(length, *size - 3);
  packet.bytes.assign(reinterpret_cast<const char*>(*data + 3), taken);
  *data += 3 + taken;
  *size -= 3 + taken;
  return packet;
}

template <typename Body>
std::string Message(const std::string& bytes) {
  Body body;
  std::memcpy(&body, bytes.data(), std::min(bytes.size(), sizeof(body)));
  const protocol::Message message = protocol::Encode(body, 1);
  return {reinterpret_cast<const char*>(&message), message.bytes()};
}

std::string OnTheWire(const Packet& packet) {
  if (packet.kind == 1) return Message<protocol::Ready>(packet.bytes);
  if (packet.kind == 2) return Message<protocol::Done>(packet.bytes);
  return packet.bytes;
}

void CheckText(const std::string& text) {
  WARPGRADE_CHECK(text.size() <= kLongestText);
  WARPGRADE_CHECK(std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; }));
}

void CheckMessage(const protocol::Message& message) {
  WARPGRADE_CHECK(message.header.body_bytes <= sizeof(message.body));
  protocol::Ready ready;
  if (protocol::Decode(message, &ready)) {
    CheckText(warpgrade::judge::PlainField(ready.cuda_name));
    CheckText(warpgrade::judge::PlainField(ready.device_name));
  }
  protocol::Done done;
  if (!protocol::Decode(message, &done)) return;
  const warpgrade::judge::CaseOutcome outcome = warpgrade::judge::Interpret(done, "n = 1");
  CheckText(outcome.error_name);
  CheckText(outcome.failure.message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ControlChannel channel = std::move(ControlChannel::Open().value());
  while (size >= 3) {
    const std::string packet = OnTheWire(Next(&data, &size));
    if (send(channel.worker_fd(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0) return 0;
    protocol::Message message;
    std::string fault;
    switch (channel.Receive(&message, &fault)) {
      case ControlChannel::Received::kMessage:
        CheckMessage(message);
        break;
      case ControlChannel::Received::kGarbage:
        WARPGRADE_CHECK(!fault.empty());
        CheckText(warpgrade::judge::DescribeMisbehaviour("sent a message that is " + fault, packet).messages.front());
        CheckText(warpgrade::judge::LastLines(packet, 8, 500));
        break;
      case ControlChannel::Received::kNothing:
        WARPGRADE_CHECK(false);  // something was sent
        break;
      case ControlChannel::Received::kClosed:
        return 0;
    }
  }
  return 0;
}
