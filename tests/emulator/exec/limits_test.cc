// What stops a kernel or refuses a launch, and what is said about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kFile = ".file 1 \"lab.cu\"\n";

Finding OnlyFinding(const Ran& ran) {
  EXPECT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
  return ran.findings.empty() ? Finding{} : ran.findings[0];
}

TEST(LimitsTest, AnEndlessLoopRunsOutOfBudgetAndIsNamedWithItsLine) {
  for (int threads : {1, 2}) {
    DeviceOptions options = KernelHarness::OneHostThread();
    options.instruction_budget = 1'000'000;
    options.host_threads = threads;
    KernelHarness harness(options);
    harness.Load(Kernel("mov.u32 %r1, 0;\n.loc 1 42 0\nLOOP: add.u32 %r1, %r1, 1; bra LOOP;", kFile));
    Ran ran = harness.Launch({8}, {64}, {});
    EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
    ASSERT_GE(ran.findings.size(), 1u);
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kEndlessLoop);
    EXPECT_EQ(ran.findings[0].line, 42);
    EXPECT_EQ(
        ran.findings[0].message,
        "still running after 1000000 instructions; is there a loop that never ends, or far more work than this needs?");
  }
}

TEST(LimitsTest, ALoopThatRunsOutOfBudgetDoesNotWaitForWhatItsKernelStored) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.instruction_budget = 1'000'000;
  KernelHarness harness(options);
  harness.Load(Kernel("st.volatile.global.u32 [%rd0], 1; LOOP: add.u32 %r1, %r1, 1; bra LOOP;", kFile));
  const Ran ran = harness.Launch({1}, {32}, {harness.Allocate(4)});
  EXPECT_THAT(OnlyFinding(ran).message, testing::HasSubstr("is there a loop that never ends"));
}

TEST(LimitsTest, AShortenedLaunchHasATwentiethOfTheBudgetOrSomeInstructionsForEachWarpButNeverMoreThanTheBudget) {
  struct Row {
    uint32_t blocks;
    const char* stopped_after;
  };
  for (const Row& row : {Row{1, "50000"}, Row{97, "50000"}, Row{98, "50176"}, Row{1000, "512000"}, Row{1953, "999936"},
                         Row{1954, "999936"}, Row{2'000'000'000, "999936"}}) {
    SCOPED_TRACE(row.blocks);
    for (const bool shortens : {true, false}) {
      DeviceOptions options = KernelHarness::OneHostThread();
      options.instruction_budget = 1'000'000;
      KernelHarness harness(options);
      harness.Load(Kernel("mov.u32 %r1, 0;\n.loc 1 42 0\nLOOP: add.u32 %r1, %r1, 1; bra LOOP;", kFile));
      harness.device().ShortenLaunches(true);
      harness.device().ShortenLaunches(shortens);
      const Ran ran = harness.Launch({row.blocks}, {33}, {});  // two warps
      EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
      const std::string expected = shortens ? row.stopped_after : "1000000";
      EXPECT_THAT(OnlyFinding(ran).message, testing::StartsWith("still running after " + expected + " instructions"));
    }
  }
}

TEST(LimitsTest, ABlockThatWaitsForOneThatNeverComesRunsOutOfBudget) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.instruction_budget = 3'000'000;
  KernelHarness harness(options);
  harness.Load(
      Kernel(".loc 1 7 0\nWAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;", kFile));
  Ran ran = harness.Launch({2}, {32}, {harness.Allocate(4)});
  EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
  EXPECT_EQ(OnlyFinding(ran).line, 7);
  EXPECT_NE(OnlyFinding(ran).message.find("element 0 of buffer (4 bytes) (line 7)"), std::string::npos)
      << OnlyFinding(ran).message;
}

TEST(LimitsTest, AModuleHasAtMost64KilobytesOfConstantMemory) {
  KernelHarness harness;
  const auto load = [&harness](const std::string& variables) {
    return harness.device().LoadModule(Kernel("", variables), "test.ptx");
  };
  for (int module = 0; module < 2; ++module) {  // the limit is for each module
    const Result<ModuleId> full = load(".const .align 4 .b8 a[65532]; .const .align 4 .b8 b[4];\n");
    EXPECT_TRUE(full.ok()) << full.error().message;
  }
  EXPECT_TRUE(load(".global .align 4 .b8 a[70000]; .const .align 4 .b8 b[4];\n").ok());

  const Result<ModuleId> over = load(".const .align 4 .b8 a[65532]; .const .align 4 .b8 b[8];\n");
  ASSERT_FALSE(over.ok());
  EXPECT_EQ(over.error().message,
            "test.ptx: its __constant__ variables need 65540 bytes, but CUDA allows at most 65536; move the largest of "
            "them, a (65532 bytes), to global memory");
  // ptxas lays the variables out in their order, so the 3 bytes after c are lost.
  const Result<ModuleId> gap = load(".const .b8 c; .const .align 4 .b8 a[65532]; .const .b8 d;\n");
  ASSERT_FALSE(gap.ok());
  EXPECT_NE(gap.error().message.find("need 65537 bytes"), std::string::npos) << gap.error().message;
}

TEST(LimitsTest, TheBudgetIsFreshForEachLaunch) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.instruction_budget = 100'000;
  KernelHarness harness(options);
  harness.Load(Kernel(""));
  for (int k = 0; k < 5; ++k) EXPECT_EQ(harness.Launch({2000}, {32}, {}).status, LaunchStatus::kOk);
}

TEST(LimitsTest, AllLaunchesTogetherHaveATotal) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.instruction_budget = 400'000;
  options.total_instruction_budget = 1'000'000;
  KernelHarness harness(options);
  harness.Load(Kernel(".loc 1 9 0\nadd.u32 %r1, %r1, 1;", kFile));
  Ran ran;
  int launches = 0;
  do {
    ran = harness.Launch({5'000}, {32}, {});
    ++launches;
  } while (ran.status == LaunchStatus::kOk && launches < 100);
  EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
  EXPECT_GT(launches, 2);
  EXPECT_LT(launches, 100);
  EXPECT_EQ(OnlyFinding(ran).kind, FindingKind::kEndlessLoop);
  EXPECT_EQ(OnlyFinding(ran).message.substr(0, 79),
            "the program's kernels have run 1000000 instructions in all, which is the limit;");
  // Not one more begins.
  ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
  EXPECT_EQ(OnlyFinding(ran).kind, FindingKind::kEndlessLoop);
}

TEST(LimitsTest, OtherWorkCountsTowardTheTotal) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.total_instruction_budget = 1'000'000;
  KernelHarness harness(options);
  harness.Load(Kernel(""));
  EXPECT_TRUE(harness.device().Spend(900'000));
  EXPECT_EQ(harness.Launch({1}, {32}, {}).status, LaunchStatus::kOk);
  EXPECT_FALSE(harness.device().Spend(900'000));
  ASSERT_EQ(harness.device().Findings().size(), 1u);
  EXPECT_EQ(harness.device().Findings()[0].kind, FindingKind::kEndlessLoop);
  EXPECT_EQ(harness.Launch({1}, {32}, {}).status, LaunchStatus::kLaunchTimeout);
}

// Blocks of one warp that run `body` before a budget of a million instructions is spent: at most `most` instructions,
// although each block runs one or two.
void ExpectFewBlocks(const std::string& body, uint64_t most, uint32_t shared_bytes = 0) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.instruction_budget = 1'000'000;
  KernelHarness harness(options);
  harness.Load(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { " + body + " ret; }");
  const Ran ran = harness.Launch({0x7FFFFFFF}, {32}, {}, shared_bytes);
  EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
  EXPECT_LE(ran.counters().warp_instructions, most) << body;
}

TEST(LimitsTest, WhatTakesLongerThanAnInstructionCountsAsSeveral) {
  ExpectFewBlocks("", 1'000'000 / 20);
  ExpectFewBlocks("", 1'000'000 / 1000, 227 * 1024);
  ExpectFewBlocks(".local .align 8 .b8 own[400000]; st.local.u32 [own], 1;", 100);
}

TEST(LimitsTest, CancellingEndsALaunch) {
  std::atomic<bool> cancel{false};
  DeviceOptions options = KernelHarness::OneHostThread();
  options.cancel = &cancel;
  KernelHarness harness(options);
  harness.Load(Kernel("LOOP: add.u64 %rd4, %rd4, 1; bra LOOP;"));
  std::thread other([&cancel] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel = true;
  });
  EXPECT_EQ(harness.Launch({1}, {32}, {}).status, LaunchStatus::kCancelled);
  other.join();
  // A grid of two thousand million blocks ends as soon.
  harness.Load(Kernel(""));
  EXPECT_EQ(harness.Launch({0x7FFFFFFF}, {32}, {}).status, LaunchStatus::kCancelled);
}

TEST(LimitsTest, HugeGridsCostNoMemory) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.instruction_budget = 1'000'000;
  KernelHarness harness(options);
  harness.Load(Kernel(""));
  EXPECT_EQ(harness.Launch({0x7FFFFFFF, 65535, 65535}, {32}, {}).status, LaunchStatus::kLaunchTimeout);
}

TEST(LimitsTest, LaunchConfigurationsThatCudaRefuses) {
  KernelHarness harness;
  harness.Load(Kernel(""));
  auto status = [&harness](Dim3 grid, Dim3 block, uint32_t shared = 0) {
    return harness.Launch(grid, block, {}, shared).status;
  };
  EXPECT_EQ(status({1}, {1024}), LaunchStatus::kOk);
  EXPECT_EQ(status({1}, {1025}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({1}, {32, 33, 1}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({1}, {1, 1, 64}), LaunchStatus::kOk);
  EXPECT_EQ(status({1}, {1, 1, 65}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({0}, {32}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({1}, {0}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({1, 65536, 1}, {1}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({0x80000000u}, {1}), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({1}, {32}, 227 * 1024), LaunchStatus::kOk);
  EXPECT_EQ(status({1}, {32}, 227 * 1024 + 1), LaunchStatus::kInvalidConfiguration);
  EXPECT_EQ(status({1}, {0x10000, 0x10000, 1}), LaunchStatus::kInvalidConfiguration);  // the product wraps in 32 bits
  EXPECT_TRUE(harness.device().Findings().empty());
}

TEST(LimitsTest, AKernelsOwnBoundOnThreadsHolds) {
  KernelHarness harness;
  harness.Load(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() .maxntid 64, 1, 1 { ret; }");
  EXPECT_EQ(harness.Launch({1}, {64}, {}).status, LaunchStatus::kOk);
  EXPECT_EQ(harness.Launch({1}, {65}, {}).status, LaunchStatus::kTooManyResources);
}

TEST(LimitsTest, TooFewParameterBytesAreRefused) {
  KernelHarness harness;
  harness.Load(Kernel(""));
  LaunchRequest request;
  request.kernel = harness.kernel();
  request.parameters.resize(31);
  EXPECT_EQ(harness.device().Launch(request), LaunchStatus::kInvalidConfiguration);
  request.kernel = 77;
  EXPECT_EQ(harness.device().Launch(request), LaunchStatus::kInvalidConfiguration);
}

TEST(LimitsTest, OneElementPastTheEndNamesTheAllocationAndTheThread) {
  KernelHarness harness;
  harness.Load(Kernel(".loc 1 12 0\nst.global.u32 [%at0], %g;", kFile));
  DevicePtr data = harness.Allocate(100 * 4, "d_out");
  EXPECT_EQ(harness.Launch({4}, {25}, {data}).status, LaunchStatus::kOk);
  Ran ran = harness.Launch({5}, {25}, {data});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  Finding f = OnlyFinding(ran);
  EXPECT_EQ(f.kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(f.line, 12);
  EXPECT_EQ(f.kernel, "k");
  EXPECT_EQ(f.block.x, 4u);
  EXPECT_EQ(f.thread.x, 0u);
  EXPECT_EQ(f.address, data + 400);
  EXPECT_EQ(f.access_bytes, 4);
  EXPECT_EQ(f.count, 25u);
  char address[32];
  std::snprintf(address, sizeof(address), "%#llx", static_cast<unsigned long long>(data + 400));
  EXPECT_EQ(f.message, std::string("wrote 4 bytes at ") + address + ": just past the end of d_out (400 bytes)");
  EXPECT_EQ(harness.Download<uint32_t>(data, 100)[99], 99u);  // the others' stores are done
}

TEST(LimitsTest, ManyTinyBlocksMayComeFromSwappedNumbersOfALaunch) {
  KernelHarness harness;
  harness.Load(Kernel("st.global.u32 [%at0], %g;"));
  const DevicePtr data = harness.Allocate(4, "d_out");
  const auto message = [&](Dim3 grid, Dim3 block) {
    const Ran ran = harness.Launch(grid, block, {data});
    EXPECT_EQ(ran.findings.at(0).kind, FindingKind::kOutOfBounds);
    return ran.findings.at(0).message;
  };
  const auto asks = [](const std::string& said) {
    return said.find("are the two numbers in <<<blocks, threads>>> swapped?");
  };
  constexpr size_t kNot = std::string::npos;
  EXPECT_NE(message({256}, {1}).find("; this launch has 256 blocks of 1 thread each: are the two"), kNot);
  EXPECT_NE(message({32}, {31}).find("32 blocks of 31 threads each"), kNot);
  EXPECT_NE(asks(message({32}, {31})), kNot);
  EXPECT_EQ(asks(message({31}, {2})), kNot) << "a small grid";
  EXPECT_EQ(asks(message({256}, {32})), kNot) << "a whole warp";
  EXPECT_EQ(asks(message({32, 2}, {1})), kNot) << "these are not two numbers";
}

TEST(LimitsTest, OtherBadAddressesSayWhatTheyAre) {
  KernelHarness harness;
  harness.Load(Kernel("ld.global.u32 %r1, [%rd0];"));
  (void)harness.Allocate(4096, "d_first");
  DevicePtr data = harness.Allocate(64, "d_in"), gone = harness.Allocate(1 << 20, "d_gone");
  ASSERT_TRUE(harness.device().Free(gone).ok());
  auto of = [&harness](uint64_t address) { return OnlyFinding(harness.Launch({1}, {1}, {address})); };
  EXPECT_NE(of(0).message.find("a null pointer"), std::string::npos);
  EXPECT_NE(of(data - 4).message.find("4 bytes before the start of d_in (64 bytes)"), std::string::npos);
  EXPECT_NE(of(0x7FFE12345678).message.find("an address outside of device memory (a host pointer"), std::string::npos);
  EXPECT_NE(of(4096).message.find("4096 bytes past a null pointer"), std::string::npos);
  EXPECT_EQ(of(gone + 8).kind, FindingKind::kUseAfterFree);
  EXPECT_NE(of(gone + 8).message.find("8 bytes into d_gone (1048576 bytes), which was freed"), std::string::npos);
  EXPECT_EQ(of(data + 2).kind, FindingKind::kMisaligned);
  EXPECT_NE(of(data + 2).message.find("which is not a multiple of 4"), std::string::npos);
  EXPECT_EQ(harness.Launch({1}, {1}, {data + 2}).status, LaunchStatus::kMisalignedAddress);
  EXPECT_NE(of(~uint64_t{0} - 3).message, "");  // at the very top of the address space
  EXPECT_NE(of(data + 62).message, "");
}

TEST(LimitsTest, AVectorThatStraddlesTheEndIsOutOfBounds) {
  KernelHarness harness;
  harness.Load(Kernel("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0+48]; ld.global.u32 %r1, [%rd0+56];"));
  DevicePtr data = harness.Allocate(60, "d_in");
  Finding f = OnlyFinding(harness.Launch({1}, {1}, {data}));
  EXPECT_NE(f.message.find("48 bytes into d_in; the access goes 4 bytes past its end (60 bytes)"), std::string::npos)
      << f.message;
}

TEST(LimitsTest, FreeingTwiceOrInTheMiddleIsRefused) {
  KernelHarness harness;
  DevicePtr data = harness.Allocate(64, "d_in");
  EXPECT_FALSE(harness.device().Free(data + 4).ok());
  EXPECT_TRUE(harness.device().Free(data).ok());
  Status again = harness.device().Free(data);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().message.substr(0, 18), "double free: d_in ");
  EXPECT_TRUE(harness.device().Free(0).ok());
}

TEST(LimitsTest, MemoryRunsOutWithAMessageAndComesBack) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.global_memory_bytes = 1 << 20;
  KernelHarness harness(options);
  Result<DevicePtr> most = harness.device().Allocate(1 << 20);
  ASSERT_TRUE(most.ok());
  Result<DevicePtr> more = harness.device().Allocate(1);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().kind, ErrorKind::kLimit);
  EXPECT_EQ(harness.device().FreeBytes(), 0u);
  ASSERT_TRUE(harness.device().Free(*most).ok());
  EXPECT_TRUE(harness.device().Allocate(1 << 20).ok());
  EXPECT_FALSE(harness.device().Allocate(~uint64_t{0}).ok());
}

TEST(LimitsTest, CopiesOutsideAnAllocationAreRefused) {
  KernelHarness harness;
  DevicePtr data = harness.Allocate(64);
  char host[128] = {};
  EXPECT_TRUE(harness.device().CopyToDevice(data + 60, host, 4).ok());
  EXPECT_FALSE(harness.device().CopyToDevice(data + 60, host, 5).ok());
  EXPECT_FALSE(harness.device().CopyFromDevice(host, data, 65).ok());
  EXPECT_FALSE(harness.device().Fill(data, 0, ~uint64_t{0}).ok());
  EXPECT_TRUE(harness.device().CopyToDevice(0, host, 0).ok());
}

TEST(LimitsTest, RecursionWithoutEndOverflowsTheStack) {
  KernelHarness harness;
  harness.Load(Kernel("call forever, ();",
                      ".file 1 \"lab.cu\"\n.func forever() {\n.local .align 8 .b8 own[64];\n.loc 1 3 0\nst.local.u32 "
                      "[own], 1; call forever, (); ret; }\n"));
  Ran ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kHardwareStackError);
  Finding f = OnlyFinding(ran);
  EXPECT_EQ(f.kind, FindingKind::kStackOverflow);
  EXPECT_EQ(f.line, 3);
  EXPECT_EQ(f.message, "the stack overflowed calling forever: does the recursion end?");
}

TEST(LimitsTest, RecursionThatUsesNoLocalMemoryOverflowsToo) {
  KernelHarness harness;
  harness.Load(Kernel("call forever, ();", ".func forever() { call forever, (); ret; }\n"));
  EXPECT_EQ(harness.Launch({1}, {32}, {}).status, LaunchStatus::kHardwareStackError);
}

TEST(LimitsTest, ATrapEndsTheKernel) {
  KernelHarness harness;
  harness.Load(Kernel("setp.eq.u32 %p1, %g, 33;\n.loc 1 6 0\n@%p1 trap;", kFile));
  Ran ran = harness.Launch({2}, {32}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kUnspecifiedFailure);
  Finding f = OnlyFinding(ran);
  EXPECT_EQ(f.kind, FindingKind::kTrap);
  EXPECT_EQ(f.line, 6);
  EXPECT_EQ(f.block.x, 1u);
  EXPECT_EQ(f.thread.x, 1u);
}

TEST(LimitsTest, FindingsAreCappedAndCounted) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.max_findings = 3;
  KernelHarness harness(options);
  std::string body;
  for (int line = 1; line <= 9; ++line) body += ".loc 1 " + std::to_string(line) + " 0\nst.global.u32 [%rd0], 1;\n";
  harness.Load(Kernel(body, kFile));
  Ran ran = harness.Launch({10}, {64}, {0});
  ASSERT_EQ(ran.findings.size(), 3u);
  for (const Finding& f : ran.findings) EXPECT_EQ(f.count, 640u);
}

TEST(LimitsTest, TwoInstructionsOfOneLineAreOneFinding) {
  KernelHarness harness;
  harness.Load(Kernel(".loc 1 4 0\nst.global.u32 [%rd0], 1; st.global.u32 [%rd0+4], 1;", kFile));
  EXPECT_EQ(OnlyFinding(harness.Launch({1}, {32}, {0})).count, 64u);
}

TEST(LimitsTest, ModulesReportWhatTheyLack) {
  KernelHarness harness;
  Result<ModuleId> bad = harness.device().LoadModule(".version 8.0\n.target sm_80\n.entry k( {", "broken.ptx");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message.substr(0, 15), "broken.ptx: ptx");
  Result<ModuleId> module = harness.device().LoadModule(Kernel("", ".global .u32 counter = 5;\n"), "good.ptx");
  ASSERT_TRUE(module.ok());
  EXPECT_FALSE(harness.device().FindKernel(*module, "nobody").ok());
  Result<AllocationInfo> counter = harness.device().FindVariable(*module, "counter");
  ASSERT_TRUE(counter.ok());
  EXPECT_EQ(harness.Download<uint32_t>(counter->base, 1)[0], 5u);
  EXPECT_FALSE(harness.device().FindVariable(*module, "nothing").ok());
  harness.device().UnloadModule(*module);
  EXPECT_FALSE(harness.device().FindKernel(*module, "k").ok());
}

}  // namespace
}  // namespace warpgrade::emulator
