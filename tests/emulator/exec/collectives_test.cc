// Warp-wide instructions: shuffles, votes, matches, reductions of a warp, and their member masks. PTX ISA 9.0,
// "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync", "activemask".
#include <gtest/gtest.h>

#include <functional>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr uint32_t kWarp = 32;
using Lanes = std::vector<uint32_t>;

// A warp-wide instruction on %r10 (a value per lane) with member mask %r11: the result goes to %r12.
struct Collective {
  const char* key;
  const char* ptx;
  // values, lanes that take part -> result of `lane`.
  std::function<uint32_t(const Lanes&, uint32_t mask, uint32_t lane)> oracle;
};

uint32_t Fold(const Lanes& v, uint32_t mask, const std::function<uint32_t(uint32_t, uint32_t)>& f) {
  uint32_t r = 0;
  bool first = true;
  for (uint32_t l = 0; l < kWarp; ++l) {
    if (!(mask >> l & 1)) continue;
    r = first ? v[l] : f(r, v[l]);
    first = false;
  }
  return r;
}
uint32_t LanesWhere(const Lanes& v, uint32_t mask, const std::function<bool(uint32_t)>& f) {
  uint32_t r = 0;
  for (uint32_t l = 0; l < kWarp; ++l) r |= (mask >> l & 1) && f(v[l]) ? 1u << l : 0;
  return r;
}
// A shuffle within segments of 8 lanes by 3, as the CUDA guide words it: lanes without a source keep their own value.
uint32_t Segment(const Lanes& v, uint32_t lane, const char* mode) {
  uint32_t at = lane % 8, start = lane - at;
  std::string m = mode;
  if (m == "up") return at >= 3 ? v[lane - 3] : v[lane];
  if (m == "down") return at + 3 < 8 ? v[lane + 3] : v[lane];
  if (m == "bfly") return v[lane ^ 3];
  return v[start + 3];
}

#define PREDICATE "setp.gt.u32 %p1, %r10, 40;"
#define TO_WORD " selp.u32 %r12, 1, 0, %p2;"
// Long because it is a table: one row for each collective.
const std::vector<Collective>& Collectives() {
  static const auto* all = new std::vector<Collective>{
      // c = 0x1800 | clamp: segments of 8.
      {"shfl.sync.up.b32", "shfl.sync.up.b32 %r12, %r10, 3, 0x1800, %r11;",
       [](const Lanes& v, uint32_t, uint32_t l) { return Segment(v, l, "up"); }},
      {"shfl.sync.down.b32", "shfl.sync.down.b32 %r12, %r10, 3, 0x181F, %r11;",
       [](const Lanes& v, uint32_t, uint32_t l) { return Segment(v, l, "down"); }},
      {"shfl.sync.bfly.b32", "shfl.sync.bfly.b32 %r12, %r10, 3, 0x181F, %r11;",
       [](const Lanes& v, uint32_t, uint32_t l) { return Segment(v, l, "bfly"); }},
      {"shfl.sync.idx.b32", "shfl.sync.idx.b32 %r12, %r10, 3, 0x181F, %r11;",
       [](const Lanes& v, uint32_t, uint32_t l) { return Segment(v, l, "idx"); }},
      {"shfl.sync.idx.b32", "shfl.sync.idx.b32 %r12, %r10, %t, 0x1F, %r11;",
       [](const Lanes& v, uint32_t, uint32_t l) { return v[l]; }},
      {"shfl.sync.bfly.b32", "shfl.sync.bfly.b32 %r10, %r10, 1, 0x1F, %r11; mov.u32 %r12, %r10;",
       [](const Lanes& v, uint32_t, uint32_t l) { return v[l ^ 1]; }},
      {"vote.sync.ballot.b32", PREDICATE "vote.sync.ballot.b32 %r12, %p1, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return LanesWhere(v, m, [](uint32_t x) { return x > 40; }); }},
      {"vote.sync.ballot.b32", PREDICATE "vote.sync.ballot.b32 %r12, !%p1, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return LanesWhere(v, m, [](uint32_t x) { return x <= 40; }); }},
      {"vote.sync.ballot.b32", PREDICATE "vote.ballot.sync.b32 %r12, %p1, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return LanesWhere(v, m, [](uint32_t x) { return x > 40; }); }},
      {"vote.sync.all.pred", PREDICATE "vote.sync.all.pred %p2, %p1, %r11;" TO_WORD,
       [](const Lanes& v, uint32_t m, uint32_t) -> uint32_t {
         return LanesWhere(v, m, [](uint32_t x) { return x > 40; }) == m;
       }},
      {"vote.sync.any.pred", PREDICATE "vote.sync.any.pred %p2, %p1, %r11;" TO_WORD,
       [](const Lanes& v, uint32_t m, uint32_t) -> uint32_t {
         return LanesWhere(v, m, [](uint32_t x) { return x > 40; }) != 0;
       }},
      {"vote.sync.uni.pred", PREDICATE "vote.sync.uni.pred %p2, %p1, %r11;" TO_WORD,
       [](const Lanes& v, uint32_t m, uint32_t) -> uint32_t {
         uint32_t yes = LanesWhere(v, m, [](uint32_t x) { return x > 40; });
         return yes == 0 || yes == m;
       }},
      {"match.any.sync.b32", "match.any.sync.b32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t l) { return LanesWhere(v, m, [&](uint32_t x) { return x == v[l]; }); }},
      {"match.any.sync.b64", "mul.wide.u32 %rd10, %r10, 0x10000000; match.any.sync.b64 %r12, %rd10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t l) { return LanesWhere(v, m, [&](uint32_t x) { return x == v[l]; }); }},
      {"match.all.sync.b32",
       "match.all.sync.b32 %r12|%p2, %r10, %r11; selp.u32 %r13, 1, 2, %p2; xor.b32 %r12, %r12, %r13;",
       [](const Lanes& v, uint32_t m, uint32_t l) {
         return LanesWhere(v, m, [&](uint32_t x) { return x == v[l]; }) == m ? m ^ 1 : 2;
       }},
      {"match.all.sync.b64",
       "mul.wide.u32 %rd10, %r10, 0x10000000; match.all.sync.b64 %r12|%p2, %rd10, %r11; selp.u32 %r13, 1, 2, %p2; "
       "xor.b32 %r12, %r12, %r13;",
       [](const Lanes& v, uint32_t m, uint32_t l) {
         return LanesWhere(v, m, [&](uint32_t x) { return x == v[l]; }) == m ? m ^ 1 : 2;
       }},
      {"redux.sync.add.u32", "redux.sync.add.u32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return Fold(v, m, [](uint32_t a, uint32_t b) { return a + b; }); }},
      {"redux.sync.add.s32", "redux.sync.add.s32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return Fold(v, m, [](uint32_t a, uint32_t b) { return a + b; }); }},
      {"redux.sync.min.u32", "redux.sync.min.u32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) {
         return Fold(v, m, [](uint32_t a, uint32_t b) { return std::min(a, b); });
       }},
      {"redux.sync.max.u32", "redux.sync.max.u32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) {
         return Fold(v, m, [](uint32_t a, uint32_t b) { return std::max(a, b); });
       }},
      {"redux.sync.min.s32", "redux.sync.min.s32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) {
         return Fold(v, m,
                     [](uint32_t a, uint32_t b) { return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? a : b; });
       }},
      {"redux.sync.max.s32", "redux.sync.max.s32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) {
         return Fold(v, m,
                     [](uint32_t a, uint32_t b) { return static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a : b; });
       }},
      {"redux.sync.and.b32", "redux.sync.and.b32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return Fold(v, m, [](uint32_t a, uint32_t b) { return a & b; }); }},
      {"redux.sync.or.b32", "redux.sync.or.b32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return Fold(v, m, [](uint32_t a, uint32_t b) { return a | b; }); }},
      {"redux.sync.xor.b32", "redux.sync.xor.b32 %r12, %r10, %r11;",
       [](const Lanes& v, uint32_t m, uint32_t) { return Fold(v, m, [](uint32_t a, uint32_t b) { return a ^ b; }); }},
      {"activemask.b32", "activemask.b32 %r12;", [](const Lanes&, uint32_t m, uint32_t) { return m; }},
      {"elect.sync", "elect.sync %r13|%p2, %r11; selp.u32 %r12, 100, 0, %p2; add.u32 %r12, %r12, %r13;",
       [](const Lanes&, uint32_t m, uint32_t l) {
         uint32_t leader = static_cast<uint32_t>(__builtin_ctz(m));
         return leader + (l == leader ? 100 : 0);
       }},
  };
  return *all;
}

std::string CollectiveKernel(const Collective& c) {
  return Kernel(
      std::string("ld.global.u32 %r10, [%at1]; ld.global.u32 %r11, [%rd2]; mov.u32 %r12, 0x7777;\n") +
      "mov.u32 %r20, 1; shl.b32 %r20, %r20, %t; and.b32 %r20, %r20, %r11; setp.eq.u32 %p9, %r20, 0;\n@%p9 bra OUT;\n" +
      c.ptx + "\nOUT: st.global.u32 [%at0], %r12;");
}

}  // namespace

std::vector<std::string> CollectiveKeys() {
  std::vector<std::string> keys;
  for (const Collective& c : Collectives()) keys.push_back(c.key);
  return keys;
}

namespace {

TEST(CollectivesTest, EveryInstructionOverWholeAndPartialWarps) {
  std::vector<Lanes> inputs(4, Lanes(kWarp));
  for (uint32_t l = 0; l < kWarp; ++l) {
    inputs[0][l] = l * 3;
    inputs[1][l] = l % 3 == 0 ? 0xFFFFFFF0u + l : 50 - l;
    inputs[2][l] = 41;
    inputs[3][l] = l / 8;
  }
  for (const Collective& c : Collectives()) {
    SCOPED_TRACE(c.ptx);
    EXPECT_TRUE(Reaches(CollectiveKernel(c), c.key));
    for (const Lanes& in : inputs) {
      // Whole segments of 8, so that no shuffle takes from a lane that is away.
      for (uint32_t mask : {0xFFFFFFFFu, 0x00FF00FFu, 0x0000FF00u}) {
        Lanes got = OutputOf(CollectiveKernel(c), {1}, {kWarp}, kWarp, {in, {mask}});
        for (uint32_t l = 0; l < kWarp; ++l) {
          ASSERT_EQ(got[l], mask >> l & 1 ? c.oracle(in, mask, l) : 0x7777)
              << "lane " << l << " mask " << std::hex << mask;
        }
      }
    }
  }
}

TEST(CollectivesTest, AShufflesPredicateSaysWhetherTheSourceIsInRange) {
  Lanes got = OutputOf(
      Kernel("shfl.sync.down.b32 %r1|%p1, %t, 5, 0x1F, 0xFFFFFFFF; selp.u32 %r2, 1000, 0, %p1; add.u32 %r1, %r1, %r2;"
             "st.global.u32 [%at0], %r1;"),
      {1}, {32}, 32);
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(got[l], l + 5 < 32 ? 1000 + l + 5 : l);
}

TEST(CollectivesTest, LanesThatDivergedGatherAtAShuffle) {
  // Odd lanes loop first; all meet at one shuffle after the join that nvcc would put there.
  Lanes got = OutputOf(Kernel(R"(
    and.b32 %r1, %t, 1; mov.u32 %r2, %t; setp.eq.u32 %p1, %r1, 0; @%p1 bra MEET;
    LOOP: add.u32 %r2, %r2, 100; setp.lt.u32 %p2, %r2, 400; @%p2 bra LOOP;
    MEET: shfl.sync.bfly.b32 %r3, %r2, 1, 0x1F, 0xFFFFFFFF; st.global.u32 [%at0], %r3;
  )"),
                       {1}, {32}, 32);
  for (uint32_t l = 0; l < 32; ++l) {
    uint32_t v = l ^ 1;
    if (v % 2 == 1)
      while (v < 400) v += 100;
    EXPECT_EQ(got[l], v);
  }
}

Ran RunKernel(const std::string& ptx, uint32_t threads) {
  KernelHarness harness;
  harness.Load(ptx);
  DevicePtr out = harness.Allocate(4096);
  return harness.Launch({1}, {threads}, {out});
}

constexpr const char* kFile = ".file 1 \"lab.cu\"\n";

// The tiles of a warp execute one instruction with a member mask each.
constexpr const char* kTileMask =
    "shr.u32 %r20, %t, 3; shl.b32 %r20, %r20, 3; mov.u32 %r21, 0xFF; shl.b32 %r21, %r21, %r20;\n";

TEST(CollectivesTest, TilesOfAWarpExecuteOneInstructionWithTheirOwnMasks) {
  Lanes got = OutputOf(Kernel(std::string(kTileMask) + R"(
    setp.gt.u32 %p1, %t, 12; vote.sync.ballot.b32 %r1, %p1, %r21; redux.sync.add.u32 %r2, %t, %r21; bar.warp.sync %r21;
    mov.u32 %r3, %t; shfl.sync.down.b32 %r3, %r3, 1, 0x181F, %r21; xor.b32 %r1, %r1, %r2; mad.lo.u32 %r1, %r3, 7, %r1; st.global.u32 [%at0], %r1;
  )"),
                       {1}, {32}, 32);
  for (uint32_t l = 0; l < 32; ++l) {
    uint32_t ballot = 0, sum = 0;
    for (uint32_t k = l / 8 * 8; k < l / 8 * 8 + 8; ++k) ballot |= uint32_t{k > 12} << k, sum += k;
    EXPECT_EQ(got[l], (ballot ^ sum) + 7 * (l % 8 == 7 ? l : l + 1)) << l;
  }
}

TEST(CollectivesTest, ATileWhoseLanesComeLaterWaitsAndTheOthersDoNot) {
  // Lanes 8..11 take a detour, so that their tile meets in two steps; all reach the shuffle at different places in
  // time.
  KernelHarness harness;
  harness.Load(Kernel(std::string(kTileMask) + R"(
    mov.u32 %r2, 0; sub.u32 %r1, %t, 8; setp.lt.u32 %p1, %r1, 4; @%p1 bra DETOUR;
    BACK: shfl.sync.bfly.b32 %r3, %t, 5, 0x181F, %r21; st.global.u32 [%at0], %r3; ret;
    DETOUR: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 50; @%p2 bra DETOUR; bra BACK;
  )"));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(harness.Download<uint32_t>(out, 32)[l], l ^ 5);
}

TEST(CollectivesTest, TilesThatExitedOneByOneLeaveTheOthersGoing) {
  // One tile after the other leaves; the others' full masks still hold.
  KernelHarness harness;
  harness.Load(Kernel(std::string(kTileMask) + R"(
    mov.u32 %r5, 0; LOOP: bar.warp.sync %r21; vote.sync.any.pred %p3, %p4, %r21; add.u32 %r5, %r5, 8; setp.le.u32 %p1, %r5, %t; @%p1 bra LOOP;
    st.global.u32 [%at0], %r5;
  )"));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(harness.Download<uint32_t>(out, 32)[l], l / 8 * 8 + 8);
}

TEST(CollectivesTest, AShuffleFromALaneOutsideTheMaskIsNamed) {
  // Lanes 0..15 shuffle down by 8: lane 8 would take from lane 16.
  Ran ran = RunKernel(
      Kernel(
          "setp.ge.u32 %p1, %t, 16; @%p1 bra OUT;\n.loc 1 12 0\nshfl.sync.down.b32 %r1, %t, 8, 0x1F, 0x0000FFFF;\nOUT:",
          kFile),
      32);
  EXPECT_EQ(ran.status, LaunchStatus::kOk);  // undefined, but no fault
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kBadShuffleMask);
  EXPECT_EQ(ran.findings[0].line, 12);
  EXPECT_EQ(ran.findings[0].count, 8u);
  EXPECT_EQ(
      ran.findings[0].message,
      "lane 8 takes a value from lane 16, which does not take part in this shuffle (it is not in the member mask); "
      "what it gets is undefined");
}

TEST(CollectivesTest, WhyALaneDoesNotTakePartInAShuffleIsTold) {
  const std::string shuffle = "shfl.sync.down.b32 %r1, %t, 8, 0x1F, 0xFFFFFFFF;";
  Ran ran = RunKernel(Kernel(shuffle), 20);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].message,
            "lane 12 takes a value from lane 20, which does not take part in this shuffle (it does not exist, "
            "because the block is too small); what it gets is undefined");
  ran = RunKernel(Kernel("setp.ge.u32 %p1, %t, 16; @%p1 exit; " + shuffle), 32);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].message,
            "lane 8 takes a value from lane 16, which does not take part in this shuffle (it has returned from the "
            "kernel); what it gets is undefined");
}

TEST(CollectivesTest, ALaneThatIsNotInItsOwnMaskIsNamed) {
  Ran ran = RunKernel(Kernel(".loc 1 5 0\nshfl.sync.idx.b32 %r1, %t, 0, 0x1F, 0x0000FFFF;", kFile), 32);
  ASSERT_GE(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kBadShuffleMask);
  EXPECT_EQ(ran.findings[0].line, 5);
  EXPECT_EQ(ran.findings[0].message,
            "lane 16 executes this with member mask 0x0000ffff, which does not name it; each lane that takes part must "
            "be in the mask");
}

TEST(CollectivesTest, AMaskThatNamesLanesThatNeverComeIsNamedAndTheKernelGoesOn) {
  // if (tid < 16) __shfl_sync(0xFFFFFFFF, ...); the others wait at a barrier after it.
  Ran ran = RunKernel(
      Kernel("setp.ge.u32 %p1, %t, 16; @%p1 bra OUT;\n.loc 1 9 0\nshfl.sync.idx.b32 %r1, %t, 0, 0x1F, 0xFFFFFFFF;\n"
             "OUT: bar.sync 0; st.global.u32 [%at0], %t;",
             kFile),
      32);
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].line, 9);
  EXPECT_EQ(ran.findings[0].message,
            "the member mask 0xffffffff names lane 16, which never reaches this call: this shuffle stands in a branch "
            "or loop that not all lanes take");
}

TEST(CollectivesTest, LanesThatExitedNeedNotCome) {
  // Lanes 16..31 return; the rest use the full mask, before and after the others are gone.
  for (const char* order : {"setp.ge.u32 %p1, %t, 16; @%p1 bra OUT;", "setp.lt.u32 %p1, %t, 16; @!%p1 exit;"}) {
    SCOPED_TRACE(order);
    Ran ran = RunKernel(
        Kernel(std::string(order) + "\nbar.warp.sync 0xFFFFFFFF; shfl.sync.bfly.b32 %r1, %t, 1, 0x1F, 0xFFFFFFFF;\n"
                                    "st.global.u32 [%at0], %r1;\nOUT:"),
        32);
    EXPECT_EQ(ran.status, LaunchStatus::kOk);
    EXPECT_EQ(Describe(ran.findings), "");
  }
}

TEST(CollectivesTest, ABlockWithAPartialWarpMayNameAbsentLanes) {
  EXPECT_EQ(
      Describe(RunKernel(Kernel("shfl.sync.idx.b32 %r1, %t, 0, 0x1F, 0xFFFFFFFF; bar.warp.sync -1;"), 20).findings),
      "");
}

TEST(CollectivesTest, ShufflesAndVotesAreCounted) {
  Ran ran = RunKernel(Kernel("shfl.sync.idx.b32 %r1, %t, 0, 0x1F, -1; shfl.sync.idx.b32 %r1, %t, 0, 0x1F, -1; "
                             "vote.sync.ballot.b32 %r2, %p1, -1;"),
                      64);
  EXPECT_EQ(ran.counters().shuffles, 4u);
  EXPECT_EQ(ran.counters().votes, 2u);
}

}  // namespace
}  // namespace warpgrade::emulator
