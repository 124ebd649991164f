// Loops that never end, which are found without any instruction budget, and loops that only look so. What ends some day
// must end here; a test of it that hangs has failed.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kShared = ".file 1 \"lab.cu\"\n.shared .align 4 .b8 tile[256];\n";

class EndlessLoopTest : public testing::TestWithParam<int> {  // host threads
 protected:
  Ran Run(const std::string& body, Dim3 grid, Dim3 block, std::vector<uint32_t> memory = {0}, uint64_t seed = 0,
          uint32_t shared_bytes = 0) {
    DeviceOptions options;
    options.checks = false;
    options.host_threads = GetParam();
    options.global_memory_bytes = uint64_t{1} << 30;
    options.seed = seed;
    harness_ = std::make_unique<KernelHarness>(options);
    harness_->Load(Kernel(body, kShared));
    return harness_->Launch(grid, block, {harness_->Upload(memory, "d_data")}, shared_bytes);
  }
  void ExpectEndless(const Ran& ran, int line) {
    EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
    ASSERT_FALSE(ran.findings.empty());
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kEndlessLoop);
    EXPECT_EQ(ran.findings[0].line, line);
    EXPECT_EQ(ran.findings[0].message.substr(0, 23), "this loop never ends: t") << ran.findings[0].message;
  }
  void ExpectEnds(const Ran& ran) {
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
    EXPECT_TRUE(ran.findings.empty()) << Describe(ran.findings);
  }

  std::unique_ptr<KernelHarness> harness_;
};
INSTANTIATE_TEST_SUITE_P(HostThreads, EndlessLoopTest, testing::Values(1, 3), testing::PrintToStringParamName());

TEST_P(EndlessLoopTest, NothingButABranch) {
  ExpectEndless(Run(".loc 1 4 0\nLOOP: bra LOOP;", {1}, {32}), 4);
  ExpectEndless(Run(".loc 1 4 0\nLOOP: bra LOOP;", {5}, {70}), 4);
  EXPECT_EQ(Run("LOOP: bra LOOP;", {1}, {32}).findings[0].message,
            "this loop never ends: the block's threads have come back to where they were, with the same values in all "
            "registers and all memory they use");
}

TEST_P(EndlessLoopTest, UnderASeedToo) {
  ExpectEndless(Run(".loc 1 4 0\nLOOP: xor.b32 %r1, %r1, 5; bra LOOP;", {2}, {64}, {0}, 77), 4);
}

// The block is stopped at any place of the loop. One of them is where lanes that took two ways meet again, which is no
// instruction of the PTX.
TEST_P(EndlessLoopTest, AtThePlaceWhereLanesMeetAgain) {
  std::string padding;
  for (int instructions = 0; instructions < 12; ++instructions, padding += "xor.b32 %r1, %r1, 5;") {
    SCOPED_TRACE(instructions);
    ExpectEndless(Run("setp.lt.u32 %p1, %t, 1000;\n.loc 1 7 0\nLOOP: " + padding +
                          "@%p1 bra MEET; xor.b32 %r2, %r2, 3; MEET: xor.b32 %r3, %r3, 7; @%p1 bra LOOP;",
                      {1}, {32}),
                  7);
  }
}

// The kernel has stored to volatile memory, but its loop does not wait for that.
TEST_P(EndlessLoopTest, AfterAStoreThatOthersWaitFor) {
  const Ran ran = Run("st.volatile.global.u32 [%rd0], 1;\n.loc 1 4 0\nLOOP: bra LOOP;", {1}, {32});
  ExpectEndless(ran, 4);
  EXPECT_EQ(ran.findings[0].message.find("does it wait for"), std::string::npos) << ran.findings[0].message;
}

// The step comes to 1 and stays there.
TEST_P(EndlessLoopTest, RegistersThatComeBack) {
  ExpectEndless(
      Run("mov.u32 %r1, 700;\n.loc 1 5 0\nLOOP: add.u32 %r1, %r1, 1; shr.u32 %r1, %r1, 1; setp.gt.u32 %p1, %r1, 0;"
          "@%p1 bra LOOP;",
          {3}, {64}),
      5);
}

// A binary search that does not move on reads memory that nobody writes any more.
TEST_P(EndlessLoopTest, MemoryThatIsOnlyRead) {
  const std::string search = R"(
    mov.u32 %r1, 0; mov.u32 %r2, 4;
    .loc 1 6 0
    LOOP: add.u32 %r3, %r1, %r2; shr.u32 %r3, %r3, 1; mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd4, %rd0;
    ld.global.u32 %r4, [%rd4]; setp.lt.u32 %p1, %r4, 4; @%p1 mov.u32 %r1, %r3; @!%p1 mov.u32 %r2, %r3;
    setp.lt.u32 %p2, %r1, %r2; @%p2 bra LOOP;
  )";
  ExpectEndless(Run(search, {1}, {1}, {1, 3, 5, 7}), 6);
  ExpectEndless(Run(search, {7}, {64}, {1, 3, 5, 7}), 6);
  // Only some blocks; the others write.
  ExpectEndless(Run("setp.gt.u32 %p3, %g, 200; @%p3 bra OTHERS;" + search +
                        "OTHERS: add.u64 %rd5, %at0, 16; "
                        "st.global.u32 [%rd5], %g;",
                    {9}, {64}, std::vector<uint32_t>(1000, 1)),
                6);
}

// Host threads take several blocks at a time. Blocks that they have taken and cannot start do not count.
TEST_P(EndlessLoopTest, MoreBlocksThanTheDeviceHolds) {
  const std::string wait = ".loc 1 5 0\nLOOP: ld.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra LOOP;";
  constexpr uint32_t kMostOfAMultiprocessor = 200 << 10;  // so it holds one block
  ExpectEndless(Run(wait, {4000}, {32}, {0}, 0, kMostOfAMultiprocessor), 5);
}

// No free slot in a table of keys: each swap fails, and changes nothing.
TEST_P(EndlessLoopTest, AtomicsThatChangeNothing) {
  const std::string probe = R"(
    mov.u32 %r1, %t;
    .loc 1 8 0
    LOOP: and.b32 %r1, %r1, 3; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd0;
    atom.global.cas.b32 %r2, [%rd4], 0, 99; add.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;
  )";
  const Ran ran = Run(probe, {1}, {32}, {1, 2, 3, 4});
  ExpectEndless(ran, 8);
  EXPECT_NE(ran.findings[0].message.find("d_data (16 bytes) (line 8) to change? No thread is left"), std::string::npos)
      << ran.findings[0].message;
  ExpectEndless(Run(probe, {4}, {64}, {1, 2, 3, 4}), 8);
}

TEST_P(EndlessLoopTest, ABarrierInTheLoopAndSharedMemory) {
  ExpectEndless(Run(R"(
    mov.u32 %r1, tile; st.shared.u32 [%r1], 1; bar.sync 0;
    .loc 1 9 0
    LOOP: bar.sync 0; ld.shared.u32 %r2, [%r1]; st.shared.u32 [%r1], 1; bar.sync 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;
  )",
                    {2}, {96}),
                9);
}

TEST_P(EndlessLoopTest, MemoryThatIsWrittenAndStaysTheSame) {
  ExpectEndless(Run(".loc 1 3 0\nLOOP: ld.global.u32 %r1, [%rd0]; st.global.u32 [%rd0], %r1; setp.eq.u32 %p1, %r1, 0;"
                    "@%p1 bra LOOP;",
                    {1}, {32}),
                3);
}

TEST_P(EndlessLoopTest, ACountingLoopIsNone) {
  ExpectEnds(
      Run("mov.u32 %r1, 0; LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3000000; @%p1 bra LOOP;", {2}, {32}));
  // In memory: the registers come back each time, for a million turns.
  ExpectEnds(
      Run("LOOP: atom.global.add.u32 %r1, [%rd0], 1; shr.u32 %r1, %r1, 20; setp.eq.u32 %p1, %r1, 0; @%p1 bra "
          "LOOP;",
          {1}, {1}));
  ExpectEnds(
      Run("mov.u32 %r2, tile; st.shared.u32 [%r2], 0; LOOP: ld.shared.u32 %r1, [%r2]; add.u32 %r1, %r1, 1;"
          "st.shared.u32 [%r2], %r1; shr.u32 %r1, %r1, 20; setp.eq.u32 %p1, %r1, 0; @%p1 bra LOOP;",
          {2}, {1}));
  ExpectEnds(
      Run("mov.u32 %r4, %clock; LOOP: mov.u32 %r1, %clock; sub.u32 %r1, %r1, %r4; shr.u32 %r1, %r1, 20;"
          "setp.eq.u32 %p1, %r1, 0; @%p1 bra LOOP;",
          {1}, {32}));
}

// One block reads, without volatile, what another writes after a long time.
TEST_P(EndlessLoopTest, AnotherBlockMayStillWriteWhatItReads) {
  ExpectEnds(Run(R"(
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, %r2; @%p1 bra WRITER;
    LOOP: ld.global.u32 %r3, [%rd0]; setp.eq.u32 %p2, %r3, 0; @%p2 bra LOOP;
    bra DONE;
    WRITER: mov.u32 %r4, 0; COUNT: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 4000000; @%p3 bra COUNT;
    st.global.u32 [%rd0], 1;
    DONE:
  )",
                 {6}, {32}));
}

// Another warp of the block, and other lanes of the warp: they wait at the join until the patience is over.
TEST_P(EndlessLoopTest, AnotherWarpOrLaneMayStillWriteWhatItReads) {
  ExpectEnds(Run(R"(
    mov.u32 %r1, tile; st.shared.u32 [%r1], 0; bar.sync 0; setp.ge.u32 %p1, %t, 32; @%p1 bra WRITER;
    LOOP: ld.shared.u32 %r3, [%r1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra LOOP;
    bra DONE;
    WRITER: mov.u32 %r4, 0; COUNT: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 2000000; @%p3 bra COUNT;
    st.shared.u32 [%r1], 1;
    DONE:
  )",
                 {2}, {64}));
  ExpectEnds(Run(R"(
    mov.u32 %r1, tile; st.shared.u32 [%r1], 0; bar.warp.sync -1; setp.eq.u32 %p1, %t, 7; @%p1 bra JOIN;
    LOOP: ld.shared.u32 %r3, [%r1]; setp.eq.u32 %p2, %r3, 0; @%p2 bra LOOP;
    JOIN: st.shared.u32 [%r1], 1;
  )",
                 {2}, {32}));
}

}  // namespace
}  // namespace warpgrade::emulator
