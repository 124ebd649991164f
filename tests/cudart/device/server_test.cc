// The server against a peer that speaks byte by byte (peer.h): well, slowly, and with hostile bytes. It must stay
// alive, hold bounded memory, and never wait longer than its timeout.
#include "grader/cudart/device/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/cudart/peer.h"

namespace warpgrade::cudart {
namespace {

using wire::Type;
using Outcome = Server::Outcome;

constexpr uint64_t kCall = 0x1234;  // the host's call

emulator::DeviceOptions SmallDevice() {
  emulator::DeviceOptions options;
  options.host_threads = 1;
  options.global_memory_bytes = 64 << 20;
  return options;
}

class ServerTest : public testing::Test {
 protected:
  ServerTest() : device_(SmallDevice()) {}

  // Sends one request and gives the error that it is answered with.
  cudaError_t Ask(Server& server, Type type, const wire::Writer& payload) {
    peer_.Send(type, payload);
    EXPECT_EQ(server.ServeOne(), Outcome::kServed);
    return peer_.ReceiveError();
  }

  emulator::Device device_;
  Peer peer_;
};

TEST_F(ServerTest, AnswersARequestThatComesByteByByte) {
  Server server(device_, peer_.server_fd());
  const wire::Header header{wire::kRequestMagic, static_cast<uint16_t>(Type::kAllocate), 0, 9, 8};
  const uint64_t bytes = 4096;
  std::vector<char> message(sizeof header + sizeof bytes);
  std::memcpy(message.data(), &header, sizeof header);
  std::memcpy(message.data() + sizeof header, &bytes, sizeof bytes);
  for (size_t i = 0; i + 1 < message.size(); ++i) {
    peer_.SendBytes(&message[i], 1);
    ASSERT_EQ(server.ServeOne(), Outcome::kWaiting);
  }
  peer_.SendBytes(&message.back(), 1);
  EXPECT_EQ(server.ServeOne(), Outcome::kServed);
  EXPECT_EQ(peer_.ReceiveError(), cudaSuccess);
}

TEST_F(ServerTest, AnswersOneRequestPerCallAndLeavesTheNextInTheSocket) {
  Server server(device_, peer_.server_fd());
  peer_.Send(Type::kSynchronize, {});
  peer_.Send(Type::kSynchronize, {});
  EXPECT_EQ(server.ServeOne(), Outcome::kServed);
  EXPECT_EQ(server.ServeOne(), Outcome::kServed);
  EXPECT_EQ(server.ServeOne(), Outcome::kWaiting);
}

TEST_F(ServerTest, DoesNotAnswerWhichStreamIsMeantButTheRequestAfterIt) {
  Server server(device_, peer_.server_fd());
  peer_.Send(Type::kUseStream, Payload(uint64_t{3}, uint8_t{1}, uint8_t{0}));
  EXPECT_EQ(server.ServeOne(), Outcome::kServed);
  char byte;
  EXPECT_EQ(recv(peer_.fd(), &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(Ask(server, Type::kSynchronize, {}), cudaSuccess);
}

TEST_F(ServerTest, KnowsTheLastCallThatFailedUntilTheNextObservations) {
  Server server(device_, peer_.server_fd());
  for (const uint64_t call : {kCall, ~uint64_t{0}}) {
    peer_.Send(Type::kCallFailed, Payload(call, int32_t{cudaErrorInvalidConfiguration}, uint32_t{2}, 'n', 'o'));
    EXPECT_EQ(server.ServeOne(), Outcome::kServed);
    EXPECT_EQ(server.failed_call().error, cudaErrorInvalidConfiguration);
    EXPECT_EQ(server.failed_call().call, call);
    EXPECT_EQ(server.failed_call().why, "no");
  }
  server.ResetObservations();
  EXPECT_EQ(server.failed_call().error, 0);
  peer_.Send(Type::kCallFailed, Payload(kCall));
  EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
}

TEST_F(ServerTest, CutsOffAPeerWhoseStepOfOrderThereIsNot) {
  Server server(device_, peer_.server_fd());
  const auto last = static_cast<uint8_t>(OrderOp::kLast);
  peer_.Send(Type::kOrder, Payload(kCall, last, uint64_t{3}, uint64_t{5}));
  EXPECT_EQ(server.ServeOne(), Outcome::kServed);
  peer_.Send(Type::kOrder, Payload(kCall, static_cast<uint8_t>(last + 1), uint64_t{3}, uint64_t{5}));
  EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
}

TEST_F(ServerTest, ClosesWhenThePeerHangsUp) {
  Server server(device_, peer_.server_fd());
  peer_.HangUp();
  EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
  EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
}

TEST_F(ServerTest, ClosesWhenThePeerHangsUpInTheMiddleOfARequest) {
  Server server(device_, peer_.server_fd());
  const wire::Header header{wire::kRequestMagic, static_cast<uint16_t>(Type::kWrite), 0, 1, 1000};
  peer_.SendBytes(&header, sizeof header);
  EXPECT_EQ(server.ServeOne(), Outcome::kWaiting);
  peer_.HangUp();
  EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
}

TEST_F(ServerTest, RefusesAHeaderThatIsNotOfTheProtocolAndCloses) {
  const wire::Header good{wire::kRequestMagic, static_cast<uint16_t>(Type::kSynchronize), 0, 1, 0};
  wire::Header wrong_magic = good, no_type = good, unknown_type = good, not_zero = good, too_long = good;
  wrong_magic.magic ^= 1;
  no_type.type = 0;
  unknown_type.type = static_cast<uint16_t>(Type::kLast) + 1;
  not_zero.zero = 1;
  too_long.payload_bytes = 1;
  for (const wire::Header& header : {wrong_magic, no_type, unknown_type, not_zero, too_long}) {
    Peer peer;
    Server server(device_, peer.server_fd());
    peer.SendBytes(&header, sizeof header);
    EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
    EXPECT_EQ(peer.ReceiveError(), cudaErrorUnknown);
    char byte;
    EXPECT_EQ(recv(peer.fd(), &byte, 1, 0), 0) << "the connection is still open";
  }
}

TEST_F(ServerTest, RefusesALengthAboveItsTypesBoundBeforeReadingThePayload) {
  for (uint16_t type = 1; type <= static_cast<uint16_t>(Type::kLast); ++type) {
    Peer peer;
    Server server(device_, peer.server_fd());
    const uint32_t bound = wire::MaxRequestPayload(static_cast<Type>(type));
    for (uint32_t length : {bound + 1, 0xFFFFFFFFu}) {
      const wire::Header header{wire::kRequestMagic, type, 0, 1, length};
      EXPECT_FALSE(wire::IsValidRequest(header)) << type;
    }
    const wire::Header header{wire::kRequestMagic, type, 0, 1, 0xFFFFFFFFu};
    peer.SendBytes(&header, sizeof header);
    EXPECT_EQ(server.ServeOne(), Outcome::kClosed) << type;
  }
}

TEST_F(ServerTest, RefusesAPayloadThatIsTooShortOrTooLongForItsType) {
  const std::pair<Type, wire::Writer> requests[] = {
      {Type::kFacts, Payload(uint16_t{1})},
      {Type::kFindKernel, Payload(uint32_t{0}, uint32_t{1000}, 'a')},
      {Type::kFindKernel, Payload(uint32_t{0}, uint32_t{1}, 'a', 'b')},
      {Type::kFindVariable, Payload(uint32_t{0}, uint32_t{0xFFFFFFFF})},
      {Type::kAllocate, Payload(uint32_t{1})},
      {Type::kFree, {}},
      {Type::kWrite, Payload(kCall, uint64_t{1})},
      {Type::kRead, Payload(kCall, uint64_t{1}, uint32_t{wire::kMaxChunk + 1})},
      {Type::kRead, Payload(kCall, uint64_t{1}, uint32_t{0})},
      {Type::kCopy, Payload(kCall, uint64_t{1}, uint64_t{1})},
      {Type::kFill, Payload(kCall, uint64_t{1}, uint64_t{1})},
      {Type::kRun, Payload(kCall, uint32_t{1}, uint32_t{1}, uint32_t{1})},
  };
  for (const auto& [type, payload] : requests) {
    Peer peer;
    Server server(device_, peer.server_fd());
    peer.Send(type, payload);
    EXPECT_EQ(server.ServeOne(), Outcome::kClosed) << static_cast<int>(type);
    EXPECT_EQ(peer.ReceiveError(), cudaErrorUnknown) << static_cast<int>(type);
  }
}

TEST_F(ServerTest, SurvivesRandomBytes) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 300; ++round) {
    Peer peer;
    Server server(device_, peer.server_fd());
    std::vector<uint8_t> bytes(1 + random() % 600);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    peer.SendBytes(bytes.data(), bytes.size());
    peer.HangUp();
    while (server.ServeOne() != Outcome::kClosed) {
    }
  }
}

// Well-formed envelopes around nonsense: the likelier attack.
TEST_F(ServerTest, SurvivesRandomPayloadsUnderValidHeaders) {
  std::mt19937_64 random(42);
  DevicePtr judges = device_.Allocate(1000).value();
  const uint64_t interesting[] = {0, 1, 255, judges, judges + 999, judges + 1000, ~0ull, 1ull << 63, 0xFFFFFFFF};
  for (int round = 0; round < 3000; ++round) {
    Peer peer;
    Server server(device_, peer.server_fd());
    const auto type = static_cast<Type>(1 + random() % static_cast<uint16_t>(Type::kLast));
    wire::Writer payload;
    const uint32_t length = std::min<uint32_t>(wire::MaxRequestPayload(type), random() % 64);
    while (payload.buffer().size() < length) {
      if (random() % 2 == 0) {
        payload.Put(interesting[random() % std::size(interesting)]);
      } else {
        payload.Put(static_cast<uint8_t>(random()));
      }
    }
    payload.buffer().resize(length);
    peer.Send(type, payload);
    const Outcome outcome = server.ServeOne();
    ASSERT_NE(outcome, Outcome::kWaiting);
    const bool answered =
        type != Type::kUseStream && type != Type::kAnnounceRead && type != Type::kOrder && type != Type::kCallFailed;
    if (answered || outcome == Outcome::kClosed) peer.Receive();
  }
  EXPECT_TRUE(device_.FindAllocation(judges).has_value()) << "a peer freed the judge's buffer";
}

TEST_F(ServerTest, SurvivesAFatbinThatIsNone) {
  Server server(device_, peer_.server_fd());
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    wire::Writer fatbin;
    fatbin.Put(uint32_t{0xBA55ED50});
    for (size_t i = random() % 200; i > 0; --i) fatbin.Put(static_cast<uint8_t>(random()));
    peer_.Send(Type::kLoadModule, fatbin);
    ASSERT_EQ(server.ServeOne(), Outcome::kServed);
    EXPECT_NE(peer_.ReceiveError(), cudaSuccess);
  }
}

TEST_F(ServerTest, ReadsAndWritesTheJudgesBuffersButDoesNotFreeThem) {
  Server server(device_, peer_.server_fd());
  const DevicePtr buffer = device_.Allocate(4, "d_out").value();
  EXPECT_EQ(Ask(server, Type::kWrite, Payload(kCall, buffer, uint32_t{77})), cudaSuccess);
  uint32_t value = 0;
  ASSERT_TRUE(device_.CopyFromDevice(&value, buffer, 4).ok());
  EXPECT_EQ(value, 77u);
  EXPECT_EQ(Ask(server, Type::kFree, Payload(buffer)), cudaErrorInvalidValue);
  EXPECT_TRUE(device_.FindAllocation(buffer).has_value());
}

TEST_F(ServerTest, GivesInvalidValueForFreedAndForeignAddresses) {
  Server server(device_, peer_.server_fd());
  peer_.Send(Type::kAllocate, Payload(uint64_t{100}));
  ASSERT_EQ(server.ServeOne(), Outcome::kServed);
  const std::vector<std::byte> reply = peer_.Receive();
  wire::Reader outputs(reply);
  outputs.Get<int32_t>();
  const auto pointer = outputs.Get<uint64_t>();
  EXPECT_EQ(Ask(server, Type::kFill, Payload(kCall, pointer, uint64_t{101}, uint8_t{0})), cudaErrorInvalidValue);
  EXPECT_EQ(Ask(server, Type::kFill, Payload(kCall, pointer, ~uint64_t{0}, uint8_t{0})), cudaErrorInvalidValue);
  EXPECT_EQ(Ask(server, Type::kCopy, Payload(kCall, pointer, pointer + 1, uint64_t{100})), cudaErrorInvalidValue);
  EXPECT_EQ(Ask(server, Type::kFree, Payload(pointer)), cudaSuccess);
  EXPECT_EQ(Ask(server, Type::kFree, Payload(pointer)), cudaErrorInvalidValue);
  EXPECT_EQ(Ask(server, Type::kRead, Payload(kCall, pointer, uint32_t{1})), cudaErrorInvalidValue);
}

TEST_F(ServerTest, GivesInvalidResourceHandleForHandlesThatWereNeverGivenOut) {
  Server server(device_, peer_.server_fd());
  wire::Writer find = Payload(uint32_t{0});
  find.PutString("kernel");
  EXPECT_EQ(Ask(server, Type::kFindKernel, find), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(Ask(server, Type::kFindVariable, find), cudaErrorInvalidResourceHandle);
  const wire::Writer run = Payload(kCall, uint32_t{0xFFFFFFFF}, 1u, 1u, 1u, 1u, 1u, 1u, 0u, uint8_t{0});
  EXPECT_EQ(Ask(server, Type::kRun, run), cudaErrorInvalidResourceHandle);
}

TEST_F(ServerTest, BoundsTheLiveAllocationsOfOnePeer) {
  ServerOptions options;
  options.limits.allocations = 3;
  Server server(device_, peer_.server_fd(), options);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ask(server, Type::kAllocate, Payload(uint64_t{1})), cudaSuccess);
  EXPECT_EQ(Ask(server, Type::kAllocate, Payload(uint64_t{1})), cudaErrorMemoryAllocation);
}

TEST_F(ServerTest, GivesMemoryAllocationWhenTheDeviceIsFull) {
  Server server(device_, peer_.server_fd());
  EXPECT_EQ(Ask(server, Type::kAllocate, Payload(uint64_t{65 << 20})), cudaErrorMemoryAllocation);
  EXPECT_EQ(Ask(server, Type::kAllocate, Payload(~uint64_t{0})), cudaErrorMemoryAllocation);
}

TEST_F(ServerTest, FreesWhatThePeerLeftBehind) {
  uint64_t pointer = 0;
  {
    Server server(device_, peer_.server_fd());
    peer_.Send(Type::kAllocate, Payload(uint64_t{100}));
    ASSERT_EQ(server.ServeOne(), Outcome::kServed);
    const std::vector<std::byte> reply = peer_.Receive();
    wire::Reader outputs(reply);
    outputs.Get<int32_t>();
    pointer = outputs.Get<uint64_t>();
    ASSERT_TRUE(device_.FindAllocation(pointer).has_value());
  }
  EXPECT_FALSE(device_.FindAllocation(pointer).has_value());
}

TEST_F(ServerTest, CutsOffAPeerThatAsksAndNeverReadsTheAnswers) {
  ServerOptions options;
  options.write_timeout_ms = 100;
  Server server(device_, peer_.server_fd(), options);
  const DevicePtr buffer = device_.Allocate(wire::kMaxChunk).value();
  Outcome outcome = Outcome::kServed;
  for (int i = 0; i < 100 && outcome == Outcome::kServed; ++i) {
    peer_.Send(Type::kRead, Payload(kCall, buffer, uint32_t{wire::kMaxChunk}));
    outcome = server.ServeOne();
  }
  EXPECT_EQ(outcome, Outcome::kClosed);
}

// Clocks that go on by as much whenever they are read.
template <int64_t step_ns>
int64_t StepByStep() {
  static int64_t now_ns = 0;
  return now_ns += step_ns;
}
constexpr int64_t kShortNs = 1'000'000, kSecondNs = 1'000'000'000;

TEST_F(ServerTest, IsBusyWhileTheDeviceWorksAndNotWhileItWaitsForThePeer) {
  ServerOptions options;
  options.now_ns = StepByStep<kShortNs>;
  Server server(device_, peer_.server_fd(), options);
  const DevicePtr buffer = device_.Allocate(16).value();
  EXPECT_EQ(Ask(server, Type::kFill, Payload(kCall, buffer, uint64_t{16}, uint8_t{1})), cudaSuccess);
  EXPECT_EQ(server.busy_ns(), kShortNs);
  // Short requests are not counted: nothing but the peer's time bounds how many there are.
  EXPECT_EQ(Ask(server, Type::kSynchronize, {}), cudaSuccess);
  EXPECT_EQ(Ask(server, Type::kFindAllocation, Payload(buffer)), cudaSuccess);
  EXPECT_EQ(server.busy_ns(), kShortNs);
  // The peer sends half a request.
  const wire::Header half{wire::kRequestMagic, static_cast<uint16_t>(Type::kWrite), 0, 1, 1000};
  peer_.SendBytes(&half, sizeof half);
  EXPECT_EQ(server.ServeOne(), Outcome::kWaiting);
  EXPECT_EQ(server.busy_ns(), kShortNs);
}

TEST_F(ServerTest, IsNotBusyWhileThePeerDoesNotReadItsAnswers) {
  ServerOptions options;
  options.now_ns = StepByStep<kSecondNs>;
  Server server(device_, peer_.server_fd(), options);
  const DevicePtr buffer = device_.Allocate(16).value();
  const int small = 4096;
  ASSERT_EQ(setsockopt(peer_.server_fd(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
  int64_t requests = 0;
  Outcome outcome = Outcome::kServed;
  for (; requests < 10'000 && outcome == Outcome::kServed; ++requests) {
    peer_.Send(Type::kFill, Payload(kCall, buffer, uint64_t{16}, uint8_t{1}));
    outcome = server.ServeOne();
  }
  EXPECT_EQ(outcome, Outcome::kClosed) << "after ten looks at the clock in vain";
  EXPECT_LE(server.busy_ns(), requests * kSecondNs / 10);
}

TEST_F(ServerTest, ARequestThatTakesFarLongerThanItsInstructionsIsThePeersTime) {
  ServerOptions options;
  options.now_ns = StepByStep<kSecondNs>;
  Server server(device_, peer_.server_fd(), options);
  const DevicePtr buffer = device_.Allocate(wire::kMaxChunk).value();
  EXPECT_EQ(Ask(server, Type::kFill, Payload(kCall, buffer, uint64_t{16}, uint8_t{1})), cudaSuccess);
  EXPECT_LE(server.busy_ns(), kSecondNs / 100) << "a fill of a few bytes takes no instructions";
  // A fill of so many bytes takes thousands of them, and may take long on a slow machine.
  const int64_t before_ns = server.busy_ns();
  EXPECT_EQ(Ask(server, Type::kFill, Payload(kCall, buffer, uint64_t{wire::kMaxChunk}, uint8_t{1})), cudaSuccess);
  EXPECT_GE(server.busy_ns() - before_ns, kSecondNs / 10);
}

TEST_F(ServerTest, CopiesAndAllocationsCountTowardTheInstructionsInAll) {
  emulator::DeviceOptions device_options = SmallDevice();
  device_options.total_instruction_budget = 100'000;
  emulator::Device device(device_options);
  Server server(device, peer_.server_fd());
  const DevicePtr judges = device.Allocate(wire::kMaxChunk).value();
  cudaError_t error = cudaSuccess;
  int copies = 0;
  for (; copies < 100 && error == cudaSuccess; ++copies) {
    error = Ask(server, Type::kFill, Payload(kCall, judges, uint64_t{wire::kMaxChunk}, uint8_t{1}));
  }
  EXPECT_EQ(error, cudaErrorLaunchTimeout);
  EXPECT_EQ(copies, 13);  // of 8192 instructions each
  EXPECT_EQ(Ask(server, Type::kAllocate, Payload(uint64_t{1})), cudaErrorLaunchTimeout);
  EXPECT_EQ(Ask(server, Type::kCopy, Payload(kCall, judges, judges, uint64_t{1})), cudaErrorLaunchTimeout);
  EXPECT_EQ(Ask(server, Type::kRead, Payload(kCall, judges, uint32_t{1})), cudaErrorLaunchTimeout);
  EXPECT_EQ(Ask(server, Type::kWrite, Payload(kCall, judges, uint8_t{1})), cudaErrorLaunchTimeout);
  // The judge's own work goes on.
  EXPECT_TRUE(device.Fill(judges, 0, wire::kMaxChunk).ok());
}

TEST_F(ServerTest, BoundsTheModulesThatCannotBeLoadedToo) {
  ServerOptions options;
  options.limits.modules = 3;
  Server server(device_, peer_.server_fd(), options);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ask(server, Type::kLoadModule, Payload(i)), cudaErrorInvalidKernelImage);
  EXPECT_EQ(Ask(server, Type::kLoadModule, Payload(3)), cudaErrorMemoryAllocation);
}

TEST_F(ServerTest, StopsWaitingForThePeerWhenTheJudgeCancels) {
  std::atomic<bool> cancel = true;
  emulator::DeviceOptions device_options = SmallDevice();
  device_options.cancel = &cancel;
  emulator::Device device(device_options);
  Server server(device, peer_.server_fd());  // a timeout of 10 s, which the test would feel
  const DevicePtr buffer = device.Allocate(wire::kMaxChunk).value();
  Outcome outcome = Outcome::kServed;
  for (int i = 0; i < 100 && outcome == Outcome::kServed; ++i) {
    peer_.Send(Type::kRead, Payload(kCall, buffer, uint32_t{wire::kMaxChunk}));
    outcome = server.ServeOne();
  }
  EXPECT_EQ(outcome, Outcome::kClosed);
}

TEST_F(ServerTest, SharesOnlyMemoryThatIsMeantToBeShared) {
  Server server(device_, peer_.server_fd());
  const DevicePtr judges = device_.Allocate(4096).value();
  EXPECT_EQ(Ask(server, Type::kShare, Payload(judges)), cudaErrorInvalidValue);
  EXPECT_EQ(Ask(server, Type::kShare, Payload(uint64_t{0})), cudaErrorInvalidValue);
  constexpr auto kManaged = static_cast<uint8_t>(MemoryKind::kManaged);
  EXPECT_EQ(Ask(server, Type::kAllocateShared, Payload(uint64_t{100}, kManaged)), cudaSuccess);
  DevicePtr shared = 0;
  for (DevicePtr at = judges; shared == 0; at += 4096) {
    const auto found = device_.FindAllocation(at);
    if (found && found->kind == MemoryKind::kManaged) shared = at;
  }
  EXPECT_EQ(Ask(server, Type::kShare, Payload(shared)), cudaSuccess);
  EXPECT_EQ(Ask(server, Type::kShare, Payload(shared)), cudaErrorInvalidValue) << "a descriptor is given once";
}

TEST_F(ServerTest, CutsOffAPeerThatSharesPlainDeviceMemory) {
  Server server(device_, peer_.server_fd());
  constexpr auto kDevice = static_cast<uint8_t>(MemoryKind::kDevice);
  peer_.Send(Type::kAllocateShared, Payload(uint64_t{100}, kDevice));
  EXPECT_EQ(server.ServeOne(), Outcome::kClosed);
}

TEST_F(ServerTest, BoundsTheDescriptorsThatAPeerNeverTakesAndItsMappings) {
  constexpr auto kPinned = static_cast<uint8_t>(MemoryKind::kPinned);
  {
    Server server(device_, peer_.server_fd());
    int allocated = 0;
    while (Ask(server, Type::kAllocateShared, Payload(uint64_t{1}, kPinned)) == cudaSuccess) ++allocated;
    EXPECT_EQ(allocated, 256);
  }
  Peer other;
  ServerOptions options;
  options.limits.shared_allocations = 2;
  Server server(device_, other.server_fd(), options);
  for (cudaError_t want : {cudaSuccess, cudaSuccess, cudaErrorMemoryAllocation}) {
    other.Send(Type::kAllocateShared, Payload(uint64_t{1}, kPinned));
    EXPECT_EQ(server.ServeOne(), Outcome::kServed);
    EXPECT_EQ(other.ReceiveError(), want);
  }
}

}  // namespace
}  // namespace warpgrade::cudart
