// Asynchronous copies and mbarriers: what lands when, written in PTX; then what nvcc makes of cuda::barrier,
// cuda::pipeline and memcpy_async. PTX ISA 9.0, "cp.async", "mbarrier".
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kShared = ".shared .align 16 .b8 s[1024]; .shared .align 8 .b64 bar;\n";

// An instruction, and the handler that it must reach.
struct Spelling {
  const char* key;
  const char* ptx;
};
constexpr Spelling kSpellings[] = {
    {"cp.async", "cp.async.ca.shared.global [s], [%rd1], 4;"},
    {"cp.async", "cp.async.cg.shared.global.L2::128B [%r1+16], [%rd1+32], 16, %r2;"},
    {"cp.async", "cp.async.ca.shared.global [%rd5], [%rd1], 8, %p1;"},
    {"cp.async.commit_group", "cp.async.commit_group;"},
    {"cp.async.wait_group", "cp.async.wait_group 2;"},
    {"cp.async.wait_all", "cp.async.wait_all;"},
    {"cp.async.mbarrier.arrive", "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];"},
    {"cp.async.bulk.shared",
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [bar];"},
    {"cp.async.bulk.global", "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;"},
    {"cp.async.bulk.group", "cp.async.bulk.wait_group.read 0;"},
    {"mbarrier.init", "mbarrier.init.shared::cta.b64 [bar], 4;"},
    {"mbarrier.inval", "mbarrier.inval.shared.b64 [bar];"},
    {"mbarrier.arrive", "mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [bar], 3;"},
    {"mbarrier.arrive", "mbarrier.arrive_drop.b64 _, [%rd5];"},
    {"mbarrier.arrive", "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;"},
    {"mbarrier.tx", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 128;"},
    {"mbarrier.tx", "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 128;"},
    {"mbarrier.wait", "mbarrier.test_wait.shared.b64 %p1, [bar], %rd5;"},
    {"mbarrier.wait", "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r1], %r2, 1000;"},
    {"mbarrier.pending_count", "mbarrier.pending_count.b64 %r1, %rd5;"},
};

}  // namespace

std::vector<std::string> AsyncKeys() {
  std::vector<std::string> keys;
  for (const Spelling& s : kSpellings) keys.push_back(s.key);
  return keys;
}

namespace {

TEST(AsyncTest, EverySpellingReachesItsHandler) {
  for (const Spelling& s : kSpellings) EXPECT_TRUE(Reaches(Kernel(s.ptx, kShared), s.key)) << s.ptx;
}

// Each thread copies its word, and reads it before, between and after the waits for its two groups.
TEST(AsyncTest, ACopyLandsWhenItsGroupIsWaitedFor) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.u32 %r1, s; shl.b32 %r2, %t, 3; add.u32 %r1, %r1, %r2; st.shared.v2.u32 [%r1], {7, 7};
    cp.async.ca.shared.global [%r1], [%at1], 4; cp.async.commit_group;
    cp.async.ca.shared.global [%r1+4], [%at1], 4; cp.async.commit_group;
    ld.shared.v2.u32 {%r3, %r4}, [%r1]; mad.lo.u32 %r10, %r3, 10, %r4;
    cp.async.wait_group 1; ld.shared.v2.u32 {%r3, %r4}, [%r1]; mad.lo.u32 %r3, %r3, 10, %r4; mad.lo.u32 %r10, %r10, 100, %r3;
    cp.async.wait_all; ld.shared.v2.u32 {%r3, %r4}, [%r1]; mad.lo.u32 %r3, %r3, 10, %r4; mad.lo.u32 %r10, %r10, 100, %r3;
    st.global.u32 [%at0], %r10;
  )",
                                              kShared),
                                       {1}, {3}, 3, {{1, 2, 3}});
  EXPECT_EQ(got, (std::vector<uint32_t>{771711, 772722, 773733}));
}

TEST(AsyncTest, GroupsAreEachLanesOwn) {
  // Odd lanes commit once more: waiting for all but one group leaves out another copy there.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.u32 %r1, s; shl.b32 %r2, %t, 2; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], 9; and.b32 %r3, %t, 1; setp.ne.u32 %p1, %r3, 0;
    cp.async.ca.shared.global [%r1], [%at1], 4; cp.async.commit_group;
    @%p1 cp.async.commit_group;
    cp.async.wait_group 1; ld.shared.u32 %r4, [%r1]; st.global.u32 [%at0], %r4; cp.async.wait_all;
  )",
                                              kShared),
                                       {1}, {4}, 4, {{1, 2, 3, 4}});
  EXPECT_EQ(got, (std::vector<uint32_t>{9, 2, 9, 4}));
}

TEST(AsyncTest, WhatTheSourceDoesNotFillIsZero) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    st.shared.v4.u32 [s], {9, 9, 9, 9}; mov.u32 %r1, 8;
    cp.async.cg.shared.global [s], [%rd1], 16, %r1; cp.async.wait_all;
    ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [s]; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};
    setp.eq.u32 %p1, %t, 0; cp.async.ca.shared.global [s], [%rd2], 4, %p1; cp.async.wait_all;
    ld.shared.u32 %r2, [s]; st.global.u32 [%rd0+16], %r2;
  )",
                                              kShared),
                                       {1}, {1}, 5, {{1, 2, 3, 4}});
  EXPECT_EQ(got, (std::vector<uint32_t>{1, 2, 0, 0, 0}));  // the second copy ignores its source, a null pointer
}

TEST(AsyncTest, CopiesAreCheckedWhereTheyAreIssued) {
  KernelHarness h;
  h.Load(
      Kernel("add.u64 %rd5, %rd1, 8; cp.async.ca.shared.global [s], [%rd5], 4;\ncp.async.ca.shared.global [s+1024], "
             "[%rd1], 4; cp.async.wait_all;",
             ".shared .align 16 .b8 s[1024];\n"));
  Ran ran = h.Launch({1}, {1}, {0, h.Upload(std::vector<uint32_t>{1, 2})});
  ASSERT_EQ(ran.findings.size(), 2u) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kOutOfBounds);
  EXPECT_NE(ran.findings[0].message.find("just past the end of input"), std::string::npos);
  EXPECT_NE(ran.findings[1].message.find("shared memory"), std::string::npos);
}

TEST(AsyncTest, CopiesCountAsGlobalLoadsAndSharedStores) {
  KernelHarness h;
  h.Load(
      Kernel("mov.u32 %r1, s; shl.b32 %r2, %t, 2; add.u32 %r1, %r1, %r2; cp.async.ca.shared.global [%r1], [%at1], 4; "
             "cp.async.wait_all;",
             kShared));
  Ran ran = h.Launch({1}, {32}, {0, h.Upload(std::vector<uint32_t>(32))});
  EXPECT_EQ(ran.counters().global_load_requests, 1u);
  EXPECT_EQ(ran.counters().global_load_sectors, 4u);
  EXPECT_EQ(ran.counters().shared_store_requests, 1u);
  EXPECT_EQ(ran.counters().shared_store_wavefronts, 1u);
}

TEST(AsyncTest, AnMbarriersPhaseCompletesWithItsLastArrival) {
  // Thread 1 waits; threads 0 and 1 arrive, 0 twice. tx-count and pending count are told apart.
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    setp.eq.u32 %p1, %t, 0;
    @%p1 mbarrier.init.shared.b64 [bar], 3; bar.sync 0;
    @%p1 mbarrier.arrive.shared.b64 %rd5, [bar], 2; bar.sync 0;
    mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r1, 1, 0, %p2; bar.sync 0;
    @!%p1 mbarrier.arrive.shared.b64 %rd5, [bar]; bar.sync 0;
    mbarrier.pending_count.b64 %r2, %rd5;
    mbarrier.test_wait.shared.b64 %p2, [bar], %rd5; selp.u32 %r3, 1, 0, %p2;
    mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1; selp.u32 %r4, 1, 0, %p2;
    mad.lo.u32 %r1, %r1, 10, %r2; mad.lo.u32 %r1, %r1, 10, %r3; mad.lo.u32 %r1, %r1, 10, %r4; st.global.u32 [%at0], %r1;
  )",
                                              kShared),
                                       {1}, {2}, 2);
  EXPECT_EQ(got, (std::vector<uint32_t>{310, 110}));
}

// The threads of two blocks wait for one another three times, as with __syncthreads(), and then nobody waits any more.
TEST(AsyncTest, PhasesOfAnMbarrierCountAsBarriers) {
  KernelHarness h;
  h.Load(Kernel(R"(
    setp.eq.u32 %p1, %t, 0;
    @%p1 mbarrier.init.shared.b64 [bar], 64;
    bar.sync 0;
    mov.u32 %r1, 0;
    PHASE: mbarrier.arrive.shared.b64 %rd5, [bar];
    WAIT: mbarrier.try_wait.shared.b64 %p2, [bar], %rd5; @!%p2 bra WAIT;
    add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 3; @%p3 bra PHASE;
  )",
                kShared));
  Ran ran = h.Launch({2}, {64}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(ran.counters().barriers, 2u * (1 + 3));
  EXPECT_EQ(ran.counters().shared_store_requests + ran.counters().shared_atomic_requests, 0u);
}

// 64 threads store to shared memory. Then each reads what its neighbour has stored. An mbarrier that waits for `count`
// arrivals is used by `between` in the meantime.
size_t RacesOfNeighbours(int count, const std::string& between, int neighbour) {
  KernelHarness h;
  h.Load(
      Kernel("setp.eq.u32 %p1, %t, 0; and.b32 %r9, %t, 31; setp.eq.u32 %p4, %r9, 0; setp.lt.u32 %p5, %t, 32;\n"
             "@%p1 mbarrier.init.shared.b64 [bar], " +
                 std::to_string(count) +
                 "; bar.sync 0;\n"
                 "mov.u32 %r1, s; shl.b32 %r2, %t, 2; add.u32 %r2, %r1, %r2; st.shared.u32 [%r2], %t;\n" +
                 between + "\nxor.b32 %r3, %t, " + std::to_string(neighbour) +
                 "; shl.b32 %r3, %r3, 2; add.u32 %r3, %r1, %r3; ld.shared.u32 %r4, [%r3];",
             kShared));
  const Ran ran = h.Launch({1}, {64}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  size_t races = 0;
  for (const Finding& f : ran.findings) races += f.kind == FindingKind::kSharedRace ? 1 : 0;
  EXPECT_EQ(races == 0, ran.findings.empty()) << Describe(ran.findings);
  return races;
}

constexpr char kWait[] = "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT;";

TEST(AsyncTest, AnMbarrierOrdersThoseThatArriveBeforeThoseThatWait) {
  for (const int neighbour : {1, 32}) {
    SCOPED_TRACE(neighbour == 1 ? "in the same warp" : "in another warp");
    EXPECT_EQ(RacesOfNeighbours(64, std::string("mbarrier.arrive.shared.b64 %rd5, [bar]; ") + kWait, neighbour), 0u);
    EXPECT_EQ(RacesOfNeighbours(
                  2, std::string("bar.warp.sync 0xffffffff; @%p4 mbarrier.arrive.shared.b64 %rd5, [bar]; ") + kWait,
                  neighbour),
              0u)
        << "one lane of each warp arrives for all";
  }
}

TEST(AsyncTest, AnMbarrierOrdersNobodyElse) {
  for (const int neighbour : {1, 32}) {
    SCOPED_TRACE(neighbour == 1 ? "in the same warp" : "in another warp");
    EXPECT_GT(RacesOfNeighbours(1, "@%p1 mbarrier.arrive.shared.b64 %rd5, [bar];", neighbour), 0u)
        << "one thread alone completes a phase";
    EXPECT_GT(RacesOfNeighbours(64, "mbarrier.arrive.shared.b64 %rd5, [bar];", neighbour), 0u) << "nobody waits";
    EXPECT_GT(RacesOfNeighbours(1, std::string("@%p1 mbarrier.arrive.shared.b64 %rd5, [bar]; ") + kWait, neighbour), 0u)
        << "only one thread arrives";
    EXPECT_GT(RacesOfNeighbours(2, std::string("@%p4 mbarrier.arrive.shared.b64 %rd5, [bar]; ") + kWait, neighbour), 0u)
        << "one lane of each warp arrives, but not for the others";
  }
  EXPECT_GT(RacesOfNeighbours(
                64, std::string("mbarrier.arrive.shared.b64 %rd5, [bar]; @!%p5 bra OVER; ") + kWait + " OVER:", 32),
            0u)
      << "only the first warp waits";
}

// A bulk copy lands when somebody waits for it. Its phase ends then, and not at an arrival.
TEST(AsyncTest, APhaseThatEndsWithABulkCopyCountsOnce) {
  KernelHarness h;
  h.Load(Kernel(R"(
    mov.u32 %r1, s; mbarrier.init.shared.b64 [bar], 1;
    mbarrier.arrive.expect_tx.shared.b64 %rd5, [bar], 64;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [bar];
    mbarrier.try_wait.shared.b64 %p2, [bar], %rd5; mbarrier.try_wait.shared.b64 %p2, [bar], %rd5;
  )",
                kShared));
  Ran ran = h.Launch({1}, {1}, {0, h.Upload(std::vector<uint32_t>(16))});
  EXPECT_EQ(Describe(ran.findings), "");
  EXPECT_EQ(ran.counters().barriers, 1u);
}

TEST(AsyncTest, AnMbarrierThatNobodyInitialisedIsReported) {
  KernelHarness h;
  h.Load(Kernel("st.shared.u64 [bar], 0; mbarrier.arrive.shared.b64 _, [bar];", kShared));
  Ran ran = h.Launch({1}, {1}, {0});
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_NE(ran.findings[0].message.find("not initialised"), std::string::npos);
}

// ---- programs ----

std::string Compiled(const std::string& name) {
  std::ifstream file(std::string(EXEC_CORPUS) + "/" + name + ".ptx");
  EXPECT_TRUE(file) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class AsyncProgramTest : public ::testing::TestWithParam<const char*> {
 protected:
  // Runs a kernel over (in, out, n) with 256 threads unless said otherwise, and gives `count` results.
  std::vector<int> Run(const std::string& kernel, int n, size_t count, uint32_t threads = 256) {
    in_.resize(4096);
    std::iota(in_.begin(), in_.end(), 1);
    KernelHarness h;
    h.Load(Compiled(std::string("async_") + GetParam()), kernel);
    DevicePtr out = h.Allocate(4 * count);
    Ran ran = h.Launch({1}, {threads}, {h.Upload(in_), out, static_cast<uint64_t>(n)});
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
    for (const Finding& f : ran.findings) {
      // On sm_75 the library synchronises by atomics alone, which the check of shared memory does not follow.
      if (std::string(GetParam()).starts_with("75") && f.kind == FindingKind::kSharedRace) continue;
      ADD_FAILURE() << f.message << " PTX line " << f.ptx_line << " thread " << f.thread.x;
    }
    return h.Download<int>(out, count);
  }
  std::vector<int> in_;
};

TEST_P(AsyncProgramTest, PrimitivesCopyInGroups) {
  std::vector<int> got = Run("primitives", 0, 512);
  for (size_t t = 0; t < 256; ++t) {
    EXPECT_EQ(got[t], in_[255 - t] + in_[256 + 255 - t] * 1000) << t;
    EXPECT_EQ(got[256 + t], t % 2 == 0 ? in_[t] : 0) << t;
  }
}
TEST_P(AsyncProgramTest, BarriersTrackCopies) {
  std::vector<int> got = Run("block_barrier", 512, 256);
  for (size_t t = 0; t < 256; ++t) EXPECT_EQ(got[t], in_[255 - t] + in_[511 - t] + 2 + in_[t ^ 1]) << t;
}
TEST_P(AsyncProgramTest, PipelinesOfABlockAndOfAThread) {
  std::vector<int> got = Run("pipelined", 5, 256);
  for (size_t t = 0; t < 256; ++t) {
    int want = 0;
    for (size_t b = 0; b < 5; ++b) want += in_[b * 256 + 255 - t];
    EXPECT_EQ(got[t], want) << t;
  }
  got = Run("thread_pipeline", 0, 256);
  for (size_t t = 0; t < 256; ++t) EXPECT_EQ(got[t], in_[t] + 1) << t;
}
TEST_P(AsyncProgramTest, ProducersAndConsumersAreDifferentThreads) {
  std::vector<int> got = Run("specialised", 6, 64, 128);
  for (size_t t = 0; t < 64; ++t) {
    int want = 0;
    for (size_t b = 0; b < 6; ++b) want += in_[b * 64 + 63 - t];
    EXPECT_EQ(got[t], want) << t;
  }
}
TEST_P(AsyncProgramTest, BulkCopiesRaiseTheTransactionCount) {
  if (!std::string(GetParam()).starts_with("90")) GTEST_SKIP() << "from sm_90 on";
  std::vector<int> got = Run("bulk", 0, 256);
  for (size_t t = 0; t < 256; ++t) EXPECT_EQ(got[t], in_[t] + 1) << t;
}
TEST_P(AsyncProgramTest, ArriveWaitBarriersOfTheCInterface) {
  if (std::string(GetParam()).starts_with("75")) GTEST_SKIP() << "from sm_80 on";
  std::vector<int> got = Run("awbarrier", 0, 64, 64);
  for (size_t t = 0; t < 64; ++t) {
    int pending = got[t] - in_[63 - t];
    EXPECT_TRUE(pending >= 1 && pending <= 64) << t << " " << pending;
  }
}

INSTANTIATE_TEST_SUITE_P(Compiled, AsyncProgramTest,
                         ::testing::Values("75", "80", "90", "75_debug", "90_debug", "80_fast", "90_unoptimised"),
                         [](const auto& info) { return std::string("sm") + info.param; });

}  // namespace
}  // namespace warpgrade::emulator
