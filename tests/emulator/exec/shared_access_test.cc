// ld, st, atom and red on shared memory, by 64-bit and by 32-bit addresses.
#include <gtest/gtest.h>

#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/memory_form.h"

namespace warpgrade::emulator {

std::vector<std::string> SharedAccessKeys() {
  std::vector<std::string> keys;
  for (const MemorySpace& space : {kSharedSpace, kShared32Space}) {
    for (auto more : {LoadKeys, StoreKeys, AtomicKeys}) {
      for (std::string& key : more(space)) keys.push_back(key);
    }
  }
  return keys;
}

namespace {

TEST(SharedAccessTest, LoadsBy64BitAddresses) { CheckLoads(kSharedSpace); }
TEST(SharedAccessTest, StoresBy64BitAddresses) { CheckStores(kSharedSpace); }
TEST(SharedAccessTest, AtomicsBy64BitAddresses) { CheckAtomics(kSharedSpace); }
TEST(SharedAccessTest, LoadsBy32BitAddresses) { CheckLoads(kShared32Space); }
TEST(SharedAccessTest, StoresBy32BitAddresses) { CheckStores(kShared32Space); }
TEST(SharedAccessTest, AtomicsBy32BitAddresses) { CheckAtomics(kShared32Space); }

// nvcc computes s[tid - 1] .. s[tid + 1] from one register that is -4 for thread 0.
TEST(SharedAccessTest, A32BitBaseBelowZeroAndAPositiveOffsetMeetInside) {
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    mov.u32 %r1, tile; shl.b32 %r2, %t, 2; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %t; bar.sync 0;
    add.u32 %r1, %r1, -4; ld.shared.u32 %r3, [%r1+4]; st.global.u32 [%at0], %r3;
  )",
                                              ".shared .align 4 .b8 tile[128];\n"),
                                       {1}, {32}, 32);
  for (uint32_t k = 0; k < 32; ++k) EXPECT_EQ(got[k], k);
}

TEST(SharedAccessTest, DynamicSharedMemoryFollowsTheStaticOne) {
  KernelHarness harness;
  harness.Load(Kernel(
      "mov.u32 %r1, dynamic; mov.u32 %r2, fixed; st.shared.u32 [%r1], 7; st.shared.u32 [%r2], 8;"
      "ld.shared.u32 %r3, [dynamic]; st.global.u32 [%rd0], %r3; sub.u32 %r1, %r1, %r2; st.global.u32 [%rd0+4], %r1;",
      ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 fixed[20];\n"));
  DevicePtr out = harness.Allocate(8);
  Ran ran = harness.Launch({1}, {1}, {out}, 4);
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(harness.Download<uint32_t>(out, 2), (std::vector<uint32_t>{7, 32}));
  EXPECT_EQ(ran.record.shared_bytes, 36u);
  ran = harness.Launch({1}, {1}, {out}, 0);
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
}

TEST(SharedAccessTest, OneElementPastTheEndOrBeforeTheStartIsNamed) {
  KernelHarness harness;
  harness.Load(
      Kernel("mov.u32 %r1, tile; st.shared.u32 [%r1+128], 1;\nst.shared.u32 [%r1+-4], 1;\nst.shared.u32 [%r1+2], 1;",
             ".shared .align 4 .b8 tile[128];\n"));
  Ran ran = harness.Launch({1}, {1}, {});
  ASSERT_EQ(ran.findings.size(), 3u);
  EXPECT_EQ(ran.findings[0].message, "wrote 4 bytes of shared memory at byte 128; the block has 128 bytes of it");
  EXPECT_EQ(ran.findings[1].message,
            "wrote 4 bytes of shared memory 4 bytes before its start; the block has 128 bytes of it");
  EXPECT_EQ(ran.findings[2].kind, FindingKind::kMisaligned);
}

}  // namespace
}  // namespace warpgrade::emulator
