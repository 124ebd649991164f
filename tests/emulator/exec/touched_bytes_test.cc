// The bytes that a launch says it touched: to the byte, by kind, for any number of host threads.
#include <gtest/gtest.h>

#include <cstring>
#include <ostream>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {

void PrintTo(const ByteRange& range, std::ostream* out) { *out << "[" << range.begin << ", " << range.end << ")"; }

namespace {

using Ranges = std::vector<ByteRange>;

class TouchedBytesTest : public testing::TestWithParam<int> {
 protected:
  TouchedBytesTest() : harness_(Options()) {}

  static DeviceOptions Options() {
    DeviceOptions options = KernelHarness::OneHostThread();
    options.host_threads = GetParam();
    return options;
  }

  TouchedBytes Launch(Dim3 grid, Dim3 block, const std::vector<uint64_t>& parameters) {
    TouchedBytes touched;
    LaunchRequest request;
    request.kernel = harness_.kernel();
    request.grid = grid;
    request.block = block;
    request.parameters.resize(4 * sizeof(uint64_t));
    std::memcpy(request.parameters.data(), parameters.data(), parameters.size() * sizeof(uint64_t));
    request.touched = &touched;
    EXPECT_EQ(harness_.device().Launch(request), LaunchStatus::kOk);
    return touched;
  }

  KernelHarness harness_;
};

INSTANTIATE_TEST_SUITE_P(, TouchedBytesTest, testing::Values(1, 4));

TEST_P(TouchedBytesTest, AWholeArrayIsOneRange) {
  harness_.Load(Kernel("ld.global.u32 %r0, [%at0]; st.global.u32 [%at1], %r0;"));
  const DevicePtr a = harness_.Allocate(4000), b = harness_.Allocate(4096);
  const TouchedBytes touched = Launch({8, 1, 1}, {125, 1, 1}, {a, b});
  EXPECT_EQ(touched.reads.all(), (Ranges{{a, a + 4000}}));
  EXPECT_EQ(touched.writes.all(), (Ranges{{b, b + 4000}}));
  EXPECT_EQ(touched.strong_reads.size() + touched.strong_writes.size(), 0u);
  EXPECT_FALSE(touched.fences);
}

TEST_P(TouchedBytesTest, OnePlaceOfAllLanesCountsWholeForEachKindInEachLaunch) {
  harness_.Load(
      Kernel("ld.global.v2.u32 {%r0, %r1}, [%rd0+24]; ld.global.u32 %r2, [%rd0+4]; setp.gt.u32 %p1, %t, 5;"
             "@%p1 ld.global.u32 %r2, [%rd0+12]; st.global.u32 [%rd0+4], 1;"));
  const DevicePtr a = harness_.Allocate(64);
  for (int launch = 0; launch < 2; ++launch) {
    const TouchedBytes touched = Launch({4, 1, 1}, {64, 1, 1}, {a});
    EXPECT_EQ(touched.reads.all(), (Ranges{{a + 4, a + 8}, {a + 12, a + 16}, {a + 24, a + 32}}));
    EXPECT_EQ(touched.writes.all(), (Ranges{{a + 4, a + 8}}));
  }
}

TEST_P(TouchedBytesTest, EveryOtherByteIsARangeOfItsOwn) {
  harness_.Load(
      Kernel("cvt.u64.u32 %rd5, %g; shl.b64 %rd5, %rd5, 1; add.u64 %rd5, %rd5, %rd0;"
             "mov.u32 %r0, 7; st.global.u8 [%rd5], %r0;"));
  const DevicePtr a = harness_.Allocate(64);
  Ranges due;
  for (uint64_t k = 0; k < 32; ++k) due.push_back({a + 2 * k, a + 2 * k + 1});
  EXPECT_EQ(Launch({1, 1, 1}, {32, 1, 1}, {a}).writes.all(), due);
}

TEST_P(TouchedBytesTest, AtomicsAndVolatileAccessesAreStrong) {
  harness_.Load(
      Kernel("red.global.add.u32 [%rd0], 1; ld.volatile.global.u32 %r0, [%rd1];"
             "st.volatile.global.u32 [%rd2], %r0; membar.gl;"));
  const DevicePtr a = harness_.Allocate(4), b = harness_.Allocate(4), c = harness_.Allocate(4);
  const TouchedBytes touched = Launch({1, 1, 1}, {1, 1, 1}, {a, b, c});
  EXPECT_EQ(touched.reads.size() + touched.writes.size(), 0u);
  EXPECT_EQ(touched.strong_reads.all(), (Ranges{{b, b + 4}}));
  EXPECT_EQ(touched.strong_writes.all(), (Ranges{{a, a + 4}, {c, c + 4}}));
  EXPECT_TRUE(touched.fences);
}

TEST_P(TouchedBytesTest, AnAtomicReadsStronglyOnlyIfItsOldValueIsUsed) {
  harness_.Load(
      Kernel("atom.global.add.u32 %r1, [%rd0], 1; atom.global.add.u32 %r2, [%rd1], 1; st.global.u32 [%rd2], %r2;"));
  const DevicePtr a = harness_.Allocate(4), b = harness_.Allocate(4), c = harness_.Allocate(4);
  const TouchedBytes touched = Launch({1, 1, 1}, {1, 1, 1}, {a, b, c});
  EXPECT_EQ(touched.strong_reads.all(), (Ranges{{b, b + 4}}));
  EXPECT_EQ(touched.strong_writes.all(), (Ranges{{a, a + 4}, {b, b + 4}}));
}

TEST_P(TouchedBytesTest, ALaunchThatIsNotAskedLeavesNothingForTheNext) {
  harness_.Load(Kernel("st.global.u32 [%at0], %g;"));
  const DevicePtr a = harness_.Allocate(4096), b = harness_.Allocate(4096);
  harness_.Launch({1, 1, 1}, {32, 1, 1}, {a});
  EXPECT_EQ(Launch({1, 1, 1}, {1, 1, 1}, {b}).writes.all(), (Ranges{{b, b + 4}}));
  EXPECT_EQ(Launch({1, 1, 1}, {1, 1, 1}, {a}).writes.all(), (Ranges{{a, a + 4}}));
}

}  // namespace
}  // namespace warpgrade::emulator
