// Reads of memory that nothing has written: what must be found, and what must not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kLines = ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n";

class UninitialisedTest : public testing::Test {
 protected:
  // Device memory as cudaMalloc gives it.
  DevicePtr Raw(uint64_t bytes, const std::string& label = "d_in") {
    Result<DevicePtr> at = harness_.device().Allocate(bytes, label);
    EXPECT_TRUE(at.ok());
    return *at;
  }
  // Findings of `body` with p0 = `buffer` and p1 a zeroed buffer of 64 KiB.
  std::vector<Finding> Find(const std::string& body, DevicePtr buffer = 0, uint32_t threads = 64, uint32_t blocks = 1) {
    harness_.Load(Kernel(body, kLines));
    Ran ran = harness_.Launch({blocks}, {threads}, {buffer, harness_.Allocate(65536)});
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    for (const Finding& f : ran.findings) EXPECT_EQ(f.kind, FindingKind::kUninitialisedRead) << f.message;
    return ran.findings;
  }
  KernelHarness harness_;
};

TEST_F(UninitialisedTest, AReadOfFreshDeviceMemoryNamesTheElement) {
  std::vector<Finding> found = Find(".loc 1 7 0\nld.global.u32 %r1, [%at0];", Raw(256));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 7);
  EXPECT_EQ(found[0].thread.x, 0u);
  EXPECT_EQ(found[0].message, "read element 0 of d_in (256 bytes), which nothing has written yet");
}

TEST_F(UninitialisedTest, AReadOfAColumnNamesTheOneWordThatNobodyHasWritten) {
  // A word in each line, so that the gaps between the words stay unwritten; by a whole warp, and by a part of one.
  for (const auto& [step, threads] : {std::pair{"128", 32U}, std::pair{"132", 31U}}) {
    const std::string column = fmt::format("mov.u32 %r1, tile; mad.lo.u32 %r1, %t, {}, %r1; ", step);
    const std::string read = "bar.sync 0; ld.shared.u32 %r3, [%r1];";
    EXPECT_EQ(Describe(Find(column + "st.shared.u32 [%r1], %t; " + read, 0, threads)), "");
    const std::string all_but_one = "setp.ne.u32 %p1, %t, 17; @%p1 st.shared.u32 [%r1], %t; ";
    const std::vector<Finding> found = Find(column + all_but_one + read, 0, threads);
    ASSERT_EQ(found.size(), 1u) << step;
    EXPECT_EQ(found[0].thread.x, 17u) << step;
  }
}

// DeviceOptions::fresh_byte
TEST(FreshByteTest, IsWhatNewMemoryHoldsAndIsNoWrite) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.fresh_byte = 203;
  KernelHarness harness(options);
  const Result<DevicePtr> at = harness.device().Allocate(300, "d_work");
  ASSERT_TRUE(at.ok());
  std::vector<uint8_t> bytes(300);
  ASSERT_TRUE(harness.device().CopyFromDevice(bytes.data(), *at, 300).ok());
  EXPECT_EQ(bytes, std::vector<uint8_t>(300, 203));
  constexpr uint64_t kLarge = (uint64_t{64} << 20) + 1;
  const Result<DevicePtr> large = harness.device().Allocate(kLarge, "large");
  ASSERT_TRUE(large.ok());
  ASSERT_TRUE(harness.device().CopyFromDevice(bytes.data(), *large, 300).ok());
  EXPECT_EQ(bytes, std::vector<uint8_t>(300, 0)) << "it would take memory";

  harness.Load(Kernel("ld.global.u32 %r1, [%at0];", kLines));
  const Ran ran = harness.Launch({1}, {64}, {*at});
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].message, "read element 0 of d_work (300 bytes), which nothing has written yet");
}

TEST_F(UninitialisedTest, CopiesAndFillsWrite) {
  DevicePtr filled = Raw(256), copied = Raw(256), twice = Raw(256);
  std::vector<uint32_t> values(64, 3);
  ASSERT_TRUE(harness_.device().Fill(filled, 0, 256).ok());
  ASSERT_TRUE(harness_.device().CopyToDevice(copied, values.data(), 256).ok());
  ASSERT_TRUE(harness_.device().CopyOnDevice(twice, copied, 256).ok());
  for (DevicePtr p : {filled, copied, twice}) EXPECT_EQ(Describe(Find("ld.global.u32 %r1, [%at0];", p)), "");
}

TEST_F(UninitialisedTest, ACopyOfPartOfTheBufferLeavesTheRest) {
  DevicePtr p = Raw(256);
  std::vector<uint32_t> values(63, 3);
  ASSERT_TRUE(harness_.device().CopyToDevice(p, values.data(), 63 * 4).ok());
  std::vector<Finding> found = Find("ld.global.u32 %r1, [%at0];", p);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].thread.x, 63u);
  EXPECT_NE(found[0].message.find("element 63"), std::string::npos) << found[0].message;
}

TEST_F(UninitialisedTest, ACopyOfUnwrittenMemoryIsStillUnwritten) {
  DevicePtr from = Raw(260), to = Raw(256);
  ASSERT_TRUE(harness_.device().Fill(from + 4, 1, 4).ok());
  ASSERT_TRUE(harness_.device().CopyOnDevice(to, from, 256).ok());
  std::vector<Finding> found = Find("ld.global.u32 %r1, [%at0];", to, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("element 0 "), std::string::npos) << found[0].message;
}

TEST_F(UninitialisedTest, CopyingItToTheHostIsNoFinding) {
  uint32_t word = 0;
  EXPECT_TRUE(harness_.device().CopyFromDevice(&word, Raw(256), 4).ok());
  EXPECT_EQ(Describe(harness_.device().Findings()), "");
}

TEST_F(UninitialisedTest, StoresWriteForLaterReadsOfAnyLaunch) {
  DevicePtr p = Raw(4096);
  EXPECT_EQ(Describe(Find("st.global.u32 [%at0], %t; ld.global.u32 %r1, [%at0];", p, 128, 4)), "");
  EXPECT_EQ(Describe(Find("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%at0];", p, 1)), "");
  EXPECT_EQ(Find("ld.global.u32 %r1, [%at0+2048];", p, 32).size(), 1u);  // beyond what was stored
}

TEST_F(UninitialisedTest, StridedStoresWriteOnlyTheirOwnBytes) {
  std::string stride = "mul.wide.u32 %rd5, %t, 8; add.u64 %rd5, %rd5, %rd0; st.global.u32 [%rd5], %t;";
  DevicePtr p = Raw(4096);
  EXPECT_EQ(Describe(Find(stride + "ld.global.u32 %r1, [%rd5];", p)), "");
  EXPECT_EQ(Find("mul.wide.u32 %rd5, %t, 8; add.u64 %rd5, %rd5, %rd0; ld.global.u32 %r1, [%rd5+4];", p).size(), 1u);
}

TEST_F(UninitialisedTest, AtomicsReadToo) {
  EXPECT_EQ(Find(".loc 1 9 0\natom.global.add.u32 %r1, [%rd0], 1;", Raw(256)).size(), 1u);
}

TEST_F(UninitialisedTest, MemoryThatIsFreedAndGivenOutAgainIsFresh) {
  DevicePtr p = Raw(100000);
  ASSERT_TRUE(harness_.device().Fill(p, 0, 100000).ok());
  EXPECT_EQ(Describe(Find("ld.global.u32 %r1, [%at0];", p)), "");
  ASSERT_TRUE(harness_.device().Free(p).ok());
  DevicePtr q = Raw(100000);
  while (q != p) {  // addresses come back when all others have been used
    ASSERT_TRUE(harness_.device().Free(q).ok());
    q = Raw(100000);
  }
  EXPECT_EQ(Find("ld.global.u32 %r1, [%at0];", q).size(), 1u);
}

TEST_F(UninitialisedTest, ModuleVariablesAreInitialised) {
  harness_.Load(Kernel("ld.global.u32 %r1, [v]; ld.const.u32 %r2, [c];",
                       ".global .u32 v;\n.const .u32 c = 5;\n.shared .b8 tile[4096];"));
  EXPECT_EQ(Describe(harness_.Launch({1}, {32}, {0}).findings), "");
}

TEST_F(UninitialisedTest, MemoryThatTheHostWritesItselfCountsAsWritten) {
  DevicePtr p = Raw(256);
  harness_.device().MarkWritten(p, 256);
  EXPECT_EQ(Describe(Find("ld.global.u32 %r1, [%at0];", p)), "");
}

TEST_F(UninitialisedTest, SharedMemoryIsFreshInEachBlock) {
  std::string own = "mov.u32 %r1, tile; shl.b32 %r2, %t, 2; add.u32 %r1, %r1, %r2;";
  EXPECT_EQ(Describe(Find(own + "st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r3, [%r1];", 0, 64, 4)), "");
  // Only the first block stores.
  std::vector<Finding> found = Find(own + R"(
    mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 0; @%p1 st.shared.u32 [%r1], %t; bar.sync 0;
    .loc 1 30 0
    ld.shared.u32 %r3, [%r1];
  )",
                                    0, 64, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].block.x, 1u);
  EXPECT_EQ(found[0].message, "read element 0 of tile in shared memory, which nothing has written yet");
}

TEST_F(UninitialisedTest, AWordOfWhichSomeBytesAreWrittenIsTakenForPadding) {
  EXPECT_EQ(Describe(Find("mov.u32 %r1, tile; st.shared.u8 [%r1], %t; bar.sync 0; ld.shared.u32 %r3, [%r1];", 0, 1)),
            "");
}

TEST_F(UninitialisedTest, OneFindingForAVectorLoad) {
  DevicePtr p = Raw(256);
  ASSERT_TRUE(harness_.device().Fill(p, 0, 12).ok());
  std::vector<Finding> found = Find("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0];", p, 32);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("element 3 of d_in"), std::string::npos) << found[0].message;
}

TEST_F(UninitialisedTest, LocalArrays) {
  std::string scope = ".local .align 8 .b8 a[64];\n";
  EXPECT_EQ(Describe(Find("{ " + scope + "st.local.u32 [a+4], %t; ld.local.u32 %r1, [a+4]; add.u32 %r1, %r1, 1; }")),
            "");
  EXPECT_EQ(Find("{ " + scope + "st.local.u32 [a+4], %t; ld.local.u32 %r1, [a+8]; add.u32 %r1, %r1, 1; }").size(), 1u);
}

TEST_F(UninitialisedTest, CopyingALocalStructureWithItsPaddingIsNoUse) {
  EXPECT_EQ(Describe(Find("{ .local .align 8 .b8 a[64]; ld.local.u32 %r1, [a]; and.b32 %r1, %r1, 255; "
                          "st.local.u32 [a+8], %r1; }")),
            "");
}

TEST_F(UninitialisedTest, CanBeSwitchedOffAlone) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.uninitialised = false;
  KernelHarness harness(options);
  harness.Load(Kernel("ld.global.u32 %r1, [%at0]; ld.shared.u32 %r1, [tile];", kLines));
  Result<DevicePtr> raw = harness.device().Allocate(4096);
  EXPECT_EQ(Describe(harness.Launch({1}, {32}, {*raw}).findings), "");
}

}  // namespace
}  // namespace warpgrade::emulator
