// libFuzzer target: whatever a student's process sends to the judge's device, the judge lives on, and what is the
// judge's stays where it was. An input is a list of requests:
//
//   u8 type | u16 length | payload      type 1..kLast: a request with a header of its own; 0 or above: bytes as they
//   are
//
// The payload of a LoadModule may be PTX alone, from which a fat binary is made, so that kernels are found and run,
// too.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "grader/cudart/device/server.h"
#include "tests/cudart/ptx_fatbin.h"
#include "tests/fuzz/peer.h"

namespace {

using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::Server;
using warpgrade::cudart::ServerOptions;
namespace emulator = warpgrade::emulator;
namespace wire = warpgrade::cudart::wire;

constexpr size_t kMostRequests = 32;
constexpr uint64_t kJudgesBytes = 1000;
using warpgrade::fuzz::Peer;
using warpgrade::fuzz::SmallDevice;
using warpgrade::fuzz::WithHeader;

std::vector<std::byte> RequestOf(uint8_t type, std::span<const std::byte> payload) {
  if (type == 0 || type > static_cast<uint8_t>(wire::Type::kLast)) return {payload.begin(), payload.end()};
  const bool is_text = !payload.empty() && (payload[0] == std::byte{'.'} || payload[0] == std::byte{'/'});
  if (type != static_cast<uint8_t>(wire::Type::kLoadModule) || !is_text) return WithHeader(type, payload);
  return WithHeader(type, warpgrade::cudart::FatbinOf({reinterpret_cast<const char*>(payload.data()), payload.size()}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  emulator::Device device(SmallDevice());
  const DevicePtr judges = device.Allocate(kJudgesBytes, "d_in").value();
  {
    Peer peer;
    ServerOptions options;
    options.write_timeout_ms = 1;
    Server server(device, peer.server_fd(), options);
    wire::Reader input(std::as_bytes(std::span(data, size)));
    for (size_t requests = 0; requests < kMostRequests && !input.AtEnd(); ++requests) {
      const auto type = input.Get<uint8_t>();
      const auto length = input.Get<uint16_t>();
      if (!input.ok()) break;
      const std::span<const std::byte> rest = input.GetRest();
      const size_t taken = std::min<size_t>(length, rest.size());
      input = wire::Reader(rest.subspan(taken));
      peer.Send(RequestOf(type, rest.first(taken)));
      while (server.ServeOne() == Server::Outcome::kServed) peer.DropAnswers();
    }
  }
  // What is left is what the judge put there: no module and no allocation of the peer's. What kernels allocated and
  // nobody freed stays until the device goes, as on a GPU.
  std::vector<emulator::AllocationInfo> live = device.LiveAllocations();
  std::erase_if(live, [](const emulator::AllocationInfo& a) { return a.label == "malloc in a kernel"; });
  WARPGRADE_CHECK(live.size() == 1 && live[0].base == judges && live[0].bytes == kJudgesBytes);
  return 0;
}
