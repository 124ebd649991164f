// Kernels that ask for what no compiler writes, to reach the memory of the process that runs them: the judge's, when it
// grades. Each ends with an error of its own, and nothing outside the emulated device is read or written.
#include <gtest/gtest.h>

#include "grader/emulator/machine/control.h"
#include "tests/demangle/hostile_names.h"
#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

Ran Launched(const std::string& ptx) {
  KernelHarness harness;
  harness.Load(ptx);
  return harness.Launch({1}, {32}, {});
}

std::string FirstMessage(const Ran& ran) { return ran.findings.empty() ? "no finding" : ran.findings[0].message; }

TEST(HostileKernelTest, ReadingPastTheParametersStaysInsideOfThem) {
  for (const char* place : {"p3+8", "p3+4", "p0+-8", "p0+1048576", "p0+-1048576", "p0+70368744177664"}) {
    const Ran ran = Launched(Kernel(std::string("ld.param.u64 %rd4, [") + place + "];"));
    EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress) << place;
    EXPECT_EQ(FirstMessage(ran), "read past the end of the kernel's parameters") << place;
  }
  EXPECT_EQ(Launched(Kernel("ld.param.v2.u64 {%rd4, %rd5}, [p3];")).status, LaunchStatus::kIllegalAddress);
  EXPECT_EQ(Launched(Kernel("ld.param.v2.u64 {%rd4, %rd5}, [p2];")).status, LaunchStatus::kOk);
}

TEST(HostileKernelTest, ParametersWhoseSizesWrapRoundAreNoSmallBlock) {
  KernelHarness harness;
  harness.Load(kHead +
               ".entry k(.param .b8 a[4294967295], .param .b8 b[17]) { .reg .b32 %r; ld.param.u32 %r, [b]; ret; }");
  EXPECT_EQ(harness.device().Kernel(harness.kernel()).parameter_bytes, ~uint32_t{0});
  LaunchRequest request;
  request.kernel = harness.kernel();
  request.parameters.resize(16);
  EXPECT_EQ(harness.device().Launch(request), LaunchStatus::kInvalidConfiguration);
}

TEST(HostileKernelTest, MoreLocalMemoryThanAThreadHasIsRefused) {
  for (const char* arrays :
       {".local .b8 a[524304];", ".local .b8 a[2147483649];", ".local .b8 a[4294967295];",
        ".local .b8 a[2147483648]; .local .b8 b[2147483648]; .local .b8 c[64];", ".local .b8 a[1099511627776];"}) {
    EXPECT_EQ(Launched(Kernel(arrays)).status, LaunchStatus::kTooManyResources) << arrays;
  }
  EXPECT_EQ(Launched(Kernel(".local .b8 a[524288];")).status, LaunchStatus::kOk);
}

TEST(HostileKernelTest, SharedMemoryWhoseSizesWrapRoundIsRefused) {
  const Ran ran = Launched(Kernel(
      ".shared .b8 a[4294967295]; .shared .b8 b[100]; mov.u32 %r1, a; mov.u32 %r2, b; st.shared.u32 [%r2], %r1;"));
  EXPECT_EQ(ran.status, LaunchStatus::kInvalidConfiguration);
}

TEST(HostileKernelTest, ArgumentsWhoseSizesWrapRoundAreNotCopied) {
  const std::string callee = ".func f(.param .b8 a[4294967290], .param .b8 b[4294967290]) { ret; }\n";
  EXPECT_EQ(Launched(Kernel(".param .b8 p[4294967290]; .param .b8 q[4294967290]; call f, (p, q);", callee)).status,
            LaunchStatus::kTooManyResources);
  EXPECT_EQ(Launched(Kernel(".param .b8 p[64]; .param .b8 q[64]; call f, (p, q);", callee)).status,
            LaunchStatus::kHardwareStackError);
}

TEST(HostileKernelTest, AnIndirectCallWhoseArgumentsTheCalleeDoesNotTakeIsNamed) {
  const std::string callee = ".func f() { ret; }\n";
  const Ran more = Launched(Kernel(R"(
    .param .b8 a[400000]; mov.u64 %rd4, f;
    p: .callprototype _ (.param .b8 _[400000]);
    call %rd4, (a), p;)",
                                   callee));
  EXPECT_EQ(more.status, LaunchStatus::kIllegalAddress);
  EXPECT_EQ(FirstMessage(more), "called f as a function with other parameters than it has");
  const Ran result = Launched(Kernel(R"(
    .param .b8 x[400000]; mov.u64 %rd4, f;
    p: .callprototype (.param .b8 _[400000]) _ ();
    call (x), %rd4, (), p;)",
                                     callee));
  EXPECT_EQ(result.status, LaunchStatus::kIllegalAddress);
}

TEST(HostileKernelTest, ACallToWhatHasNoCodeIsNamed) {
  // Function addresses lie 16 bytes apart: the kernel's own place, a declared function, another kernel, one too many.
  const std::string others = ".extern .func declared();\n.entry other() { ret; }\n.func f() { ret; }\n";
  for (int place : {0, 1, 2, 4, 5}) {
    const Ran ran = Launched(Kernel("mov.u64 %rd5, f; mov.u64 %rd4, " + std::to_string(kFunctionBase + 16 * place) +
                                        "; p: .callprototype _ ();\ncall %rd4, (), p;",
                                    others));
    EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress) << place;
    EXPECT_EQ(FirstMessage(ran), "called an address that is not the start of a function") << place;
  }
}

TEST(HostileKernelTest, FramesOfARecursionAreBoundedInBytesToo) {
  const Ran ran =
      Launched(Kernel("call f, ();", ".func f() { .reg .b64 %many<200>; mov.u64 %many199, 1; call f, (); ret; }\n"));
  EXPECT_EQ(ran.status, LaunchStatus::kHardwareStackError);
  EXPECT_LT(ran.counters().warp_instructions, 3000u);  // 50 KB each: some 600 calls
}

TEST(HostileKernelTest, AKernelWithRegistersByTheHundredThousandIsRefused) {
  EXPECT_EQ(Launched(Kernel(".reg .b64 %many<200000>; mov.u64 %many7, 1;")).status, LaunchStatus::kTooManyResources);
}

TEST(HostileKernelTest, AKernelWhoseNameHasAnEndlessTextKeepsItsName) {
  const std::string name = NameThatDoubles(21);
  KernelHarness harness;
  harness.Load(kHead + ".entry " + name + "() { ret; }", name);
  EXPECT_EQ(harness.device().Kernel(harness.kernel()).demangled, name);
}

TEST(HostileKernelTest, AModuleVariableWithoutAValueIsZero) {
  const Ran ran = Launched(Kernel("mov.u64 %rd4, v; ld.global.u32 %r1, [%rd4]; setp.ne.u32 %p1, %r1, 0; @%p1 trap;",
                                  ".global .align 4 .b8 v[4];\n"));
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
}

}  // namespace
}  // namespace warpgrade::emulator
