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

// The messages of a kernel of one thread, or of `threads`.
std::vector<std::string> MessagesOf(const std::string& body, const std::string& arrays, uint32_t dynamic_bytes = 0,
                                    uint32_t threads = 1) {
  KernelHarness harness;
  harness.Load(Kernel(body, arrays));
  std::vector<std::string> messages;
  for (const Finding& f : harness.Launch({1}, {threads}, {harness.Allocate(64)}, dynamic_bytes).findings) {
    if (f.kind == FindingKind::kOutOfBounds) messages.push_back(f.message);
  }
  return messages;
}
using Messages = std::vector<std::string>;
constexpr const char* kTile = ".shared .align 4 .b8 tile[128];\n";

TEST(SharedAccessTest, OneElementPastTheEndOrBeforeTheStartIsNamed) {
  KernelHarness harness;
  harness.Load(Kernel(
      "mov.u32 %r1, tile; st.shared.u32 [%r1+128], 1;\nst.shared.u32 [%r1+-4], 1;\nst.shared.u32 [%r1+2], 1;", kTile));
  Ran ran = harness.Launch({1}, {1}, {});
  ASSERT_EQ(ran.findings.size(), 3u);
  EXPECT_EQ(
      ran.findings[0].message,
      "wrote element 32 of tile in shared memory, just past its end: tile has 128 bytes (32 elements of 4 bytes)");
  EXPECT_EQ(ran.findings[1].message,
            "wrote element -1 of tile in shared memory, 4 bytes before its start: tile has 128 bytes (32 elements of 4 "
            "bytes)");
  EXPECT_EQ(ran.findings[2].kind, FindingKind::kMisaligned);
}

TEST(SharedAccessTest, TheArrayThatTheAddressIsComputedFromIsNamed) {
  const char* two = ".shared .align 4 .b8 first[128];\n.shared .align 4 .b8 second[64];\n";
  const std::string element = "shl.b32 %r3, %t, 2; add.s32 %r4, %r1, %r3; ld.shared.u32 %r5, [%r4+192]; ";
  const std::string uses_both = "st.shared.u32 [first], 1; st.shared.u32 [second], 1; ";
  EXPECT_EQ(MessagesOf(uses_both + "mov.u32 %r1, first;" + element, two),
            Messages{"read element 48 of first in shared memory, 64 bytes past its end: first has 128 bytes (32 "
                     "elements of 4 bytes)"});
  EXPECT_EQ(MessagesOf(uses_both + "mov.u32 %r1, second;" + element, two),
            Messages{"read element 48 of second in shared memory, 128 bytes past its end: second has 64 bytes (16 "
                     "elements of 4 bytes)"});
}

// The pointer moves on in a loop, and the index comes from the other array.
TEST(SharedAccessTest, TheArrayIsFoundThroughALoop) {
  const char* two = ".shared .align 4 .b8 indices[16];\n.shared .align 4 .b8 values[64];\n";
  EXPECT_EQ(MessagesOf("st.shared.u32 [indices], 64; mov.u32 %r1, values; mov.u32 %r2, 0; LOOP: "
                       "ld.shared.u32 %r3, [indices]; add.s32 %r4, %r1, %r3; st.shared.u32 [%r4], 1; "
                       "add.s32 %r1, %r1, 4; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 2; @%p1 bra LOOP;",
                       two),
            Messages{"wrote element 16 of values in shared memory, just past its end: values has 64 bytes (16 elements "
                     "of 4 bytes)"});
}

TEST(SharedAccessTest, WhereTheArrayIsNotKnownTheByteOfSharedMemoryIsNamed) {
  const char* two = ".shared .align 4 .b8 first[128];\n.shared .align 4 .b8 second[64];\n";
  const std::string either =
      "mov.u32 %r1, first; mov.u32 %r2, second; setp.eq.u32 %p1, %t, 0; "
      "selp.b32 %r3, %r1, %r2, %p1; st.shared.u32 [%r3+";
  EXPECT_EQ(MessagesOf(either + "192], 1;", two),
            Messages{"wrote 4 bytes of shared memory at byte 192; the block has 192 bytes of it"});
  EXPECT_EQ(MessagesOf(either + "-4], 1;", two),
            Messages{"wrote 4 bytes of shared memory 4 bytes before its start; the block has 192 bytes of it"});
}

TEST(SharedAccessTest, ADynamicArrayEndsWhereTheLaunchSays) {
  const char* dynamic = ".extern .shared .align 16 .b8 tile[];\n";
  const std::string body = "shl.b32 %r1, %t, 2; mov.u32 %r2, tile; add.s32 %r1, %r1, %r2; st.shared.f32 [%r1], %f1;";
  EXPECT_EQ(
      MessagesOf(body, dynamic, 64, 64),
      Messages{"wrote element 16 of tile in shared memory, just past its end: this launch gives tile 64 bytes (16 "
               "elements of 4 bytes)"});
  EXPECT_EQ(MessagesOf(body, dynamic), Messages{"wrote element 0 of tile in shared memory, just past its end: this "
                                                "launch gives tile 0 bytes"});
}

TEST(SharedAccessTest, AnAccessOfSeveralElementsNamesThemAll) {
  EXPECT_EQ(MessagesOf("ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile+112];", ".shared .align 16 .b8 tile[120];\n"),
            Messages{"read elements 28 to 31 of tile in shared memory, the access goes 8 bytes past its end: tile has "
                     "120 bytes (30 elements of 4 bytes)"});
  EXPECT_EQ(MessagesOf("ld.shared.u16 %h1, [tile+127];", kTile),
            Messages{"read bytes 127 to 128 of tile in shared memory, the access goes 1 byte past its end: tile has "
                     "128 bytes"});
}

}  // namespace
}  // namespace warpgrade::emulator
