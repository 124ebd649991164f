// What is counted, exactly: sectors, wavefronts, branches, flops, barriers; per line; for any number of host threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

// One warp loads from p0 + the byte offset that p1 holds for each lane.
std::string LoadAt(const std::string& type, const std::string& registers) {
  return Kernel("ld.global.u32 %r1, [%at1]; cvt.u64.u32 %rd4, %r1; add.u64 %rd4, %rd4, %rd0;\n.loc 1 2 0\nld.global." +
                    type + " " + registers + ", [%rd4];",
                ".file 1 \"lab.cu\"\n");
}
const Counters* LineOf(const Ran& ran, int line) {
  for (const LineCounters& l : ran.record.lines) {
    if (l.line == line) return &l.counters;
  }
  return nullptr;
}

struct SectorCase {
  const char* name;
  const char* type;
  const char* registers;
  std::function<uint32_t(uint32_t)> offset;
  uint64_t sectors, bytes;
};

TEST(CountersTest, SectorsPerRequest) {
  auto step = [](uint32_t bytes, uint32_t start = 0) { return [=](uint32_t l) { return start + bytes * l; }; };
  const SectorCase cases[] = {
      {"coalesced", "u32", "%r2", step(4), 4, 128},
      {"coalesced, off by one element", "u32", "%r2", step(4, 4), 5, 128},
      {"coalesced, off by a sector", "u32", "%r2", step(4, 32), 4, 128},
      {"stride 2", "u32", "%r2", step(8), 8, 128},
      {"stride 8", "u32", "%r2", step(32), 32, 128},
      {"stride 33", "u32", "%r2", step(132), 32, 128},
      {"broadcast", "u32", "%r2", step(0), 1, 128},
      {"backwards", "u32", "%r2", [](uint32_t l) { return 124 - 4 * l; }, 4, 128},
      {"shuffled within 128 bytes", "u32", "%r2", [](uint32_t l) { return 4 * (l * 13 % 32); }, 4, 128},
      {"two far halves", "u32", "%r2", [](uint32_t l) { return (l % 2) * 2048 + 4 * l; }, 8, 128},
      {"bytes", "u8", "%r2", step(1), 1, 32},
      {"bytes across a sector's edge", "u8", "%r2", step(1, 20), 2, 32},
      {"8 bytes", "f64", "%fd1", step(8), 8, 256},
      {"8 bytes, off by one element", "f64", "%fd1", step(8, 8), 9, 256},
      {"16 bytes", "v4.u32", "{%r2, %r3, %r4, %r5}", step(16), 16, 512},
      {"16 bytes, every other", "v4.u32", "{%r2, %r3, %r4, %r5}", step(32), 32, 512},
  };
  for (const SectorCase& c : cases) {
    SCOPED_TRACE(c.name);
    KernelHarness harness;
    harness.Load(LoadAt(c.type, c.registers));
    std::vector<uint32_t> offsets;
    std::set<uint32_t> touched;  // counted another way
    for (uint32_t l = 0; l < 32; ++l) {
      offsets.push_back(c.offset(l));
      for (uint64_t b = 0; b < c.bytes / 32; ++b) touched.insert((offsets.back() + static_cast<uint32_t>(b)) / 32);
    }
    Ran ran = harness.Launch({1}, {32}, {harness.Allocate(8192), harness.Upload(offsets)});
    const Counters* at = LineOf(ran, 2);
    ASSERT_NE(at, nullptr);
    EXPECT_EQ(at->global_load_requests, 1u);
    EXPECT_EQ(at->global_load_sectors, c.sectors);
    EXPECT_EQ(at->global_load_sectors, touched.size());
    EXPECT_EQ(at->global_load_bytes, c.bytes);
  }
}

TEST(CountersTest, OnlyActiveLanesCountForSectors) {
  KernelHarness harness;
  harness.Load(Kernel(
      "setp.lt.u32 %p1, %t, 9; @%p1 st.global.u32 [%at0], 1; setp.gt.u32 %p1, %t, 100; @%p1 st.global.u32 [%at0], 1;"));
  Ran ran = harness.Launch({1}, {32}, {harness.Allocate(128)});
  EXPECT_EQ(ran.counters().global_store_requests, 1u);  // one with no lane at all is none
  EXPECT_EQ(ran.counters().global_store_sectors, 2u);
  EXPECT_EQ(ran.counters().global_store_bytes, 36u);
}

TEST(CountersTest, AConstantLoadCountsAsAGlobalLoadUnlessItsLanesReadOneWord) {
  struct Case {
    const char* name;
    const char* type;
    const char* registers;
    std::function<uint32_t(uint32_t)> offset;
    uint64_t requests, sectors, bytes;
  };
  auto step = [](uint32_t bytes, uint32_t start = 0) { return [=](uint32_t l) { return start + bytes * l; }; };
  const Case cases[] = {
      {"one word", "u32", "%r2", step(0, 64), 0, 0, 0},
      {"the bytes of one word", "u8", "%r2", [](uint32_t l) { return 64 + l % 4; }, 0, 0, 0},
      {"the same 16 bytes", "v4.u32", "{%r2, %r3, %r4, %r5}", step(0, 64), 0, 0, 0},
      {"two words", "u32", "%r2", [](uint32_t l) { return 64 + 4 * (l % 2); }, 1, 1, 128},
      {"one lane reads another word", "u32", "%r2", [](uint32_t l) { return l == 31 ? 4096u : 0u; }, 1, 2, 128},
      {"the bytes of two words", "u8", "%r2", [](uint32_t l) { return 66 + l % 4; }, 1, 1, 32},
      {"32 words in a row", "u32", "%r2", step(4), 1, 4, 128},
      {"a column", "u32", "%r2", step(128), 1, 32, 128},
      {"16 bytes for each lane", "v4.u32", "{%r2, %r3, %r4, %r5}", step(16), 1, 16, 512},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    KernelHarness harness;
    harness.Load(
        Kernel("ld.global.u32 %r1, [%at0]; cvt.u64.u32 %rd4, %r1; mov.u64 %rd5, table;"
               "add.u64 %rd4, %rd4, %rd5;\n.loc 1 2 0\nld.const." +
                   std::string(c.type) + " " + c.registers + ", [%rd4];",
               ".file 1 \"lab.cu\"\n.const .align 16 .b8 table[8192];\n"));
    std::vector<uint32_t> offsets;
    for (uint32_t l = 0; l < 32; ++l) offsets.push_back(c.offset(l));
    Ran ran = harness.Launch({1}, {32}, {harness.Upload(offsets)});
    EXPECT_EQ(Describe(ran.findings), "");
    const Counters* at = LineOf(ran, 2);
    ASSERT_NE(at, nullptr);
    EXPECT_EQ(at->global_load_requests, c.requests);
    EXPECT_EQ(at->global_load_sectors, c.sectors);
    EXPECT_EQ(at->global_load_bytes, c.bytes);
    EXPECT_EQ(ran.record.counters.global_load_requests, 1 + c.requests);
  }
}

TEST(CountersTest, AConstantLoadOfASingleLaneAndAnIndexedParameterAreFree) {
  KernelHarness harness;
  harness.Load(
      Kernel("mov.u64 %rd4, table; mul.wide.u32 %rd5, %t, 4; add.u64 %rd4, %rd4, %rd5; setp.eq.u32 %p1, %t, 7;"
             "@%p1 ld.const.u32 %r1, [%rd4]; and.b64 %rd5, %rd5, 12; mov.u64 %rd6, p0; add.u64 %rd6, %rd6, %rd5;"
             "ld.param.u32 %r2, [%rd6];",
             ".const .align 4 .b8 table[128];\n"));
  Ran ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(Describe(ran.findings), "");
  EXPECT_EQ(ran.counters().global_load_requests, 0u);
  EXPECT_EQ(ran.counters().global_load_bytes, 0u);
}

TEST(CountersTest, GenericAccessesCountWhereTheyWent) {
  KernelHarness harness;
  harness.Load(
      Kernel("mov.u64 %rd4, tile; cvta.shared.u64 %rd4, %rd4; ld.u32 %r1, [%at0]; st.u32 [%rd4], %r1; atom.add.u32 "
             "%r1, [%rd0], 1;",
             ".shared .align 4 .b8 tile[4];\n"));
  Ran ran = harness.Launch({1}, {32}, {harness.Allocate(128)});
  EXPECT_EQ(ran.counters().global_load_requests, 1u);
  EXPECT_EQ(ran.counters().global_load_sectors, 4u);
  EXPECT_EQ(ran.counters().shared_store_requests, 1u);
  EXPECT_EQ(ran.counters().global_store_requests, 0u);
  EXPECT_EQ(ran.counters().global_atomic_requests, 1u);
  EXPECT_EQ(ran.counters().global_atomic_lanes, 32u);
}

// Turns of a shared access with `lanes_per_turn` lanes at a time: the most distinct words in one bank, summed.
uint64_t Wavefronts(uint32_t stride_bytes, uint32_t size) {
  uint32_t lanes = 32 / (size / 4);
  uint64_t turns = 0;
  for (uint32_t first = 0; first < 32; first += lanes) {
    std::set<uint32_t> banks[32];
    size_t worst = 0;
    for (uint32_t l = first; l < first + lanes; ++l) {
      for (uint32_t w = 0; w < size / 4; ++w) {
        uint32_t word = l * stride_bytes / 4 + w;
        banks[word % 32].insert(word);
        worst = std::max(worst, banks[word % 32].size());
      }
    }
    turns += worst;
  }
  return turns;
}

TEST(CountersTest, BankConflictsByStride) {
  for (uint32_t size : {4u, 8u, 16u}) {
    const char* type = size == 4 ? "u32" : size == 8 ? "v2.u32" : "v4.u32";
    const char* registers = size == 4 ? "%r2" : size == 8 ? "{%r2, %r3}" : "{%r2, %r3, %r4, %r5}";
    for (uint32_t stride = 1; stride <= 33; ++stride) {
      SCOPED_TRACE(testing::Message() << size << " bytes, stride of " << stride << " elements");
      KernelHarness harness;
      harness.Load(Kernel("mov.u32 %r1, tile; mad.lo.u32 %r1, %t, " + std::to_string(stride * size) +
                              ", %r1; ld.shared." + type + " " + registers + ", [%r1]; st.shared." + type + " [%r1], " +
                              registers + ";",
                          ".shared .align 16 .b8 tile[20000];\n"));
      Ran ran = harness.Launch({1}, {32}, {});
      EXPECT_EQ(ran.counters().shared_load_requests, 1u);
      EXPECT_EQ(ran.counters().shared_load_wavefronts, Wavefronts(stride * size, size));
      EXPECT_EQ(ran.counters().shared_load_ideal_wavefronts, size / 4);
      EXPECT_EQ(ran.counters().shared_store_wavefronts, Wavefronts(stride * size, size));
      if (size == 4) {  // gcd(stride, 32), as the lecture says
        uint64_t gcd = 1;
        while (stride % (2 * gcd) == 0 && gcd < 32) gcd *= 2;
        EXPECT_EQ(ran.counters().shared_load_wavefronts, gcd);
      }
    }
  }
}

TEST(CountersTest, ABroadcastOfOneWordIsNoConflict) {
  KernelHarness harness;
  harness.Load(Kernel(
      "mov.u32 %r1, tile; and.b32 %r2, %t, 1; shl.b32 %r2, %r2, 7; add.u32 %r1, %r1, %r2; ld.shared.u32 %r3, [%r1];"
      "ld.shared.u32 %r3, [tile]; mov.u32 %r1, tile; add.u32 %r1, %r1, %t; ld.shared.u8 %r3, [%r1];",
      ".shared .align 16 .b8 tile[256];\n"));
  Ran ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(ran.counters().shared_load_requests, 3u);
  EXPECT_EQ(ran.counters().shared_load_wavefronts,
            2u + 1 + 1);  // two words of one bank; one word; bytes of eight words
}

TEST(CountersTest, FlopsAreCountedPerLane) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    mov.f32 %f1, 0f3F800000; mov.f64 %fd1, 0d3FF0000000000000; mov.b16 %h1, 0x3C00; mov.b32 %r1, 0x3C003C00;
    add.f32 %f2, %f1, %f1; sub.rn.f32 %f2, %f1, %f1; mul.f32 %f2, %f1, %f1; fma.rn.f32 %f2, %f1, %f1, %f1; mad.rn.f32 %f2, %f1, %f1, %f1;
    add.f64 %fd2, %fd1, %fd1; mul.f64 %fd2, %fd1, %fd1; fma.rn.f64 %fd2, %fd1, %fd1, %fd1;
    add.f16 %h2, %h1, %h1; add.f16x2 %r2, %r1, %r1; mul.f16x2 %r2, %r1, %r1; fma.rn.f16x2 %r2, %r1, %r1, %r1;
    mov.b64 %rd9, 0x3F8000003F800000; add.f32x2 %rd9, %rd9, %rd9;
    setp.lt.u32 %p1, %t, 3; @%p1 add.f32 %f2, %f1, %f1; add.u32 %r3, %r3, 1; min.f32 %f3, %f1, %f2;
  )"));
  Counters c = harness.Launch({2}, {40}, {}).counters();
  EXPECT_EQ(c.fadd, 2 * (2 * 40 + 3u) + 160);
  EXPECT_EQ(c.fmul, 80u);
  EXPECT_EQ(c.ffma, 160u);
  EXPECT_EQ(c.dadd, 80u);
  EXPECT_EQ(c.dmul, 80u);
  EXPECT_EQ(c.dfma, 80u);
  EXPECT_EQ(c.hadd, 80u + 160);
  EXPECT_EQ(c.hmul, 160u);
  EXPECT_EQ(c.hfma, 160u);
}

TEST(CountersTest, InstructionsPerWarpAndPerThread) {
  KernelHarness harness;
  harness.Load(
      ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<3>; mov.u32 %r1, 1; add.u32 %r1, %r1, "
      "1; ret; }");
  Counters c = harness.Launch({3}, {40}, {}).counters();
  EXPECT_EQ(c.warp_instructions, 3u * 2 * 3);
  EXPECT_EQ(c.thread_instructions, 3u * 40 * 3);
  EXPECT_EQ(c.active_lane_sum, 3u * 40 * 3);
}

// The last line is reached only in large grids, so an earlier launch may not have it yet.
TEST(CountersTest, TheLinesOfManyLaunchesTakeBoundedMemoryAndAddUp) {
  const std::string ptx = Kernel(R"(
    .loc 1 1 0
    add.u32 %r1, %t, 1;
    .loc 1 2 0
    setp.lt.u32 %p1, %g, 64; @%p1 bra OVER;
    .loc 1 3 0
    add.u32 %r2, %r1, 1; OVER:)",
                                 ".file 1 \"lab.cu\"\n");
  std::map<int, uint64_t> sums[2];
  for (const size_t most : {size_t{1} << 16, size_t{5}}) {
    DeviceOptions options = KernelHarness::OneHostThread();
    options.max_line_counters = most;
    KernelHarness harness(options);
    harness.Load(ptx);
    LaunchRequest request;
    request.kernel = harness.kernel();
    request.block = {32};
    request.parameters.resize(32);
    for (uint32_t blocks = 1; blocks <= 10; ++blocks) {
      request.grid = {blocks};
      ASSERT_EQ(harness.device().Launch(request), LaunchStatus::kOk);
    }
    size_t kept = 0;
    for (const LaunchRecord& launch : harness.device().Launches()) {
      kept += launch.lines.size();
      EXPECT_TRUE(std::is_sorted(launch.lines.begin(), launch.lines.end(),
                                 [](const LineCounters& a, const LineCounters& b) { return a.line < b.line; }));
      for (const LineCounters& l : launch.lines) sums[most == 5][l.line] += l.counters.warp_instructions;
    }
    EXPECT_EQ(harness.device().Launches().size(), 10u);
    EXPECT_TRUE(most != 5 || kept <= 5u + 3) << kept << " lines; those of two launches, and those that were added";
  }
  EXPECT_EQ(sums[0].size(), 3u);
  EXPECT_EQ(sums[0], sums[1]);
}

// Those that do not depend on which block comes first, and the lines of those that do: of several blocks that race,
// the pair that is named may be another one each time.
std::vector<Finding> SettledFindings(const Ran& ran, std::set<int>* racing_lines) {
  std::vector<Finding> settled;
  for (const Finding& finding : ran.findings) {
    if (finding.kind == FindingKind::kGlobalRace) {
      racing_lines->insert(finding.line);
    } else {
      settled.push_back(finding);
    }
  }
  return settled;
}

TEST(CountersTest, TheSameForAnyNumberOfHostThreads) {
  std::string ptx = Kernel(R"(
    .loc 1 1 0
    mov.u32 %r1, tile; and.b32 %r2, %g, 63; mad.lo.u32 %r1, %r2, 8, %r1; st.shared.u32 [%r1], %g;
    .loc 1 2 0
    bar.sync 0; and.b32 %r3, %g, 6; setp.eq.u32 %p1, %r3, 2; @%p1 bra OVER; ld.global.u32 %r4, [%at0]; OVER:
    .loc 1 3 0
    mov.u32 %r5, 0; LOOP: add.u32 %r5, %r5, 1; and.b32 %r6, %g, 31; setp.lt.u32 %p2, %r5, %r6; @%p2 bra LOOP;
    atom.global.add.u32 %r7, [%rd0], 0; .loc 1 4 0
    st.global.u32 [%at0+1024], %g;
  )",
                           ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[1024];\n");
  std::vector<Ran> runs;
  for (int threads : {1, 2, 5}) {
    DeviceOptions options = KernelHarness::OneHostThread();
    options.host_threads = threads;
    KernelHarness harness(options);
    harness.Load(ptx);
    runs.push_back(
        harness.Launch({64}, {96}, {harness.Allocate(64 * 96 * 4 + 1024 - 4)}));  // the last store misses by one
  }
  std::set<int> racing_lines;
  const std::vector<Finding> alone = SettledFindings(runs[0], &racing_lines);
  ASSERT_EQ(alone.size(), 2u) << Describe(runs[0].findings);
  EXPECT_EQ(racing_lines, (std::set<int>{3, 4}));
  for (size_t k = 1; k < runs.size(); ++k) {
    EXPECT_EQ(std::memcmp(&runs[0].record.counters, &runs[k].record.counters, sizeof(Counters)), 0);
    EXPECT_EQ(runs[0].record.instruction_squares, runs[k].record.instruction_squares);
    ASSERT_EQ(runs[0].record.lines.size(), runs[k].record.lines.size());
    for (size_t l = 0; l < runs[0].record.lines.size(); ++l) {
      EXPECT_EQ(std::memcmp(&runs[0].record.lines[l].counters, &runs[k].record.lines[l].counters, sizeof(Counters)), 0);
    }
    std::set<int> racing_here;
    const std::vector<Finding> shared = SettledFindings(runs[k], &racing_here);
    EXPECT_EQ(racing_here, racing_lines);
    EXPECT_EQ(Describe(shared), Describe(alone));
    ASSERT_EQ(shared.size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(shared[i].block.x, alone[i].block.x);
      EXPECT_EQ(shared[i].count, alone[i].count);
    }
  }
}

// A launch of `warps` warps in blocks of one each, which issue `instructions` each.
LaunchRecord EvenLaunch(uint32_t warps, uint64_t instructions) {
  LaunchRecord launch;
  launch.grid = {warps};
  launch.block = {32};
  launch.counters.warp_instructions = warps * instructions;
  launch.instruction_squares = warps * instructions * instructions;
  return launch;
}

TEST(CountersTest, WarpsThatDoNothingAreNotAtWork) {
  EXPECT_EQ(ComputeMetrics({EvenLaunch(8, 100)}, 0)["warps_at_work"], 1);
  EXPECT_EQ(ComputeMetrics({EvenLaunch(8, 100), EvenLaunch(24, 0)}, 0)["warps_at_work"], 0.25);
  EXPECT_NEAR(ComputeMetrics({EvenLaunch(8, 100), EvenLaunch(24, 1)}, 0)["warps_at_work"], 0.265, 0.001);
  EXPECT_EQ(ComputeMetrics({EvenLaunch(0, 0)}, 0).count("warps_at_work"), 0u);
}

TEST(CountersTest, WhatAtomicsWriteCountsAsStoredAndMoved) {
  KernelHarness harness;
  harness.Load(Kernel("atom.global.add.u32 %r1, [%at0], 1; red.global.add.u32 [%at0], 1;"));
  std::map<std::string, double> m = ComputeMetrics({harness.Launch({1}, {32}, {harness.Allocate(128)}).record}, 32);
  EXPECT_EQ(m["global_store_bytes"], 2 * 128);
  EXPECT_EQ(m["global_bytes_per_element"], 2 * 4);
  EXPECT_EQ(m.count("global_store_sectors_per_request"), 0u);
}

TEST(CountersTest, AtomicsOnSharedMemoryAreRequestsOfTheirOwnAndNoConflicts) {
  KernelHarness harness;
  harness.Load(Kernel("atom.shared.add.u32 %r1, [tile], 1; red.shared.add.u32 [tile], 1; red.shared.add.u32 [tile], 1;",
                      ".shared .align 4 .b8 tile[4];\n"));
  std::map<std::string, double> m = ComputeMetrics({harness.Launch({1}, {64}, {harness.Allocate(128)}).record}, 0);
  EXPECT_EQ(m["shared_atomics"], 2 * 3);
  EXPECT_EQ(m["atomics"], 0);
  EXPECT_EQ(m["shared_bank_conflicts"], 0);
}

TEST(CountersTest, CountsWhatEachWarpIssues) {
  KernelHarness harness;
  harness.Load(Kernel("setp.ge.u32 %p1, %g, 64; @%p1 exit; st.global.u32 [%at0], %g; st.global.u32 [%at0], %g;"));
  Ran ran = harness.Launch({4}, {64}, {harness.Allocate(8192)});
  const uint64_t all = ran.record.counters.warp_instructions;
  // Two warps go on, six have ended: with i instructions each and 3 more (two stores, one return).
  ASSERT_EQ((all - 2 * 3) % 8, 0u);
  const uint64_t i = (all - 2 * 3) / 8;
  EXPECT_EQ(ran.record.instruction_squares, 2 * (i + 3) * (i + 3) + 6 * i * i);
}

TEST(CountersTest, BarriersAreOfTheBlocksThatTheWarpsAreIn) {
  LaunchRecord working = EvenLaunch(0, 100), idle = working;
  working.grid = {4};
  working.block = {256};
  working.counters.barriers = 4 * 9;
  idle.grid = {32};
  idle.block = {32};
  EXPECT_EQ(ComputeMetrics({working}, 0)["barriers_per_block"], 9);
  EXPECT_EQ(ComputeMetrics({working, idle}, 0)["barriers_per_block"], 4.5);
}

TEST(CountersTest, OperationsPerElementCountAFusedMultiplyAddTwice) {
  KernelHarness harness;
  harness.Load(
      Kernel("cvt.rn.f32.u32 %f1, %t; fma.rn.f32 %f1, %f1, %f1, %f1; add.f32 %f1, %f1, %f1; "
             "st.global.f32 [%at0], %f1;"));
  const LaunchRecord record = harness.Launch({1}, {64}, {harness.Allocate(256)}).record;
  EXPECT_EQ(ComputeMetrics({record}, 32)["flops"], 64 * 3);
  EXPECT_EQ(ComputeMetrics({record}, 32)["flops_per_element"], 6);
  EXPECT_EQ(ComputeMetrics({record}, 0).count("flops_per_element"), 0u);
}

TEST(CountersTest, MetricsAreRatiosOfTheCounters) {
  KernelHarness harness;
  harness.Load(
      Kernel("mul.wide.u32 %rd4, %g, 32; add.u64 %rd4, %rd4, %rd0; ld.global.u32 %r1, [%rd4]; st.global.u32 [%at0], "
             "%r1; bar.sync 0;"));
  Ran ran = harness.Launch({4}, {64}, {harness.Allocate(8192)});
  std::map<std::string, double> m = ComputeMetrics({ran.record}, 512);
  EXPECT_EQ(m["blocks"], 4);
  EXPECT_EQ(m["threads"], 256);
  EXPECT_EQ(m["elements_per_thread"], 2);
  EXPECT_EQ(m["global_load_sectors_per_request"], 32);
  EXPECT_EQ(m["global_store_sectors_per_request"], 4);
  EXPECT_EQ(m["global_load_efficiency"], 0.125);
  EXPECT_EQ(m["global_store_efficiency"], 1);
  EXPECT_EQ(m["barriers_per_block"], 1);
  EXPECT_EQ(m["average_active_lanes"], 32);
  EXPECT_EQ(m["shared_bank_conflicts"], 0);
  EXPECT_EQ(m.count("global_bytes_per_element"), 1u);
  EXPECT_EQ(ComputeMetrics({ran.record}, 0).count("global_bytes_per_element"), 0u);
}

// One kernel that does at least one of everything, so that a counter which nobody folds is seen.
TEST(CountersTest, EveryCounterCountsSomething) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.wave64 = true;
  KernelHarness harness(options);
  harness.Load(Kernel(R"(
    ld.global.u32 %r1, [%at0]; st.global.u32 [%at0], %r1; atom.global.add.u32 %r1, [%at0], 1;
    mov.u32 %r2, tile; mad.lo.u32 %r2, %t, 4, %r2; st.shared.u32 [%r2], %r1; ld.shared.u32 %r1, [%r2];
    atom.shared.add.u32 %r1, [%r2], 1; .local .align 4 .b8 own[4]; mov.u64 %rd4, own; st.local.u32 [%rd4], %r1; bar.sync 0;
    setp.lt.u32 %p1, %t, 3; @%p1 bra LOW; add.u32 %r3, %r3, 1; LOW:
    shfl.sync.idx.b32 %r3, %r1, 0, 31, 0xffffffff; vote.sync.any.pred %p2, %p1, 0xffffffff;
    add.f32 %f2, %f1, %f1; mul.f32 %f2, %f1, %f1; fma.rn.f32 %f2, %f1, %f1, %f1;
    add.f64 %fd2, %fd1, %fd1; mul.f64 %fd2, %fd1, %fd1; fma.rn.f64 %fd2, %fd1, %fd1, %fd1;
    add.f16 %h2, %h1, %h1; mul.f16 %h2, %h1, %h1; fma.rn.f16 %h2, %h1, %h1, %h1;)",
                      ".shared .align 4 .b8 tile[128];\n"));
  const Ran ran = harness.Launch({1}, {32}, {harness.Allocate(128)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  for (const CounterInfo& counter : AllCounters()) {
    EXPECT_GT(ran.counters().*counter.field, 0u)
        << counter.name << " of counters.def is 0: fold it in grader/emulator/counters/launch_record.cc, and let the "
        << "kernel of this test do what it counts";
  }
}

// Rows of metrics.def up to host_to_device_bytes are computed here; the judge adds those from there on.
TEST(CountersTest, EveryMetricOfTheEmulatorIsComputed) {
  LaunchRecord launch;
  launch.grid = launch.block = {32};
  launch.instruction_squares = 1;
  for (const CounterInfo& counter : AllCounters()) launch.counters.*counter.field = 1;
  const std::map<std::string, double> computed = ComputeMetrics({launch}, 1);
  std::set<std::string> rows;
  for (const MetricInfo& metric : AllMetrics()) {
    if (metric.name == std::string("host_to_device_bytes")) break;
    rows.insert(metric.name);
    EXPECT_EQ(computed.count(metric.name), 1u)
        << metric.name << " of metrics.def is never computed: add it to ComputeMetrics in counters/counters.cc";
  }
  for (const auto& [name, value] : computed) {
    EXPECT_EQ(rows.count(name), 1u) << name << " is computed and has no row: add one to counters/metrics.def";
  }
}

}  // namespace
}  // namespace warpgrade::emulator
