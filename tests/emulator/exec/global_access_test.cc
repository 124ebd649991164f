// ld, st, atom and red on global memory: values, and what findings say about accesses that must not be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/memory_form.h"

namespace warpgrade::emulator {

std::vector<std::string> GlobalAccessKeys() {
  std::vector<std::string> keys = LoadKeys(kGlobalSpace);
  for (auto more : {StoreKeys, AtomicKeys}) {
    for (std::string& key : more(kGlobalSpace)) keys.push_back(key);
  }
  return keys;
}

namespace {

TEST(GlobalAccessTest, LoadsOfEveryWidth) { CheckLoads(kGlobalSpace); }
TEST(GlobalAccessTest, StoresOfEveryWidth) { CheckStores(kGlobalSpace); }
TEST(GlobalAccessTest, AtomicsGiveTheOldValueLaneAfterLane) { CheckAtomics(kGlobalSpace); }

TEST(GlobalAccessTest, AVectorLoadMayOverwriteItsOwnAddress) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mul.wide.u32 %rd4, %t, 16; add.u64 %rd4, %rd4, %rd1; mov.u64 %rd5, 0;
    ld.global.v2.b64 {%rd4, %rd5}, [%rd4];
    cvt.u32.u64 %r1, %rd4; cvt.u32.u64 %r2, %rd5; add.u32 %r1, %r1, %r2; st.global.u32 [%at0], %r1;
    xor.b32 %r4, %t, 1; mul.wide.u32 %rd6, %r4, 16; add.u64 %rd6, %rd6, %rd1;
    ld.global.v2.b64 {%rd6, %rd7}, [%rd6]; cvt.u32.u64 %r1, %rd6; st.global.u32 [%at0+128], %r1;
  )"),
                                       {1}, {32}, 64, {[] {
                                         std::vector<uint32_t> in(128);
                                         for (uint32_t k = 0; k < 32; ++k) in[4 * k] = k, in[4 * k + 2] = 100;
                                         return in;
                                       }()});
  for (uint32_t k = 0; k < 32; ++k) {
    EXPECT_EQ(got[k], k + 100);
    EXPECT_EQ(got[32 + k], k ^ 1);
  }
}

TEST(GlobalAccessTest, ConstantMemoryReadsItsInitialiserAndRejectsWrites) {
  KernelHarness harness;
  harness.Load(
      Kernel("ld.const.u32 %r1, [mask+4]; st.global.u32 [%rd0], %r1; mov.u64 %rd4, mask; st.global.u32 [%rd4], 1;",
             ".const .align 4 .b8 mask[8] = {1, 0, 0, 0, 42};\n"));
  DevicePtr out = harness.Allocate(4);
  Ran ran = harness.Launch({1}, {1}, {out});
  EXPECT_EQ(harness.Download<uint32_t>(out, 1)[0], 42u);
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].message, "wrote 4 bytes of mask, which is constant memory");
}

// A load from constant memory counts as no global load, so it may not read anything else.
TEST(GlobalAccessTest, AConstantLoadFromAnArrayInGlobalMemoryIsRefused) {
  KernelHarness harness;
  harness.Load(Kernel("ld.const.u32 %r1, [mask]; ld.const.u32 %r2, [%rd1]; st.global.u32 [%rd0], %r2;",
                      ".const .align 4 .b8 mask[4] = {42};\n"));
  const DevicePtr out = harness.Allocate(4), in = harness.Allocate(4, "d_in");
  const Ran ran = harness.Launch({1}, {1}, {out, in});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].message, "ld.const read 4 bytes of d_in, which is not in constant memory");
}

// A kernel that reads the word at p1 + p2 bytes, and what it is told then.
std::string ToldOf(KernelHarness& harness, DevicePtr array, uint64_t offset) {
  harness.Load(Kernel("add.u64 %rd4, %rd1, %rd2; ld.global.u32 %r1, [%rd4];"));
  const Ran ran = harness.Launch({1}, {1}, {0x7777, array, offset, 0x7777});
  return ran.findings.size() == 1 ? std::string(Name(ran.findings[0].kind)) + ": " + ran.findings[0].message : "";
}

TEST(GlobalAccessTest, AFreedNeighbourIsNotTheStoryOfAnIndexThatIsTooLarge) {
  KernelHarness harness;
  const DevicePtr in = harness.Allocate(4096, "d_in"), work = harness.Allocate(8208, "d_work");
  ASSERT_TRUE(harness.device().Free(work).ok());
  EXPECT_THAT(ToldOf(harness, in, 4096), testing::HasSubstr("out-of-bounds: read 4 bytes"));
  EXPECT_THAT(ToldOf(harness, in, 4096 + 8000), testing::HasSubstr("8000 bytes past the end of d_in (4096 bytes)"));
  EXPECT_THAT(ToldOf(harness, work, 4), testing::HasSubstr("use-after-free: read 4 bytes"));
}

TEST(GlobalAccessTest, AKilobytePastTheEndIsNotTheNextArray) {
  KernelHarness harness;
  const DevicePtr in = harness.Allocate(512, "d_in");
  harness.Allocate(4096, "d_out");
  EXPECT_THAT(ToldOf(harness, in, 512 + 1024), testing::HasSubstr("1024 bytes past the end of d_in (512 bytes)"));
}

TEST(GlobalAccessTest, MemoryThatTookThePlaceOfFreedMemoryDoesNotHideAUseAfterFree) {
  KernelHarness harness;
  const DevicePtr gone = harness.Allocate(4096, "d_gone");
  ASSERT_TRUE(harness.device().Free(gone).ok());
  harness.Allocate(4096, "d_new");
  EXPECT_THAT(ToldOf(harness, gone, 8), testing::HasSubstr("8 bytes into d_gone (4096 bytes), which was freed"));
}

TEST(GlobalAccessTest, AnIndexOfTooFewBitsIsToldByTheArrayThatItBelongsTo) {
  KernelHarness harness;
  const DevicePtr in = harness.Allocate(4096, "d_in");
  EXPECT_THAT(ToldOf(harness, in, static_cast<uint64_t>(INT32_MIN * int64_t{4})),
              testing::HasSubstr("8589934592 bytes before the start of d_in (4096 bytes); has an index overflowed?"));
}

TEST(GlobalAccessTest, AnIndexOnANullPointerIsNotAHostPointer) {
  KernelHarness harness;
  harness.Allocate(4096, "d_in");
  EXPECT_THAT(ToldOf(harness, 0, 0x400), testing::HasSubstr("at 0x400: 1024 bytes past a null pointer"));
  EXPECT_THAT(ToldOf(harness, 0, ~uint64_t{3}), testing::HasSubstr("4 bytes before a null pointer"));
}

TEST(GlobalAccessTest, AtomicsOfManyHostThreadsLoseNothing) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.host_threads = 4;
  KernelHarness harness(options);
  harness.Load(
      Kernel("red.global.add.u32 [%rd0], 1; atom.global.inc.u32 %r1, [%rd0+4], 999; mov.f64 %fd1, 0d3FE0000000000000;"
             "red.global.add.f64 [%rd0+8], %fd1;"));
  DevicePtr out = harness.Allocate(16);
  Ran ran = harness.Launch({100}, {96}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(harness.Download<uint32_t>(out, 2), (std::vector<uint32_t>{9600, 600}));
  EXPECT_EQ(harness.Download<double>(out + 8, 1)[0], 4800.0);
}

}  // namespace
}  // namespace warpgrade::emulator
