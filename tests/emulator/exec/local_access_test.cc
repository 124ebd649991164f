// Local memory, and accesses through generic addresses whose space is found when they run.
#include <gtest/gtest.h>

#include <cstring>

#include "grader/emulator/program/address_space.h"
#include "tests/emulator/exec/form.h"
#include "tests/emulator/exec/kernel_harness.h"
#include "tests/emulator/exec/memory_form.h"

namespace warpgrade::emulator {

std::vector<std::string> LocalAccessKeys() {
  std::vector<std::string> keys = AtomicKeys(kGenericGlobal);
  keys.push_back("local.address");
  for (const MemorySpace& space : {kLocalSpace, kGenericGlobal}) {
    for (auto more : {LoadKeys, StoreKeys}) {
      for (std::string& key : more(space)) keys.push_back(key);
    }
  }
  return keys;
}

namespace {

TEST(LocalAccessTest, LoadsOfEveryWidth) { CheckLoads(kLocalSpace); }
TEST(LocalAccessTest, StoresStayWithinTheirThread) { CheckStores(kLocalSpace); }

class GenericAccessTest : public ::testing::TestWithParam<const MemorySpace*> {};
TEST_P(GenericAccessTest, Loads) { CheckLoads(*GetParam()); }
TEST_P(GenericAccessTest, Stores) { CheckStores(*GetParam()); }
TEST_P(GenericAccessTest, Atomics) {
  if (GetParam()->atomics) CheckAtomics(*GetParam());
}
INSTANTIATE_TEST_SUITE_P(Spaces, GenericAccessTest,
                         ::testing::Values(&kGenericGlobal, &kGenericShared, &kGenericLocal));

TEST(LocalAccessTest, TheAddressOfALocalVariableIsTakenByItsHandler) {
  EXPECT_TRUE(
      Reaches(Kernel(".local .align 8 .b8 own[16]; mov.u64 %rd4, own; st.local.u32 [%rd4], 1;"), "local.address"));
}

TEST(LocalAccessTest, OneGenericLoadMayReachFourSpaces) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    .local .align 4 .b8 own[4]; st.local.u32 [own], 11; st.shared.u32 [tile], 22;
    mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4; mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5;
    mov.b64 %rd6, p3; cvta.param.u64 %rd6, %rd6; cvta.global.u64 %rd7, word;
    setp.eq.u32 %p1, %t, 1; selp.b64 %rd4, %rd5, %rd4, %p1; setp.eq.u32 %p1, %t, 2; selp.b64 %rd4, %rd6, %rd4, %p1;
    setp.eq.u32 %p1, %t, 3; selp.b64 %rd4, %rd7, %rd4, %p1;
    ld.u32 %r1, [%rd4]; st.global.u32 [%at0], %r1;
  )",
                      ".shared .align 4 .b8 tile[4];\n.global .align 4 .u32 word = 44;\n"));
  DevicePtr out = harness.Allocate(16);
  Ran ran = harness.Launch({1}, {4}, {out, 0, 0, 33});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(harness.Download<uint32_t>(out, 4), (std::vector<uint32_t>{11, 22, 33, 44}));
}

// The header's line is no line that a student can change.
TEST(LocalAccessTest, AFindingInAFunctionOfAHeaderNamesTheLineOfTheCall) {
  const std::string headers = R"(
    .file 1 "/usr/local/cuda/targets/x86_64-linux/include/crt/mma.hpp"
    .file 2 "a.cu"
    .func inner(.param .b64 q) { .reg .b64 %a; .reg .b32 %v; .loc 1 70 1
      ld.param.u64 %a, [q]; ld.u32 %v, [%a]; ret; }
    .func outer(.param .b64 q) { .reg .b64 %a; .loc 1 90 1
      ld.param.u64 %a, [q]; { .param .b64 z; st.param.b64 [z], %a; call inner, (z); } ret; }
    .func own(.param .b64 q) { .reg .b64 %a; .loc 2 7 1
      ld.param.u64 %a, [q]; { .param .b64 z; st.param.b64 [z], %a; .loc 2 8 1
      call outer, (z); } .loc 2 9 1
      ret; }
  )";
  KernelHarness harness;
  harness.Load(Kernel(".loc 2 20 1\n { .param .b64 z; st.param.b64 [z], %rd0; call own, (z); }", headers));
  const Ran ran = harness.Launch({1}, {1}, {kLocalWindow + 4096});
  ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].file, "a.cu");
  EXPECT_EQ(ran.findings[0].line, 8);

  KernelHarness inlined;  // without a caller elsewhere, the header's line is all there is
  inlined.Load(Kernel(".loc 1 70 1\n ld.u32 %r1, [%rd0];", headers));
  const Ran alone = inlined.Launch({1}, {1}, {kLocalWindow + 4096});
  ASSERT_EQ(alone.findings.size(), 1u) << Describe(alone.findings);
  EXPECT_EQ(alone.findings[0].line, 70);
}

// Parameters do not count as memory, so an access to them may not reach anything else. The window of the parameters is
// added to the register's value, so a program that knows it can take it away again.
TEST(LocalAccessTest, AnAccessToParametersReachesNothingElse) {
  const std::string window = std::to_string(kParamWindow);
  const struct {
    std::string code, message;
  } ways[] = {
      {"sub.u64 %rd4, %rd1, " + window + "; ld.param.u32 %r1, [%rd4]; st.global.u32 [%rd0], %r1;",
       "ld.param read an address that is not among the kernel's parameters"},
      {"cvta.shared.u64 %rd4, 0; sub.u64 %rd4, %rd4, " + window + "; ld.param.u32 %r1, [%rd4];",
       "ld.param read an address that is not among the kernel's parameters"},
      {"sub.u64 %rd4, %rd0, " + window + "; st.param.u32 [%rd4], 7;",
       "st.param wrote through a register; a kernel's parameters can only be read"},
  };
  for (const auto& way : ways) {
    SCOPED_TRACE(way.code);
    KernelHarness harness;
    harness.Load(Kernel(way.code));
    const DevicePtr out = harness.Upload<uint32_t>({1}), in = harness.Upload<uint32_t>({1});
    const Ran ran = harness.Launch({1}, {1}, {out, in});
    EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
    ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
    EXPECT_EQ(ran.findings[0].message, way.message);
    EXPECT_NE(harness.Download<uint32_t>(out, 1)[0], 7u);
  }
}

TEST(LocalAccessTest, AnIndexPastALocalArrayIsNamed) {
  KernelHarness harness;
  harness.Load(
      Kernel(".local .align 16 .b8 own[16]; mov.u64 %rd4, own; mul.wide.u32 %rd5, %t, 4; add.u64 %rd4, %rd4, %rd5;"
             "st.local.u32 [%rd4], 1;"));
  EXPECT_EQ(harness.Launch({1}, {4}, {}).status, LaunchStatus::kOk);
  Ran ran = harness.Launch({1}, {5}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].thread.x, 4u);
  EXPECT_EQ(ran.findings[0].message,
            "wrote 4 bytes outside the thread's local arrays (byte 16 of 16): is an index of a local array too large "
            "or negative?");
}

TEST(LocalAccessTest, AnAtomicOnLocalMemoryIsReportedWithItsAddress) {
  for (const auto& [add, at] : {std::pair("", kLocalWindow + 4), std::pair("-8", kLocalWindow - 4)}) {
    KernelHarness harness;
    harness.Load(Kernel(std::string(".local .align 4 .b8 own[8]; mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4;") +
                        "add.u64 %rd4, %rd4, 4; atom.add.u32 %r1, [%rd4" + add + "], 1;"));
    const Ran ran = harness.Launch({1}, {4}, {});
    EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
    ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kOutOfBounds);
    EXPECT_EQ(ran.findings[0].count, 4u);
    EXPECT_EQ(ran.findings[0].address, at);
    EXPECT_EQ(ran.findings[0].message,
              "did an atomic on the thread's own local memory; atomics are for global and shared memory");
  }
}

TEST(LocalAccessTest, AnAtomicOrAStoreToAParameterIsReportedWithItsAddress) {
  for (const char* access : {"st.u32 [%rd4+4], 7;", "atom.add.u32 %r1, [%rd4+4], 7;"}) {
    KernelHarness harness;
    harness.Load(Kernel(std::string("mov.b64 %rd4, p3; cvta.param.u64 %rd4, %rd4;") + access));
    const Ran ran = harness.Launch({1}, {1}, {});
    EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
    ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
    EXPECT_EQ(ran.findings[0].address & ~uint64_t{0xff}, kParamWindow) << ran.findings[0].message;
    EXPECT_EQ(ran.findings[0].message, "wrote to a parameter of the kernel; parameters can only be read");
  }
}

// Nothing of the frame may lie behind the arrays: neither what rounds its size up, nor the parameters of a call.
TEST(LocalAccessTest, AnIndexJustPastAnArrayOfOddSizeIsNamed) {
  const std::string own = ".local .align 4 .b8 own[12]; .param .align 4 .b8 p[8]; ";
  for (const char* code : {"mov.u64 %rd4, own; st.local.u32 [%rd4+12], 1;",
                           "mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4; st.u32 [%rd4+12], 1;"}) {
    SCOPED_TRACE(code);
    KernelHarness harness;
    harness.Load(Kernel(own + code));
    const Ran ran = harness.Launch({1}, {1}, {});
    ASSERT_EQ(ran.findings.size(), 1u);
    EXPECT_EQ(ran.findings[0].kind, FindingKind::kOutOfBounds);
    EXPECT_TRUE(IsLocalAddress(ran.findings[0].address));
  }
}

TEST(LocalAccessTest, AnIndexBeforeALocalArrayIsNamed) {
  KernelHarness harness;
  harness.Load(
      Kernel(".local .align 4 .b8 own[12]; mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4; ld.u32 %r1, [%rd4-8];"));
  const Ran ran = harness.Launch({1}, {1}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_TRUE(IsLocalAddress(ran.findings[0].address));
  EXPECT_EQ(ran.findings[0].message,
            "read 4 bytes outside the thread's local arrays (byte -8 of 12): is an index of a local array too large or "
            "negative?");
}

TEST(LocalAccessTest, AFindingInSharedOrDeviceMemoryHasNoLocalAddress) {
  KernelHarness harness;
  harness.Load(Kernel("st.u32 [%rd0+4], 1;\nst.shared.u32 [tile+4], 1;", ".shared .align 4 .b8 tile[4];\n"));
  const DevicePtr out = harness.Allocate(4);
  const Ran ran = harness.Launch({1}, {1}, {out});
  ASSERT_EQ(ran.findings.size(), 2u) << Describe(ran.findings);
  for (const Finding& finding : ran.findings) EXPECT_FALSE(IsLocalAddress(finding.address)) << finding.message;
}

TEST(LocalAccessTest, LocalMemoryIsCountedInRequestsAndBytes) {
  KernelHarness harness;
  harness.Load(
      Kernel(".local .align 16 .b8 own[16]; st.local.v4.u32 [own], {%t, %t, %t, %t}; setp.lt.u32 %p1, %t, 8; @%p1 "
             "ld.local.u32 %r1, [own];"));
  Ran ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(ran.counters().local_requests, 2u);
  EXPECT_EQ(ran.counters().local_bytes, 32u * 16 + 8 * 4);
  EXPECT_EQ(ran.counters().global_load_requests, 0u);
}

// nvcc moves the parameter's name into a register, adds to it, and loads with ld.param.
TEST(KernelParameterTest, AreIndexedAtRunTimeByTheirNameInARegister) {
  KernelHarness harness;
  harness.Load(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p0, .param .align 4 .b8 p1[6000]) {
  .reg .b32 %r<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [p0]; mov.u32 %r0, %tid.x; mov.b64 %rd1, p1; mul.wide.u32 %rd2, %r0, 180;
  add.s64 %rd3, %rd1, %rd2; ld.param.u32 %r1, [%rd3+4];
  mul.wide.u32 %rd4, %r0, 4; add.s64 %rd5, %rd0, %rd4; st.global.u32 [%rd5], %r1; ret;
}
)");
  const KernelInfo& info = harness.device().Kernel(harness.kernel());
  LaunchRequest request;
  request.kernel = harness.kernel();
  request.block = {32};
  request.parameters.resize(info.parameter_bytes);
  const DevicePtr out = harness.Allocate(32 * 4);
  std::memcpy(request.parameters.data() + info.parameter_offsets[0], &out, 8);
  for (uint32_t k = 0; k < 1500; ++k) {
    std::memcpy(request.parameters.data() + info.parameter_offsets[1] + 4 * k, &k, 4);
  }
  EXPECT_EQ(harness.device().Launch(request), LaunchStatus::kOk);
  const std::vector<uint32_t> got = harness.Download<uint32_t>(out, 32);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(got[t], t * 45 + 1);
}

}  // namespace
}  // namespace warpgrade::emulator
