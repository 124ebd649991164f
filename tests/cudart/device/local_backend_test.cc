// Modules and launches, in process and through the Server, with PTX written here.
#include "grader/cudart/device/local_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "grader/cudart/device/server.h"
#include "tests/cudart/peer.h"
#include "tests/cudart/ptx_fatbin.h"

namespace warpgrade::cudart {
namespace {

using testing::HasSubstr;

// store(unsigned* where, unsigned what)
constexpr char kStore[] = R"(.version 8.0
.target sm_75
.address_size 64
.global .align 4 .u32 seen = 7;
.visible .entry store(.param .u64 where, .param .u32 what)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [where];
  ld.param.u32 %r1, [what];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], %r1;
  ret;
}
)";

// store_and_wait(unsigned* where, unsigned* flag): stores 1, and waits until *flag is not 0.
constexpr char kStoreAndWait[] = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry store_and_wait(.param .u64 where, .param .u64 flag)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [where];
  ld.param.u64 %rd2, [flag];
  mov.u32 %r1, 1;
  st.global.u32 [%rd1], %r1;
WAIT:
  ld.volatile.global.u32 %r1, [%rd2];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  ret;
}
)";

emulator::DeviceOptions SmallDeviceWithABudget() {
  emulator::DeviceOptions options;
  options.host_threads = 1;
  options.global_memory_bytes = 64 << 20;
  options.instruction_budget = 100'000;
  return options;
}

class LocalBackendTest : public testing::Test {
 protected:
  LocalBackendTest() : device_(SmallDeviceWithABudget()) {}

  static Kernel LoadStore(Backend& backend) {
    ModuleHandle module = 0;
    std::string message;
    EXPECT_EQ(backend.LoadModule(FatbinOf(kStore), &module, &message), cudaSuccess) << message;
    Kernel kernel;
    EXPECT_EQ(backend.FindKernel(module, "store", &kernel), cudaSuccess);
    return kernel;
  }

  static std::vector<std::byte> Parameters(uint64_t where, uint32_t what) { return Payload(where, what).buffer(); }

  emulator::Device device_;
};

TEST_F(LocalBackendTest, CopiesAndSetsThatFailOrMoveNothingAreNoWorkInTheirStream) {
  LocalBackend backend(device_);
  DevicePtr pointer = 0, page_locked = 0;
  ASSERT_EQ(backend.Allocate(4, &pointer), cudaSuccess);
  ASSERT_EQ(backend.AllocateShared(4, MemoryKind::kPinned, &page_locked), cudaSuccess);
  char host[8] = {};
  for (uint64_t stream = 3; stream < 6; ++stream) {
    backend.UseStream({.stream = stream});
    EXPECT_EQ(backend.Fill(pointer, 0, 5), cudaErrorInvalidValue);
    EXPECT_EQ(backend.Write(pointer, host, 5), cudaErrorInvalidValue);
    EXPECT_EQ(backend.Read(host, pointer, 5), cudaErrorInvalidValue);
    EXPECT_EQ(backend.Copy(pointer, page_locked, 5), cudaErrorInvalidValue);
    EXPECT_EQ(backend.Copy(page_locked, pointer, 0), cudaSuccess);
    EXPECT_EQ(backend.Fill(pointer, 0, 0), cudaSuccess);
  }
  std::map<std::string, double> metrics;
  backend.AddMetrics(&metrics);
  for (const char* name : {"streams_used", "host_to_device_bytes", "device_to_host_bytes", "host_visible_bytes"}) {
    EXPECT_EQ(metrics.at(name), 0) << name;
  }
  EXPECT_EQ(metrics.count("overlap"), 0u);
  EXPECT_EQ(backend.Fill(pointer, 0, 4), cudaSuccess);
  EXPECT_EQ(backend.Write(pointer, host, 4), cudaSuccess);
  backend.AddMetrics(&metrics);
  EXPECT_EQ(metrics.at("streams_used"), 1);
  EXPECT_EQ(metrics.at("host_to_device_bytes"), 4);
}

TEST_F(LocalBackendTest, CountsCopiesAndSetsOnTheDeviceAsGlobalAccesses) {
  LocalBackend backend(device_);
  DevicePtr from = 0, to = 0, pinned = 0;
  ASSERT_EQ(backend.Allocate(4096, &from), cudaSuccess);
  ASSERT_EQ(backend.Allocate(4096, &to), cudaSuccess);
  ASSERT_EQ(backend.AllocateShared(4096, MemoryKind::kPinned, &pinned), cudaSuccess);
  ASSERT_EQ(backend.Fill(from, 0, 4096), cudaSuccess);
  EXPECT_EQ(device_.Copies().AsCounters().global_store_sectors, 128u);
  EXPECT_EQ(device_.Copies().AsCounters().global_load_sectors, 0u);
  device_.ResetObservations();
  for (DevicePtr row = 0; row < 32; ++row) ASSERT_EQ(backend.Copy(to + 4 * row, from + 128 * row, 4), cudaSuccess);
  const emulator::Counters columns = device_.Copies().AsCounters();
  EXPECT_EQ(columns.global_load_requests, 1u) << "as a warp whose lanes access 4 bytes each";
  EXPECT_EQ(columns.global_load_sectors, 32u);
  EXPECT_EQ(columns.global_load_bytes, 128u);
  EXPECT_EQ(columns.global_store_sectors, 32u) << "row by row";
  device_.ResetObservations();
  uint8_t byte = 0;
  ASSERT_EQ(backend.Write(to, &byte, 1), cudaSuccess);
  ASSERT_EQ(backend.Read(&byte, to, 1), cudaSuccess);
  ASSERT_EQ(backend.Copy(to, pinned, 4096), cudaSuccess);
  EXPECT_EQ(backend.Copy(to, from, 4097), cudaErrorInvalidValue);
  EXPECT_EQ(device_.Copies().AsCounters().global_store_bytes, 0u) << "these cross the bus, or fail";
}

TEST_F(LocalBackendTest, OneAllocationCanBeMadeToFail) {
  LocalBackend backend(device_);
  DevicePtr pointer = 0;
  backend.FailAllocation(2);
  EXPECT_EQ(backend.Allocate(64, &pointer), cudaSuccess);
  EXPECT_EQ(backend.Allocate(0, &pointer), cudaSuccess) << "no memory is asked for";
  EXPECT_EQ(backend.AllocateShared(64, MemoryKind::kPinned, &pointer), cudaErrorMemoryAllocation);
  EXPECT_EQ(backend.Allocate(64, &pointer), cudaSuccess);
  backend.FailAllocation(1);
  EXPECT_EQ(backend.Allocate(64, &pointer), cudaErrorMemoryAllocation);
  backend.FailAllocation(1);
  backend.FailAllocation(0);
  EXPECT_EQ(backend.Allocate(64, &pointer), cudaSuccess);
}

// A program must not leave in an early call what would be looked for only after a later one.
TEST_F(LocalBackendTest, WhatAnEarlierCallLeftIsStillNotFreedInALaterOne) {
  LocalBackend backend(device_);
  const auto not_freed = [&backend] {
    std::map<std::string, double> metrics;
    backend.AddMetrics(&metrics);
    return metrics.at("bytes_not_freed");
  };
  DevicePtr large = 0, small = 0;
  ASSERT_EQ(backend.Allocate(1 << 20, &large), cudaSuccess);
  EXPECT_EQ(not_freed(), 1 << 20);
  backend.ResetObservations();
  EXPECT_EQ(not_freed(), 1 << 20);
  ASSERT_EQ(backend.Allocate(4096, &small), cudaSuccess);
  EXPECT_EQ(not_freed(), 1 << 20) << "the most that one call left, not the sum";
  ASSERT_EQ(backend.Free(large), cudaSuccess);
  ASSERT_EQ(backend.Free(small), cudaSuccess);
  EXPECT_EQ(not_freed(), 1 << 20) << "it was there when the earlier call had ended";
}

TEST(LinkedProgramTest, TheUnitsOfAProgramBecomeOneModule) {
  const std::string kHead = ".version 8.0\n.target sm_75\n.address_size 64\n";
  const std::vector<std::byte> one = FatbinOf(kHead + ".extern .global .u32 x;\n.visible .entry k() { ret; }\n");
  const std::vector<std::byte> other = FatbinOf(kHead + ".visible .global .u32 x = 5;\n");
  emulator::Device device(SmallDeviceWithABudget());
  LocalBackend backend(device, {});
  ModuleHandle module = 0;
  std::string message;
  ASSERT_EQ(backend.LoadProgram({one, other}, &module, &message), cudaSuccess) << message;
  Kernel kernel;
  EXPECT_EQ(backend.FindKernel(module, "k", &kernel), cudaSuccess);
  EXPECT_EQ(kernel.ptx_arch, 75);
  AllocationInfo variable;
  ASSERT_EQ(backend.FindVariable(module, "x", &variable), cudaSuccess);
  uint32_t value = 0;
  EXPECT_EQ(backend.Read(&value, variable.base, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 5u);
  EXPECT_EQ(backend.LoadProgram({one}, &module, &message), cudaErrorInvalidPtx);
  EXPECT_THAT(message, HasSubstr("x (used in object 1 of the program)"));
}

TEST_F(LocalBackendTest, RunsAKernelWithItsParameterBlockAndTellsTheTime) {
  LocalBackend backend(device_);
  const Kernel kernel = LoadStore(backend);
  EXPECT_THAT(kernel.info.parameter_sizes, testing::ElementsAre(8, 4));
  EXPECT_EQ(kernel.info.parameter_bytes, 12u);
  DevicePtr out = 0;
  ASSERT_EQ(backend.Allocate(4, &out), cudaSuccess);
  const std::vector<std::byte> parameters = Parameters(out, 1234);
  uint64_t device_ns = 0;
  ASSERT_EQ(backend.Run({kernel.handle, {}, {}, 0, false, parameters}, &device_ns), cudaSuccess);
  EXPECT_GT(device_ns, 0u);
  uint32_t value = 0;
  ASSERT_EQ(backend.Read(&value, out, 4), cudaSuccess);
  EXPECT_EQ(value, 1234u);
}

// What a kernel has done stays done. A program that has it thrown away must not hide it so.
class WaitingKernelTest : public LocalBackendTest {
 protected:
  // Starts a kernel that stores to memory which the host reads, and then waits.
  void Start(LocalBackend& backend) {
    ModuleHandle module = 0;
    std::string message;
    ASSERT_EQ(backend.LoadModule(FatbinOf(kStoreAndWait), &module, &message), cudaSuccess) << message;
    Kernel kernel;
    ASSERT_EQ(backend.FindKernel(module, "store_and_wait", &kernel), cudaSuccess);
    DevicePtr where = 0, flag = 0;
    ASSERT_EQ(backend.AllocateShared(4, MemoryKind::kPinned, &where), cudaSuccess);
    ASSERT_EQ(backend.AllocateShared(4, MemoryKind::kPinned, &flag), cudaSuccess);
    ASSERT_EQ(backend.Fill(flag, 0, 4), cudaSuccess);
    const std::vector<std::byte> parameters = Payload(where, flag).buffer();
    Launch launch{kernel.handle, {}, {}, 0, false, parameters};
    launch.may_wait = true;
    uint64_t device_ns = 0;
    ASSERT_EQ(backend.Run(launch, &device_ns), cudaErrorNotReady);
    EXPECT_TRUE(device_.Launches().empty());
  }

  void ExpectItCounted(const LocalBackend& backend) {
    ASSERT_EQ(device_.Launches().size(), 1u);
    EXPECT_EQ(device_.Launches()[0].counters.global_store_requests, 1u);
    std::map<std::string, double> metrics;
    backend.AddMetrics(&metrics);
    EXPECT_EQ(metrics.at("host_visible_bytes"), 4);
  }
};

TEST_F(WaitingKernelTest, CountsWhenTheProgramAbandonsIt) {
  LocalBackend backend(device_);
  Start(backend);
  backend.Order({OrderOp::kAbandon, 0, device_.Waiting().id});
  ExpectItCounted(backend);
  EXPECT_TRUE(backend.AbandonAll().empty()) << "it is over";
}

TEST_F(WaitingKernelTest, CountsAndIsNamedWhenItIsLeft) {
  LocalBackend backend(device_);
  Start(backend);
  EXPECT_THAT(backend.AbandonAll(), testing::ElementsAre("store_and_wait"));
  ExpectItCounted(backend);
}

TEST_F(LocalBackendTest, RefusesAParameterBlockOfAnotherSize) {
  LocalBackend backend(device_);
  const Kernel kernel = LoadStore(backend);
  const std::vector<std::byte> short_by_one(11);
  uint64_t device_ns = 0;
  EXPECT_EQ(backend.Run({kernel.handle, {}, {}, 0, false, short_by_one}, &device_ns), cudaErrorInvalidValue);
  EXPECT_TRUE(device_.Launches().empty());
}

TEST_F(LocalBackendTest, FindsVariablesAndSaysWhichNamesAreNotThere) {
  LocalBackend backend(device_);
  ModuleHandle module = 0;
  std::string message;
  ASSERT_EQ(backend.LoadModule(FatbinOf(kStore), &module, &message), cudaSuccess);
  AllocationInfo seen;
  ASSERT_EQ(backend.FindVariable(module, "seen", &seen), cudaSuccess);
  uint32_t value = 0;
  ASSERT_EQ(backend.Read(&value, seen.base, 4), cudaSuccess);
  EXPECT_EQ(value, 7u);
  EXPECT_EQ(backend.FindVariable(module, "unseen", &seen), cudaErrorInvalidSymbol);
  Kernel kernel;
  EXPECT_EQ(backend.FindKernel(module, "load", &kernel), cudaErrorInvalidDeviceFunction);
}

TEST_F(LocalBackendTest, GivesInvalidPtxWithThePlaceOfTheMistake) {
  LocalBackend backend(device_);
  ModuleHandle module = 0;
  std::string message;
  EXPECT_EQ(backend.LoadModule(FatbinOf(".version 8.0\n.target sm_75\nnonsense here\n"), &module, &message),
            cudaErrorInvalidPtx);
  EXPECT_THAT(message, HasSubstr("ptx:3:1"));
}

TEST_F(LocalBackendTest, LimitsTheCodeThatOnePeerLoads) {
  PeerLimits limits;
  limits.ptx_bytes = 2 * sizeof kStore;
  LocalBackend backend(device_, limits);
  ModuleHandle module = 0;
  std::string message;
  EXPECT_EQ(backend.LoadModule(FatbinOf(kStore), &module, &message), cudaSuccess);
  EXPECT_EQ(backend.LoadModule(FatbinOf(kStore), &module, &message), cudaSuccess);
  EXPECT_EQ(backend.LoadModule(FatbinOf(kStore), &module, &message), cudaErrorMemoryAllocation);
  EXPECT_THAT(message, HasSubstr("too much code"));
}

TEST_F(LocalBackendTest, LimitsTheLaunchesThatOnePeerMakesTheDeviceRemember) {
  PeerLimits limits;
  limits.launches = 2;
  LocalBackend backend(device_, limits);
  const Kernel kernel = LoadStore(backend);
  DevicePtr out = 0;
  ASSERT_EQ(backend.Allocate(4, &out), cudaSuccess);
  const std::vector<std::byte> parameters = Parameters(out, 1);
  const Launch launch{kernel.handle, {}, {}, 0, false, parameters};
  uint64_t device_ns = 0;
  EXPECT_EQ(backend.Run(launch, &device_ns), cudaSuccess);
  EXPECT_EQ(backend.Run(launch, &device_ns), cudaSuccess);
  EXPECT_EQ(backend.Run(launch, &device_ns), cudaErrorLaunchOutOfResources);
  device_.ResetObservations();
  EXPECT_EQ(backend.Run(launch, &device_ns), cudaSuccess);
}

TEST_F(LocalBackendTest, CallsTheObserverAfterEachLaunchThatRan) {
  int calls = 0;
  LocalBackend backend(device_, {}, [&](emulator::Device& device) {
    ++calls;
    device.ResetObservations();
  });
  const Kernel kernel = LoadStore(backend);
  const std::vector<std::byte> nowhere = Parameters(0, 1);
  uint64_t device_ns = 0;
  EXPECT_EQ(backend.Run({kernel.handle, {}, {}, 0, false, nowhere}, &device_ns), cudaErrorIllegalAddress);
  EXPECT_EQ(backend.Run({kernel.handle, {0, 1, 1}, {}, 0, false, nowhere}, &device_ns), cudaErrorInvalidConfiguration);
  EXPECT_EQ(calls, 1);
}

TEST_F(LocalBackendTest, UnloadsItsModulesWhenItGoes) {
  const uint64_t free_before = device_.FreeBytes();
  {
    LocalBackend backend(device_);
    LoadStore(backend);
    EXPECT_LT(device_.FreeBytes(), free_before) << "the variable takes memory";
  }
  EXPECT_EQ(device_.FreeBytes(), free_before);
}

TEST_F(LocalBackendTest, AReadOfBytesOfWhichNoneWasWrittenIsAFinding) {
  LocalBackend backend(device_);
  DevicePtr at = 0;
  ASSERT_EQ(backend.Allocate(8, &at), cudaSuccess);
  backend.AnnounceRead(at, 8);
  ASSERT_EQ(device_.Findings().size(), 1u);
  EXPECT_EQ(device_.Findings()[0].kind, emulator::FindingKind::kUninitialisedRead);
  EXPECT_EQ(device_.Findings()[0].message,
            "a copy to the host of 8 bytes of cudaMalloc (8 bytes), which nothing has written yet");
  device_.ResetObservations();
  const uint32_t value = 1;
  ASSERT_EQ(backend.Write(at + 4, &value, sizeof value), cudaSuccess);
  backend.AnnounceRead(at, 8);
  backend.AnnounceRead(at, 9);
  backend.AnnounceRead(0, 4);
  EXPECT_TRUE(device_.Findings().empty());
  backend.AnnounceRead(at, 4);
  EXPECT_EQ(device_.Findings().size(), 1u);
}

TEST_F(LocalBackendTest, WhatAKernelStoredOrTheDeviceCopiedWasWritten) {
  LocalBackend backend(device_);
  const Kernel kernel = LoadStore(backend);
  DevicePtr stored = 0, copied = 0;
  ASSERT_EQ(backend.Allocate(64, &stored), cudaSuccess);
  ASSERT_EQ(backend.Allocate(64, &copied), cudaSuccess);
  const std::vector<std::byte> parameters = Parameters(stored + 60, 42);
  uint64_t device_ns = 0;
  ASSERT_EQ(backend.Run({.kernel = kernel.handle, .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = parameters},
                        &device_ns),
            cudaSuccess);
  ASSERT_EQ(backend.Copy(copied, stored, 64), cudaSuccess);
  backend.AnnounceRead(stored, 64);
  backend.AnnounceRead(copied, 64);
  EXPECT_TRUE(device_.Findings().empty());
}

// A peer that holds a real kernel and plays with everything else.
TEST_F(LocalBackendTest, ServerSurvivesRandomLaunchesOfARealKernel) {
  std::mt19937_64 random(99);
  Peer peer;
  Server server(device_, peer.server_fd());
  wire::Writer load;
  const std::vector<std::byte> fatbin = FatbinOf(kStore);
  load.PutBytes(fatbin.data(), fatbin.size());
  peer.Send(wire::Type::kLoadModule, load);
  ASSERT_EQ(server.ServeOne(), Server::Outcome::kServed);
  ASSERT_EQ(peer.ReceiveError(), cudaSuccess);
  wire::Writer find = Payload(uint32_t{0});
  find.PutString("store");
  peer.Send(wire::Type::kFindKernel, find);
  ASSERT_EQ(server.ServeOne(), Server::Outcome::kServed);
  ASSERT_EQ(peer.ReceiveError(), cudaSuccess);

  const uint32_t dimensions[] = {0, 1, 2, 64, 65, 1024, 1025, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  const auto any = [&] { return random() % 3 == 0 ? dimensions[random() % std::size(dimensions)] : 1u; };
  for (int round = 0; round < 500; ++round) {
    wire::Writer run = Payload(uint64_t{0}, uint32_t{random() % 8 == 0}, any(), any(), any(), any(), any(), any(),
                               any(), static_cast<uint8_t>(random() % 2));
    if (random() % 4 == 0) {
      run.buffer().resize(run.buffer().size() + random() % 40);
    } else {
      run.Put(random());
      run.Put(static_cast<uint32_t>(random()));
    }
    peer.Send(wire::Type::kRun, run);
    ASSERT_EQ(server.ServeOne(), Server::Outcome::kServed);
    peer.Receive();
  }
}

}  // namespace
}  // namespace warpgrade::cudart
