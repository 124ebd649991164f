// The client against the real Server on the other end of a socket pair, and against peers that answer badly.
#include "grader/cudart/remote_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <numeric>
#include <thread>

#include "grader/cudart/device/server.h"
#include "tests/cudart/peer.h"

namespace warpgrade::cudart {
namespace {

// A client and a server over one socket, the server in a thread of its own.
class RemoteBackendTest : public testing::Test {
 protected:
  RemoteBackendTest() : client_(sockets_.fd()) {
    serving_ = std::thread([this] {
      emulator::DeviceOptions options;
      options.host_threads = 1;
      options.multiprocessors = 17;
      options.global_memory_bytes = 64 << 20;
      emulator::Device device(options);
      Server server(device, sockets_.server_fd());
      pollfd readable{server.fd(), POLLIN, 0};
      do {
        poll(&readable, 1, -1);
      } while (server.ServeOne() != Server::Outcome::kClosed);
      server.AddMetrics(&metrics_);
      findings_ = device.Findings();
    });
  }
  ~RemoteBackendTest() override {
    if (serving_.joinable()) Account();
  }

  // Ends the connection, and says what the server counted.
  const std::map<std::string, double>& Account() {
    sockets_.HangUp();
    serving_.join();
    return metrics_;
  }

  Peer sockets_;
  RemoteBackend client_;
  std::map<std::string, double> metrics_;
  std::vector<emulator::Finding> findings_;  // after Account
  std::thread serving_;
};

TEST_F(RemoteBackendTest, TellsTheDevicesFacts) {
  DeviceFacts facts;
  ASSERT_EQ(client_.Facts(&facts), cudaSuccess);
  EXPECT_EQ(facts.multiprocessors, 17);
  EXPECT_EQ(facts.total_bytes, uint64_t{64} << 20);
}

TEST_F(RemoteBackendTest, MovesDataInSeveralChunksThereAndBack) {
  const size_t count = (2 * wire::kMaxChunk + 12) / sizeof(uint32_t);
  std::vector<uint32_t> sent(count), received(count);
  std::iota(sent.begin(), sent.end(), 1u);
  DevicePtr a = 0, b = 0;
  const uint64_t bytes = count * sizeof(uint32_t);
  ASSERT_EQ(client_.Allocate(bytes, &a), cudaSuccess);
  ASSERT_EQ(client_.Allocate(bytes, &b), cudaSuccess);
  ASSERT_EQ(client_.Write(a, sent.data(), bytes), cudaSuccess);
  ASSERT_EQ(client_.Copy(b, a, bytes), cudaSuccess);
  ASSERT_EQ(client_.Fill(b + bytes - 4, 0xFF, 4), cudaSuccess);
  ASSERT_EQ(client_.Read(received.data(), b, bytes), cudaSuccess);
  sent.back() = 0xFFFFFFFF;
  EXPECT_EQ(sent, received);
}

// The judge's account: two streams, of which the second one's copy back overlaps with the first one's.
TEST_F(RemoteBackendTest, TheServerKeepsAccountOfStreamsCopiesAndWhatIsNotFreed) {
  constexpr uint64_t kBytes = 1 << 20;
  std::vector<std::byte> host(kBytes);
  DevicePtr a = 0, b = 0, managed = 0;
  ASSERT_EQ(client_.Allocate(kBytes, &a), cudaSuccess);
  ASSERT_EQ(client_.Allocate(kBytes, &b), cudaSuccess);
  ASSERT_EQ(client_.AllocateShared(4096, MemoryKind::kManaged, &managed), cudaSuccess);
  client_.UseStream({.stream = 3});
  ASSERT_EQ(client_.Write(a, host.data(), kBytes), cudaSuccess);
  client_.UseStream({.stream = 4});
  ASSERT_EQ(client_.Read(host.data(), b, kBytes), cudaSuccess);
  client_.UseStream({.stream = StreamUse::kAll});
  ASSERT_EQ(client_.Synchronize(), cudaSuccess);
  ASSERT_EQ(client_.Free(a), cudaSuccess);
  ASSERT_EQ(client_.Free(managed), cudaSuccess);
  const std::map<std::string, double>& metrics = Account();
  EXPECT_EQ(metrics.at("host_to_device_bytes"), kBytes);
  EXPECT_EQ(metrics.at("device_to_host_bytes"), kBytes);
  EXPECT_EQ(metrics.at("host_visible_bytes"), kBytes);
  EXPECT_EQ(metrics.at("streams_used"), 2);
  EXPECT_EQ(metrics.at("overlap"), 2);
  EXPECT_EQ(metrics.at("host_waits"), 1);
  EXPECT_EQ(metrics.at("managed_bytes"), 4096);
  EXPECT_EQ(metrics.at("bytes_not_freed"), kBytes);
}

// The judge's check of the order of streams, with all that it needs on the wire.
TEST_F(RemoteBackendTest, TheServerFindsNothingInWorkThatAnEventOrTheHostOrders) {
  const std::vector<std::byte> host(4096);
  DevicePtr a = 0;
  ASSERT_EQ(client_.Allocate(host.size(), &a), cudaSuccess);
  client_.Order({OrderOp::kStreamMade, 3, 1});
  client_.Order({OrderOp::kStreamMade, 4, 0});
  client_.UseStream({.stream = 3, .host_waits = true});
  ASSERT_EQ(client_.Write(a, host.data(), host.size()), cudaSuccess);
  client_.Order({OrderOp::kRecord, 3, 7});
  client_.Order({OrderOp::kWaitEvent, 4, 7});
  client_.UseStream({.stream = 4, .blocking = false});
  ASSERT_EQ(client_.Fill(a, 0, 4), cudaSuccess);
  client_.UseStream({.stream = 3, .host_waits = true, .synchronous = true});
  ASSERT_EQ(client_.Write(a + 2048, host.data(), 8), cudaSuccess);
  client_.UseStream({.stream = 4, .blocking = false});
  ASSERT_EQ(client_.Fill(a + 2048, 0, 4), cudaSuccess);
  Account();
  EXPECT_TRUE(findings_.empty()) << findings_[0].message;
}

TEST_F(RemoteBackendTest, TheServerFindsACopyThatAnotherStreamDoesNotWaitFor) {
  const std::vector<std::byte> host(8);
  DevicePtr a = 0;
  ASSERT_EQ(client_.Allocate(4096, &a), cudaSuccess);
  client_.Order({OrderOp::kStreamMade, 3, 1});
  client_.UseStream({.stream = 3, .host_waits = true});
  ASSERT_EQ(client_.Write(a + 100, host.data(), 8), cudaSuccess);
  client_.UseStream({.stream = 4});
  ASSERT_EQ(client_.Fill(a + 96, 0, 5), cudaSuccess);
  Account();
  ASSERT_EQ(findings_.size(), 1u);
  EXPECT_EQ(findings_[0].kind, emulator::FindingKind::kStreamRace);
  EXPECT_EQ(findings_[0].address, a + 100);
}

TEST_F(RemoteBackendTest, TheServerKnowsTheCallsOfTheWorkAndOfTheStepsThatItFindsAFaultIn) {
  const std::vector<std::byte> host(8);
  DevicePtr a = 0;
  ASSERT_EQ(client_.Allocate(4096, &a), cudaSuccess);
  client_.NoteCall(0x10);
  client_.Order({OrderOp::kStreamMade, 3, 1});
  client_.UseStream({.stream = 3});
  client_.NoteCall(0x20);
  ASSERT_EQ(client_.Write(a, host.data(), 8), cudaSuccess);
  client_.UseStream({.stream = 4});
  client_.NoteCall(0x30);
  ASSERT_EQ(client_.Fill(a, 0, 5), cudaSuccess);
  client_.Order({OrderOp::kGiveBack, 5, a, 0x40});
  client_.NoteCall(0x50);
  client_.AnnounceRead(a + 100, 8);
  ASSERT_EQ(client_.Synchronize(), cudaSuccess);
  Account();
  ASSERT_EQ(findings_.size(), 3u);
  const auto calls = [this](size_t finding) {
    std::vector<uint64_t> addresses;
    for (const emulator::HostPlace& place : findings_[finding].host_places) addresses.push_back(place.address);
    return addresses;
  };
  EXPECT_EQ(calls(0), (std::vector<uint64_t>{0x30, 0x20}));
  EXPECT_EQ(calls(1), (std::vector<uint64_t>{0x40, 0x30}));
  EXPECT_EQ(calls(2), (std::vector<uint64_t>{0x50}));
}

// More steps than a socket takes at once, and no request between them.
TEST_F(RemoteBackendTest, StepsOfOrderDoNotPileUpInTheClient) {
  for (uint64_t k = 0; k < 100'000; ++k) client_.Order({OrderOp::kRecord, 3, k % 10});
  EXPECT_EQ(client_.Synchronize(), cudaSuccess);
}

TEST_F(RemoteBackendTest, RefusesAProgramOfSeveralUnits) {
  ModuleHandle module = 0;
  std::string message;
  EXPECT_EQ(client_.LoadProgram({}, &module, &message), cudaErrorNoKernelImageForDevice);
  EXPECT_THAT(message, testing::HasSubstr("compile without -rdc=true"));
}

TEST_F(RemoteBackendTest, FindsTheAllocationAroundAPointer) {
  DevicePtr pointer = 0;
  ASSERT_EQ(client_.Allocate(1000, &pointer), cudaSuccess);
  std::optional<AllocationInfo> found;
  ASSERT_EQ(client_.FindAllocation(pointer + 999, &found), cudaSuccess);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->base, pointer);
  EXPECT_EQ(found->bytes, 1000u);
  ASSERT_EQ(client_.FindAllocation(pointer + 1000, &found), cudaSuccess);
  EXPECT_FALSE(found.has_value());
}

TEST_F(RemoteBackendTest, PassesOnTheErrorsOfTheDevice) {
  EXPECT_EQ(client_.Free(12345), cudaErrorInvalidValue);
  Kernel kernel;
  EXPECT_EQ(client_.FindKernel(3, "k", &kernel), cudaErrorInvalidResourceHandle);
  std::string message;
  ModuleHandle module = 0;
  const std::vector<std::byte> nonsense(3);
  EXPECT_EQ(client_.LoadModule(nonsense, &module, &message), cudaErrorInvalidKernelImage);
  EXPECT_NE(message, "");
  EXPECT_EQ(client_.Synchronize(), cudaSuccess) << "the connection did not survive an error";
}

// A request of its own would cost a short call two more turns of the two processes.
TEST(StreamOfRemoteBackendTest, IsToldTogetherWithTheRequestThatItIsOf) {
  Peer sockets;
  RemoteBackend client(sockets.fd());
  std::thread asking([&client] {
    client.UseStream({.stream = 3});
    static_cast<void>(client.Synchronize());
  });
  wire::Header use, request;
  char stream[10];
  const timeval patience{.tv_sec = 10};
  ASSERT_EQ(setsockopt(sockets.server_fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  EXPECT_EQ(recv(sockets.server_fd(), &use, sizeof use, MSG_WAITALL), ssize_t{sizeof use});
  EXPECT_EQ(recv(sockets.server_fd(), stream, sizeof stream, MSG_WAITALL), ssize_t{sizeof stream});
  EXPECT_EQ(recv(sockets.server_fd(), &request, sizeof request, MSG_WAITALL), ssize_t{sizeof request})
      << "the client waits for an answer before it sends its request";
  EXPECT_EQ(use.type, static_cast<uint16_t>(wire::Type::kUseStream));
  EXPECT_EQ(request.type, static_cast<uint16_t>(wire::Type::kSynchronize));
  shutdown(sockets.server_fd(), SHUT_RDWR);
  asking.join();
}

TEST(BrokenRemoteBackendTest, SaysThatTheDeviceIsUnavailableAfterTheJudgeHungUp) {
  int fds[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  close(fds[1]);
  RemoteBackend client(fds[0]);
  DevicePtr pointer = 0;
  EXPECT_EQ(client.Allocate(1, &pointer), cudaErrorDevicesUnavailable);
  EXPECT_EQ(client.Synchronize(), cudaErrorDevicesUnavailable);
  std::string message;
  ModuleHandle module = 0;
  EXPECT_EQ(client.LoadModule({}, &module, &message), cudaErrorDevicesUnavailable);
  uint64_t device_ns = 0;
  EXPECT_EQ(client.Run({}, &device_ns), cudaErrorDevicesUnavailable);
  close(fds[0]);
}

TEST(BrokenRemoteBackendTest, BreaksTheConnectionOnAnAnswerOfTheWrongLength) {
  int fds[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  RemoteBackend client(fds[0]);
  const wire::Header reply{wire::kReplyMagic, static_cast<uint16_t>(wire::Type::kAllocate), 0, 1, 8};
  const uint32_t success_and_half_an_address[2] = {0, 1};
  ASSERT_EQ(write(fds[1], &reply, sizeof reply), ssize_t{sizeof reply});
  ASSERT_EQ(write(fds[1], success_and_half_an_address, 8), 8);
  DevicePtr pointer = 0;
  EXPECT_EQ(client.Allocate(1, &pointer), cudaErrorDevicesUnavailable);
  close(fds[0]);
  close(fds[1]);
}

}  // namespace
}  // namespace warpgrade::cudart
