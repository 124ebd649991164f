// Orders of execution: for every seed and number of host threads, programs without races give the same results,
// findings and counters, and those that wait for each other end, and end soon.
#include "grader/emulator/state/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using Words = std::vector<uint32_t>;

std::string KernelsPtx() {
  std::ifstream file(SCHEDULE_KERNELS);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

DeviceOptions Options(int host_threads, uint64_t seed) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.host_threads = host_threads;
  options.seed = seed;
  return options;
}

Words Numbers(size_t n) {
  Words v(n);
  for (size_t k = 0; k < n; ++k) v[k] = static_cast<uint32_t>(k * 2654435761u >> 12);
  return v;
}

struct Outcome {
  Ran ran;
  Words out;
  std::string printed;
};

struct Program {
  const char* kernel;
  std::function<Outcome(KernelHarness&)> run;
};

constexpr uint32_t kElements = 20'000;

const Program kPrograms[] = {
    {"reduce",
     [](KernelHarness& h) {
       DevicePtr in = h.Upload(Numbers(kElements)), out = h.Allocate(4);
       Ran ran = h.Launch({50}, {256}, {in, kElements, out});
       return Outcome{ran, h.Download<uint32_t>(out, 1), ""};
     }},
    {"scan_chained",
     [](KernelHarness& h) {
       DevicePtr in = h.Upload(Numbers(kElements)), out = h.Allocate(4 * kElements), state = h.Allocate(8 * 200);
       Ran ran = h.Launch({(kElements + 127) / 128}, {128}, {in, kElements, out, state});
       return Outcome{ran, h.Download<uint32_t>(out, kElements), ""};
     }},
    {"chain_backwards",
     [](KernelHarness& h) {
       DevicePtr state = h.Allocate(4 * 500), out = h.Allocate(4 * 500);
       Ran ran = h.Launch({500}, {64}, {state, out});
       return Outcome{ran, h.Download<uint32_t>(state, 500), ""};
     }},
    {"histogram",
     [](KernelHarness& h) {
       DevicePtr in = h.Upload(Numbers(kElements)), out = h.Allocate(256);
       Ran ran = h.Launch({30}, {128}, {in, kElements, out});
       return Outcome{ran, h.Download<uint32_t>(out, 64), ""};
     }},
    {"grid_phases",
     [](KernelHarness& h) {
       DevicePtr a = h.Upload(Numbers(kElements)), b = h.Allocate(4 * kElements);
       Ran ran = h.Launch({(kElements + 127) / 128}, {128}, {a, b, kElements}, 0, true);
       return Outcome{ran, h.Download<uint32_t>(a, kElements), ""};
     }},
    {"own_barrier",
     [](KernelHarness& h) {
       DevicePtr arrived = h.Allocate(4), out = h.Allocate(4 * 700 * 64);
       Ran ran = h.Launch({700}, {64}, {arrived, out});
       return Outcome{ran, h.Download<uint32_t>(out, 700 * 64), ""};
     }},
    {"divergent",
     [](KernelHarness& h) {
       DevicePtr in = h.Upload(Numbers(kElements)), out = h.Allocate(4 * kElements);
       Ran ran = h.Launch({(kElements + 255) / 256}, {256}, {in, kElements, out});
       return Outcome{ran, h.Download<uint32_t>(out, kElements), ""};
     }},
    {"prints",
     [](KernelHarness& h) {
       Ran ran = h.Launch({40}, {64}, {});
       return Outcome{ran, {}, h.printed()};
     }},
    {"out_of_bounds",
     [](KernelHarness& h) {
       DevicePtr out = h.Allocate(4 * 1000);
       Ran ran = h.Launch({8}, {128}, {out, 1000});
       return Outcome{ran, h.Download<uint32_t>(out, 1000), ""};
     }},
};

class ScheduleTest : public ::testing::TestWithParam<Program> {
 protected:
  Outcome Run(int host_threads, uint64_t seed) {
    KernelHarness harness(Options(host_threads, seed));
    harness.Load(KernelsPtx(), GetParam().kernel);
    return GetParam().run(harness);
  }
};

std::vector<std::string> SortedLines(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_P(ScheduleTest, ResultsFindingsAndCountersAreTheSameForAnySeedAndAnyHostThreads) {
  const Outcome first = Run(1, 0);
  const bool faulty = std::string(GetParam().kernel) == "out_of_bounds";
  EXPECT_EQ(first.ran.status, faulty ? LaunchStatus::kIllegalAddress : LaunchStatus::kOk)
      << Describe(first.ran.findings);
  EXPECT_EQ(first.ran.findings.size(), faulty ? 1u : 0u) << Describe(first.ran.findings);
  for (int threads : {1, 2}) {
    for (uint64_t seed : {0, 1, 2, 7}) {
      SCOPED_TRACE(testing::Message() << threads << " host threads, seed " << seed);
      const Outcome other = Run(threads, seed);
      EXPECT_EQ(other.ran.status, first.ran.status);
      EXPECT_EQ(other.out, first.out);
      EXPECT_EQ(SortedLines(other.printed), SortedLines(first.printed));
      EXPECT_EQ(Describe(other.ran.findings), Describe(first.ran.findings));
      for (size_t k = 0; k < std::min(other.ran.findings.size(), first.ran.findings.size()); ++k) {
        EXPECT_EQ(other.ran.findings[k].block.x, first.ran.findings[k].block.x);
        EXPECT_EQ(other.ran.findings[k].thread.x, first.ran.findings[k].thread.x);
        EXPECT_EQ(other.ran.findings[k].count, first.ran.findings[k].count);
      }
      EXPECT_EQ(std::memcmp(&other.ran.record.counters, &first.ran.record.counters, sizeof(Counters)), 0)
          << "warp instructions " << other.ran.record.counters.warp_instructions << " and "
          << first.ran.record.counters.warp_instructions << ", thread instructions "
          << other.ran.record.counters.thread_instructions << " and " << first.ran.record.counters.thread_instructions;
      ASSERT_EQ(other.ran.record.lines.size(), first.ran.record.lines.size());
      for (size_t l = 0; l < first.ran.record.lines.size(); ++l) {
        EXPECT_EQ(
            std::memcmp(&other.ran.record.lines[l].counters, &first.ran.record.lines[l].counters, sizeof(Counters)), 0)
            << "line " << first.ran.record.lines[l].line;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ScheduleTest, ::testing::ValuesIn(kPrograms),
                         [](const auto& info) { return std::string(info.param.kernel); });

TEST(SeedTest, ShufflesTheOrderOfBlocksTheSameWayEachTime) {
  auto printed = [](uint64_t seed) {
    KernelHarness harness(Options(1, seed));
    harness.Load(KernelsPtx(), "prints");
    harness.Launch({40}, {64}, {});
    return harness.printed();
  };
  EXPECT_TRUE(printed(0).starts_with("block 0\nblock 1\nblock 2\n"));
  EXPECT_EQ(printed(1), printed(1));
  EXPECT_NE(printed(1), printed(0));
  EXPECT_NE(printed(1), printed(2));
}

TEST(SeedTest, NeitherTheFirstBlockStartsFirstNorTheLastOneLastAndLaterOnesWaitForEarlierOnes) {
  for (const uint64_t window : {2, 3, 16, 264}) {
    for (const uint64_t blocks : {uint64_t{2}, uint64_t{5}, window, window + 1, window + 2, 4 * window + 1}) {
      SCOPED_TRACE(std::to_string(blocks) + " blocks, " + std::to_string(window) + " in flight");
      for (uint64_t seed = 1; seed <= 64; ++seed) {
        BlockSequence sequence(seed, blocks, window);
        std::vector<uint64_t> order;
        for (uint64_t k = 0; k < blocks; ++k) order.push_back(sequence.At(k));
        EXPECT_NE(order.back(), blocks - 1);
        // Two in flight: runs of two, so that one of the ends of an odd number of blocks stays where it is.
        EXPECT_TRUE(window == 2 || order.front() != 0);
        for (uint64_t k = 0; k < blocks; ++k) EXPECT_LT(order[k], k + window) << "as many can be in flight";
        std::sort(order.begin(), order.end());
        for (uint64_t k = 0; k < blocks; ++k) ASSERT_EQ(order[k], k) << "each block is there once";
      }
    }
  }
}

TEST(SeedTest, AGridOfOneBlockOrOneInFlightKeepsTheOrderOfTheNumbers) {
  for (const auto& [blocks, window] : {std::pair<uint64_t, uint64_t>{1, 16}, {1, 1}, {5, 1}}) {
    BlockSequence sequence(7, blocks, window);
    for (uint64_t k = 0; k < blocks; ++k) EXPECT_EQ(sequence.At(k), k);
  }
}

// Warps 0 and 1 write one word without a barrier: with checks off, who is last depends on the seed alone.
TEST(SeedTest, ShufflesTheOrderOfWarps) {
  auto last = [](uint64_t seed) {
    DeviceOptions options = Options(1, seed);
    options.checks = false;
    KernelHarness harness(options);
    harness.Load(Kernel("shr.u32 %r1, %t, 5; st.global.u32 [%rd0], %r1;"));
    DevicePtr out = harness.Allocate(4);
    harness.Launch({1}, {256}, {out});
    return harness.Download<uint32_t>(out, 1)[0];
  };
  Words seen;
  for (uint64_t seed = 1; seed < 20; ++seed) seen.push_back(last(seed));
  EXPECT_EQ(last(0), 7u);
  EXPECT_EQ(last(5), last(5));
  std::sort(seen.begin(), seen.end());
  EXPECT_GT(std::unique(seen.begin(), seen.end()) - seen.begin(), 3);
}

// An update that takes two atomics: a block that runs between them adds nothing.
TEST(SeedTest, BlocksRunBetweenTwoAtomicsOfABlockThatWaitsForNobody) {
  auto counted = [](uint64_t seed) {
    KernelHarness harness(Options(1, seed));
    harness.Load(
        Kernel("atom.global.add.u32 %r1, [%rd0], 0; add.u32 %r1, %r1, 1; atom.global.exch.b32 %r2, [%rd0], %r1;"));
    DevicePtr counter = harness.Upload(Words{0});
    EXPECT_EQ(harness.Launch({64}, {1}, {counter}).status, LaunchStatus::kOk);
    return harness.Download<uint32_t>(counter, 1)[0];
  };
  EXPECT_EQ(counted(0), 64u) << "in the order of the numbers, one block after another";
  for (uint64_t seed = 1; seed <= 8; ++seed) EXPECT_LT(counted(seed), 64u) << "seed " << seed;
  EXPECT_EQ(counted(3), counted(3));
}

// More waiting blocks than take turns, for a block that has not started: it must start nevertheless.
TEST(SeedTest, BlocksThatTakeTurnsDoNotKeepOneFromStartingForWhichTheyWait) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    KernelHarness harness(Options(1, seed));
    // Each counts itself, and then adds 0 in a loop that is no wait loop until all 64 are there.
    harness.Load(
        Kernel("atom.global.add.u32 %r1, [%rd0], 1;"
               "mov.u32 %r3, 0;"
               "again: atom.global.add.u32 %r2, [%rd0], 0; add.u32 %r3, %r3, 1;"
               "setp.lt.u32 %p1, %r2, 64; @%p1 bra again;"
               "atom.global.add.u32 %r1, [%rd0+4], %r3;"));
    DevicePtr counters = harness.Upload(Words{0, 0});
    const Ran ran = harness.Launch({64}, {1}, {counters});
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    EXPECT_EQ(harness.Download<uint32_t>(counters, 1)[0], 64u);
  }
}

class LockTest : public ::testing::TestWithParam<std::pair<const char*, uint32_t>> {};  // kernel, takers per warp

TEST_P(LockTest, EveryoneGetsItForEverySeedWithFewInstructions) {
  for (int threads : {1, 2}) {
    for (uint64_t seed : {0, 1, 2, 7}) {
      SCOPED_TRACE(testing::Message() << threads << " host threads, seed " << seed);
      KernelHarness harness(Options(threads, seed));
      harness.Load(KernelsPtx(), GetParam().first);
      DevicePtr lock = harness.Allocate(8), counter = harness.Allocate(4);
      const uint32_t blocks = GetParam().second == 1 ? 8 : 2;
      Ran ran = harness.Launch({blocks}, {1024}, {lock, counter});
      EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
      const uint32_t takers = blocks * 32 * GetParam().second;
      EXPECT_EQ(harness.Download<uint32_t>(counter, 1)[0], takers);
      // Speed is no test's business, but spinning for long would show here: some hundred per taker.
      EXPECT_LT(ran.counters().warp_instructions, 4000u * takers);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Locks, LockTest,
                         ::testing::Values(std::pair("lock_per_warp", 1u), std::pair("lock_per_thread", 32u),
                                           std::pair("lock_with_backoff", 32u), std::pair("lock_by_ticket", 1u)),
                         [](const auto& info) { return std::string(info.param.first); });

TEST(WaitTest, WaitingForWhatNobodyWritesIsADeadlockWithItsPlace) {
  for (int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    KernelHarness harness(Options(threads, 0));
    harness.Load(KernelsPtx(), "waits_for_ever");
    Words flags(100, 1);
    flags[70] = flags[71] = flags[90] = 0;
    DevicePtr in = harness.Upload(flags), out = harness.Allocate(400);
    Ran ran = harness.Launch({100}, {64}, {in, out});
    EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
    ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kDeadlock);
    EXPECT_GT(ran.findings[0].line, 0);
    EXPECT_EQ(ran.findings[0].block.x, 70u);
    EXPECT_EQ(ran.findings[0].thread.x, 40u);
    EXPECT_EQ(harness.Download<uint32_t>(out, 100)[99], 1u);  // all others ran to their end
  }
}

// The first blocks fill the GPU and wait for the last one, which never starts.
TEST(WaitTest, WaitingForABlockThatDoesNotFitOnTheGpuIsADeadlock) {
  for (int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    KernelHarness harness(Options(threads, 0));
    harness.Load(KernelsPtx(), "own_barrier");
    const uint32_t blocks = 3000;
    DevicePtr arrived = harness.Allocate(4), out = harness.Allocate(uint64_t{4} * blocks * 1024);
    const Ran ran = harness.Launch({blocks}, {1024}, {arrived, out});
    EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
    ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kDeadlock);
  }
}

// The loop is counted as if the flag had been there at once.
TEST(WaitTest, TurnsOfAWaitAreNotCounted) {
  const std::string body = R"(
    setp.eq.u32 %p1, %t, 0; @%p1 bra WRITE;
    WAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT;
    st.global.u32 [%at1], %r1; bra DONE;
    WRITE: mov.u32 %r2, 0; LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 3000; @%p3 bra LOOP;
    st.volatile.global.u32 [%rd0], 5; DONE:)";
  auto run = [&](uint32_t before) {
    KernelHarness harness;
    harness.Load(Kernel(body));
    DevicePtr flag = harness.Upload(Words{before}), out = harness.Allocate(128);
    Ran ran = harness.Launch({1}, {32}, {flag, out});
    EXPECT_EQ(harness.Download<uint32_t>(out, 32)[31], before == 0 ? 5u : before);
    return ran;
  };
  Ran waited = run(0), found = run(9);
  EXPECT_EQ(std::memcmp(&waited.record.counters, &found.record.counters, sizeof(Counters)), 0);
  EXPECT_EQ(waited.counters().global_load_requests, 1u);
}

// Lanes of one warp that wait for another lane of it, which has already left the loop and waits for them.
TEST(WaitTest, ALaneThatLeftTheLoopIsLetGoWhenTheOthersWaitForIt) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    WAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.lt.u32 %p1, %r1, %t; @%p1 bra WAIT;
    add.u32 %r2, %t, 1; st.volatile.global.u32 [%rd0], %r2;)"));
  DevicePtr turn = harness.Allocate(4);
  Ran ran = harness.Launch({1}, {32}, {turn});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(harness.Download<uint32_t>(turn, 1)[0], 32u);
}

// A loop that counts its turns is no wait: it ends by itself, and every turn counts.
TEST(WaitTest, ALoopThatCountsItsTurnsIsCounted) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    mov.u32 %r2, 0;
    LOOP: ld.volatile.global.u32 %r1, [%rd0]; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100; @%p1 bra LOOP;)"));
  Ran ran = harness.Launch({1}, {32}, {harness.Allocate(4)});
  EXPECT_EQ(ran.counters().global_load_requests, 100u);
}

// Each block waits for the one before it, and how often it looks depends on when that one runs.
TEST(WaitTest, ALoopThatCountsItsTurnsIsCountedAlikeForAnyHostThreadsOnRequest) {
  const std::string body = R"(
    mov.u32 %r1, 1; mov.u32 %r2, 0; setp.eq.u32 %p1, %g, 0; @%p1 bra WORK;
    LOOK: ld.volatile.global.u32 %r1, [%at0+-4]; add.u32 %r2, %r2, 1; setp.eq.u32 %p2, %r1, 0; @%p2 bra LOOK;
    WORK: mov.u32 %r3, 0; LOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 3000; @%p3 bra LOOP;
    st.global.u32 [%at1], %r2; st.volatile.global.u32 [%at0], %r1;)";
  constexpr uint32_t kBlocks = 64;
  for (int host_threads : {1, 8}) {
    KernelHarness harness(Options(host_threads, 0));
    harness.Load(Kernel(body));
    harness.CountAlike();
    DevicePtr flags = harness.Allocate(4 * kBlocks), turns = harness.Allocate(4 * kBlocks);
    Ran ran = harness.Launch({kBlocks}, {1}, {flags, turns});
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    EXPECT_EQ(harness.Download<uint32_t>(flags, kBlocks), Words(kBlocks, 1));
    EXPECT_EQ(ran.counters().global_load_requests, kBlocks - 1) << "one look each: the block before it has ended";
  }
}

}  // namespace
}  // namespace warpgrade::emulator
