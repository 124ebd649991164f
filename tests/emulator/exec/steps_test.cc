// What is recorded of the values of one block, step by step: compared with values that are computed here, and with the
// counters of the same launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DeviceOptions Recording(int host_threads = 1, BlockToRecord of = {}) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.host_threads = host_threads;
  options.pictures = true;
  options.steps = of;
  return options;
}

std::string WithTile(const std::string& body) {
  return Kernel(body, ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n");
}

float FloatOf(const StepValue& value) {
  const auto bits = static_cast<uint32_t>(value.value);
  float result = 0;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

const BlockSteps& StepsIn(KernelHarness& harness) {
  const std::vector<BlockSteps>& chosen = harness.device().Pictures().Steps().chosen();
  EXPECT_EQ(chosen.size(), 1u);
  static const BlockSteps kNone;
  return chosen.empty() ? kNone : chosen[0];
}

StepCounts Sum(const BlockSteps& steps) {
  StepCounts all;
  for (const Step& step : steps.steps) all.Add(step.counts);
  return all;
}

// "tile[3]" of a value.
std::string Place(const BlockSteps& steps, const StepValue& value) {
  return steps.columns.at(value.column).name + "[" + std::to_string(value.element) + "]";
}

std::vector<std::string> Sources(const BlockSteps& steps, const StepWrite& write) {
  std::vector<std::string> places;
  for (const StepValue& source : write.sources) places.push_back(Place(steps, source));
  return places;
}

// Each thread stores its element of p1 in the tile. Then the first s threads add element t + s to element t, for s =
// 32, 16, ..., 1. Thread 0 stores the sum in p0.
constexpr const char* kReduction = R"(
  .loc 1 1 0
  ld.global.f32 %f1, [%at1]; mov.u32 %r1, tile; mul.lo.u32 %r2, %t, 4; add.u32 %r1, %r1, %r2;
  st.shared.f32 [%r1], %f1;
  bar.sync 0;
  mov.u32 %r3, 32;
LOOP:
  setp.ge.u32 %p1, %t, %r3;
  @%p1 bra SKIP;
  .loc 1 2 0
  mul.lo.u32 %r4, %r3, 4; add.u32 %r5, %r1, %r4;
  ld.shared.f32 %f2, [%r1]; ld.shared.f32 %f3, [%r5]; add.f32 %f4, %f2, %f3; st.shared.f32 [%r1], %f4;
SKIP:
  bar.sync 0;
  shr.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0;
  @%p2 bra LOOP;
  setp.ne.u32 %p3, %t, 0;
  @%p3 bra END;
  .loc 1 3 0
  ld.shared.f32 %f5, [tile]; st.global.f32 [%rd0], %f5;
END:
  ret;)";

TEST(StepsTest, AReductionHasOneStepForEachBarrierWithItsValues) {
  for (const int host_threads : {1, 3}) {
    KernelHarness harness(Recording(host_threads));
    harness.Load(WithTile(kReduction));
    std::vector<float> image(64);
    for (size_t i = 0; i < image.size(); ++i) image[i] = 0.1f * static_cast<float>(i + 1);
    const DevicePtr in = harness.Upload(image, "d_in"), out = harness.Allocate(4, "d_out");
    const Ran ran = harness.Launch({1}, {64}, {out, in});
    EXPECT_THAT(ran.findings, IsEmpty()) << Describe(ran.findings);
    const BlockSteps& steps = StepsIn(harness);
    ASSERT_EQ(steps.steps.size(), 8u) << "store, six sums, result";
    for (uint32_t t = 0; t < 64; ++t) {
      const StepWrite& write = steps.steps[0].writes.at(t);
      EXPECT_EQ(write.thread, t);
      EXPECT_EQ(Place(steps, write.what), "tile[" + std::to_string(t) + "]");
      EXPECT_THAT(Sources(steps, write), ElementsAre("d_in[" + std::to_string(t) + "]"));
      EXPECT_EQ(FloatOf(write.what), image[t]);
    }
    size_t index = 1;
    for (uint32_t s = 32; s > 0; s /= 2, ++index) {
      const Step& step = steps.steps[index];
      ASSERT_EQ(step.writes.size(), s);
      ASSERT_EQ(step.reads.size(), 2 * s);
      EXPECT_EQ(step.counts.shared_store_lanes, s);
      EXPECT_THAT(step.lines, ElementsAre(2));
      for (uint32_t t = 0; t < s; ++t) {
        const StepWrite& write = step.writes[t];
        EXPECT_EQ(write.thread, t);
        EXPECT_THAT(Sources(steps, write),
                    ElementsAre("tile[" + std::to_string(t) + "]", "tile[" + std::to_string(t + s) + "]"));
        EXPECT_EQ(FloatOf(write.sources.at(0)), image[t]);
        EXPECT_EQ(FloatOf(write.sources.at(1)), image[t + s]);
        image[t] += image[t + s];
        EXPECT_EQ(FloatOf(write.what), image[t]);
      }
    }
    ASSERT_EQ(steps.steps.back().writes.size(), 1u);
    EXPECT_EQ(Place(steps, steps.steps.back().writes[0].what), "d_out[0]");
    EXPECT_EQ(FloatOf(steps.steps.back().writes[0].what), image[0]);
    EXPECT_EQ(harness.Download<float>(out, 1)[0], image[0]);
    EXPECT_EQ(Sum(steps).shared_load_requests, ran.counters().shared_load_requests);
    EXPECT_EQ(Sum(steps).shared_store_requests, ran.counters().shared_store_requests);
    EXPECT_EQ(steps.left_out, 0u);
    for (const StepColumn& column : steps.columns) EXPECT_EQ(column.type, ptx::Type::kF32) << column.name;
  }
}

TEST(StepsTest, OnlyTheChosenBlockIsRecorded) {
  KernelHarness harness(Recording(2, {.block = 5}));
  harness.Load(WithTile("mov.u32 %r1, %ctaid.x; mov.u32 %r2, tile; st.shared.u32 [%r2], %r1;"));
  harness.Launch({9}, {1}, {0});
  const BlockSteps& steps = StepsIn(harness);
  EXPECT_EQ(steps.block.x, 5u);
  ASSERT_EQ(steps.steps.size(), 1u);
  ASSERT_EQ(steps.steps[0].writes.size(), 1u);
  EXPECT_EQ(steps.steps[0].writes[0].what.value, 5u);
  harness.Launch({3}, {1}, {0});
  EXPECT_THAT(harness.device().Pictures().Steps().chosen(), IsEmpty()) << "this grid has no block 5";
}

// Hillis and Steele: read, barrier, write, barrier.
TEST(StepsTest, ABarrierAfterReadsAloneEndsNoStep) {
  KernelHarness harness(Recording());
  harness.Load(WithTile(R"(
    mov.u32 %r1, tile; mul.lo.u32 %r2, %t, 4; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %t;
    bar.sync 0;
    sub.u32 %r3, 63, %t; mul.lo.u32 %r3, %r3, 4; mov.u32 %r4, tile; add.u32 %r3, %r3, %r4;
    ld.shared.u32 %r5, [%r3];
    bar.sync 0;
    add.s32 %r6, %r5, 100; st.shared.u32 [%r1], %r6;
    bar.sync 0;)"));
  const Ran ran = harness.Launch({1}, {64}, {0});
  EXPECT_THAT(ran.findings, IsEmpty()) << Describe(ran.findings);
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.steps.size(), 2u);
  EXPECT_EQ(steps.steps[1].reads.size(), 64u);
  ASSERT_EQ(steps.steps[1].writes.size(), 64u);
  EXPECT_THAT(Sources(steps, steps.steps[1].writes[3]), ElementsAre("tile[60]"));
  EXPECT_EQ(steps.steps[1].writes[3].what.value, 160u);
  EXPECT_EQ(steps.columns.at(steps.steps[1].reads[0].what.column).type, ptx::Type::kS32) << "as the addition says";
}

TEST(StepsTest, EachShuffleIsAStepOfItsWarpWithWhatALaneOffersAndGets) {
  KernelHarness harness(Recording());
  harness.Load(Kernel(R"(
    ld.global.f32 %f1, [%at1];
    mov.b32 %r1, %f1; shfl.sync.down.b32 %r2, %r1, 16, 31, 0xffffffff; mov.b32 %f2, %r2; add.f32 %f1, %f1, %f2;
    mov.b32 %r1, %f1; shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffffffff; mov.b32 %f2, %r2; add.f32 %f1, %f1, %f2;
    st.global.f32 [%at0], %f1;)"));
  std::vector<float> values(64);
  std::iota(values.begin(), values.end(), 0.5f);
  const Ran ran = harness.Launch({1}, {64}, {harness.Allocate(4 * 64, "d_out"), harness.Upload(values, "d_in")});
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.steps.size(), 3u) << "two shuffles, and the store";
  for (size_t index = 0; index < 2; ++index) {
    const Step& step = steps.steps[index];
    EXPECT_EQ(step.counts.shuffles, 2u) << "one of each warp";
    ASSERT_EQ(step.writes.size(), 64u);
    std::vector<float> next = values;
    for (const StepWrite& write : step.writes) {
      const uint32_t lane = write.thread % 32;
      const uint32_t from = write.thread - lane + (index == 0 ? (lane < 16 ? lane + 16 : lane) : lane ^ 1);
      EXPECT_THAT(Sources(steps, write), ElementsAre("registers[" + std::to_string(from) + "]"));
      EXPECT_EQ(FloatOf(write.what), values[from]);
      next[write.thread] += values[from];
    }
    uint32_t thread = 0;
    for (const StepRead& read : step.reads) {
      if (steps.columns.at(read.what.column).space != StepSpace::kRegisters) continue;
      EXPECT_EQ(read.thread, thread++);
      EXPECT_EQ(read.what.element, read.thread) << "its own register";
      EXPECT_EQ(FloatOf(read.what), values[read.thread]) << "what it offers";
      EXPECT_EQ(steps.columns.at(read.what.column).type, ptx::Type::kF32) << "it was moved from a float";
    }
    EXPECT_EQ(thread, 64u);
    values = next;
  }
  for (const StepWrite& write : steps.steps[2].writes) {
    EXPECT_EQ(FloatOf(write.what), values[write.thread]);
    EXPECT_THAT(Sources(steps, write), ElementsAre("registers[" + std::to_string(write.thread) + "]"));
  }
}

TEST(StepsTest, WarpsMakeStepsOfTheirOwnAtSyncwarp) {
  KernelHarness harness(Recording());
  harness.Load(WithTile(R"(
    mov.u32 %r1, tile; mul.lo.u32 %r2, %t, 4; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %t;
    bar.sync 0;
    setp.ge.u32 %p1, %t, 32; @%p1 bra END;
    ld.shared.u32 %r3, [%r1+128]; bar.warp.sync 0xffffffff; st.shared.u32 [%r1], %r3; bar.warp.sync 0xffffffff;
    xor.b32 %r4, %r2, 4; mov.u32 %r5, tile; add.u32 %r5, %r5, %r4;
    ld.shared.u32 %r6, [%r5]; bar.warp.sync 0xffffffff; st.shared.u32 [%r1], %r6;
  END:
    ret;)"));
  const Ran ran = harness.Launch({1}, {64}, {0});
  EXPECT_THAT(ran.findings, IsEmpty()) << Describe(ran.findings);
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.steps.size(), 3u);
  EXPECT_EQ(steps.steps[1].number.interval, 1u);
  EXPECT_EQ(steps.steps[1].number.part, 0u);
  EXPECT_EQ(steps.steps[2].number.part, 1u);
  ASSERT_EQ(steps.steps[2].writes.size(), 32u);
  EXPECT_THAT(Sources(steps, steps.steps[2].writes[6]), ElementsAre("tile[7]"));
  EXPECT_EQ(steps.steps[2].writes[6].what.value, 39u);
}

// %r9 adds up what the loop reads; what is read into %r4 is replaced in each iteration.
TEST(StepsTest, AValueThatAddsUpComesFromAllThatWasReadAndOthersFromTheLast) {
  KernelHarness harness(Recording());
  harness.Load(Kernel(R"(
    mov.u32 %r9, 0; mov.u32 %r1, 0; mov.u64 %rd5, %rd1;
  LOOP:
    ld.global.u32 %r3, [%rd5]; ld.global.u32 %r4, [%rd5+4]; add.s32 %r9, %r9, %r3;
    add.u64 %rd5, %rd5, 8; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 20; @%p1 bra LOOP;
    st.global.u32 [%rd0], %r9; st.global.u32 [%rd0+4], %r4;)"));
  std::vector<uint32_t> in(40);
  std::iota(in.begin(), in.end(), 1);
  harness.Launch({1}, {1}, {harness.Allocate(8, "d_out"), harness.Upload(in, "d_in")});
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.steps.size(), 1u);
  ASSERT_EQ(steps.steps[0].writes.size(), 2u);
  const StepWrite &sum = steps.steps[0].writes[0], &last = steps.steps[0].writes[1];
  ASSERT_EQ(sum.sources.size(), BlockSteps::kMostSources);
  EXPECT_EQ(sum.more_sources, 20 - BlockSteps::kMostSources);
  EXPECT_EQ(Sources(steps, sum)[1], "d_in[2]");
  EXPECT_THAT(Sources(steps, last), ElementsAre("d_in[39]"));
}

TEST(StepsTest, TheElementsOfAVectorAreValuesOfTheirOwn) {
  KernelHarness harness(Recording());
  harness.Load(WithTile(R"(
    mov.u32 %r1, tile; mul.lo.u32 %r2, %t, 16; add.u32 %r1, %r1, %r2; mul.wide.u32 %rd5, %t, 16; add.u64 %rd5, %rd1, %rd5;
    ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd5]; st.shared.v4.f32 [%r1], {%f4, %f3, %f2, %f1};)"));
  std::vector<float> in(8);
  std::iota(in.begin(), in.end(), 1.f);
  const Ran ran = harness.Launch({1}, {2}, {0, harness.Upload(in, "d_in")});
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.steps.size(), 1u);
  ASSERT_EQ(steps.steps[0].writes.size(), 8u);
  EXPECT_EQ(steps.steps[0].counts.shared_store_requests, ran.counters().shared_store_requests);
  EXPECT_EQ(FloatOf(steps.steps[0].writes[5].what), 7.f);
  EXPECT_EQ(Place(steps, steps.steps[0].writes[5].what), "tile[5]");
}

TEST(StepsTest, AnArrayOfFloatsIsOneArrayAlsoWhereZeroIsStoredAsAnInteger) {
  KernelHarness harness(Recording());
  harness.Load(
      WithTile("mov.u32 %r1, tile; st.shared.u32 [%r1], 0; ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r1+4], %f1;"));
  harness.Launch({1}, {1}, {0});
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.columns.size(), 1u);
  EXPECT_EQ(steps.columns[0].type, ptx::Type::kF32);
}

TEST(StepsTest, AnAtomicHasTheValueBeforeAndAfter) {
  KernelHarness harness(Recording());
  harness.Load(WithTile(R"(
    mov.u32 %r1, tile; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [%r1], 40;
    bar.sync 0;
    @%p1 atom.shared.add.u32 %r2, [%r1], 2;)"));
  const Ran ran = harness.Launch({1}, {64}, {0});
  const BlockSteps& steps = StepsIn(harness);
  ASSERT_EQ(steps.steps.size(), 2u);
  ASSERT_EQ(steps.steps[1].writes.size(), 1u);
  EXPECT_EQ(steps.steps[1].writes[0].does, StepDoes::kAtomic);
  EXPECT_EQ(steps.steps[1].writes[0].what.value, 42u);
  ASSERT_EQ(steps.steps[1].writes[0].sources.size(), 1u);
  EXPECT_EQ(steps.steps[1].writes[0].sources[0].value, 40u);
  EXPECT_EQ(Sum(steps).shared_atomic_requests, ran.counters().shared_atomic_requests);
}

TEST(StepsTest, ALongLoopIsCutAndStillCounted) {
  DeviceOptions options = Recording();
  options.instruction_budget = 2'000'000;
  KernelHarness harness(options);
  harness.Load(WithTile(R"(
    mov.u32 %r1, tile; mul.lo.u32 %r2, %t, 4; add.u32 %r1, %r1, %r2; mov.u32 %r3, 0;
  LOOP:
    st.shared.u32 [%r1], %r3; bar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10000; @%p1 bra LOOP;)"));
  harness.Launch({1}, {64}, {0});
  const BlockSteps& steps = StepsIn(harness);
  EXPECT_EQ(steps.steps.size(), StepRecorder::kMostSteps);
  size_t values = 0;
  for (const Step& step : steps.steps) values += step.writes.size();
  EXPECT_EQ(values, StepRecorder::kMostAccesses);
  EXPECT_EQ(values + steps.left_out, 640'000u);
}

TEST(StepsTest, TheLargestLaunchThatUsesSharedMemoryIsChosenOrTheWantedOne) {
  const std::string kernel =
      WithTile("setp.eq.u64 %p1, %rd0, 0; @%p1 bra END; mov.u32 %r1, tile; st.shared.u32 [%r1], 7;\nEND:\n ret;");
  for (const auto& [wanted, chosen] : {std::pair<uint64_t, uint64_t>(0, 3), {2, 2}, {1, 0}, {9, 0}}) {
    KernelHarness harness(Recording(1, {.block = 0, .launch = wanted}));
    harness.Load(kernel);
    // Through the device, because the harness forgets what earlier launches did.
    Device& device = harness.device();
    for (const auto& [blocks, uses] : {std::pair<uint32_t, uint64_t>(100, 0), {2, 1}, {9, 1}, {9, 1}}) {
      LaunchRequest request;
      request.kernel = harness.kernel();
      request.grid = {blocks};
      request.block = {1};
      for (const uint64_t parameter : {uses, uses, uses, uses}) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&parameter);
        request.parameters.insert(request.parameters.end(), bytes, bytes + sizeof(parameter));
      }
      EXPECT_EQ(device.Launch(request), LaunchStatus::kOk);
    }
    const StepsOfLaunches& steps = device.Pictures().Steps();
    EXPECT_EQ(steps.launches(), 4u);
    EXPECT_EQ(steps.chosen().empty() ? 0 : steps.chosen()[0].launch, chosen) << wanted;
  }
}

TEST(StepsTest, NothingIsRecordedUnlessAskedFor) {
  DeviceOptions options = Recording();
  options.steps.reset();
  KernelHarness harness(options);
  harness.Load(WithTile(kReduction));
  const std::vector<float> in(64, 1);
  harness.Launch({1}, {64}, {harness.Allocate(4), harness.Upload(in)});
  EXPECT_THAT(harness.device().Pictures().Steps().chosen(), IsEmpty());
}

}  // namespace
}  // namespace warpgrade::emulator
