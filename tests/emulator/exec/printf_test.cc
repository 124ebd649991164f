// printf and assert in kernels: nvcc calls vprintf with the generic addresses of the format and of a packed argument
// block.
#include <gtest/gtest.h>

#include <mutex>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

std::string Quoted(const std::string& text) {
  std::string bytes;
  for (unsigned char c : text) bytes += std::to_string(int{c}) + ", ";
  return bytes + "0";
}

// A kernel that prints `format` with an argument block that `fill` stores into [own+...].
std::string PrintKernel(const std::string& format, const std::string& fill) {
  return Kernel(".local .align 8 .b8 own[64]; .param .b64 f; .param .b64 a; .param .b32 n;\n" + fill +
                    "\nmov.u64 %rd10, text; cvta.global.u64 %rd10, %rd10; st.param.b64 [f], %rd10; mov.u64 %rd11, own; "
                    "cvta.local.u64 %rd11, %rd11;"
                    "st.param.b64 [a], %rd11; call.uni (n), vprintf, (f, a); ld.param.b32 %r30, [n];",
                ".extern .func (.param .b32 n) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 text[" +
                    std::to_string(format.size() + 1) + "] = {" + Quoted(format) +
                    "};\n.global .align 1 .b8 word[4] = {97, 98, 99, 0};\n");
}

std::string Printed(const std::string& format, const std::string& fill, uint32_t threads = 1) {
  KernelHarness harness;
  harness.Load(PrintKernel(format, fill));
  Ran ran = harness.Launch({1}, {threads}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  return harness.printed();
}

TEST(PrintfTest, AWidthMadeOfSeveralNumbersIsNoneAndKeepsNobodyBusy) {
  const std::string fill = "st.local.u32 [own], 512; st.local.u32 [own+4], 512; st.local.u32 [own+8], 512;";
  EXPECT_EQ(Printed("%***d", fill), "%***d");
  EXPECT_EQ(Printed("%*9d", fill), "%*9d");
  EXPECT_EQ(Printed("%9*d", fill), "%9*d");
  EXPECT_EQ(Printed("%*.*d", fill), std::string(509, '0') + "512");
}

TEST(PrintfTest, IntegersFloatsAndStringsAsInC) {
  std::string fill = R"(
    st.local.u32 [own], -5; st.local.u32 [own+4], 255; mov.f64 %fd1, 0d400921FB54442D18; st.local.f64 [own+8], %fd1;
    st.local.u64 [own+16], 0x123456789A; mov.u64 %rd4, word; cvta.global.u64 %rd4, %rd4; st.local.u64 [own+24], %rd4;
    st.local.u32 [own+32], 65;
  )";
  EXPECT_EQ(Printed("%d %#06x %8.3f|%llx|%-5s|%c %%\n", fill), "-5 0x00ff    3.142|123456789a|abc  |A %\n");
}

// As the programming guide says: how many arguments the format asks for, or -1 without a format.
TEST(PrintfTest, ReturnsHowManyArgumentsWerePrinted) {
  std::string scope = ".extern .func (.param .b32 n) vprintf(.param .b64 f, .param .b64 a);\n";
  for (auto [name, text] : {std::pair{"none", "plain 100%%"}, {"three", "%d of %*d"}}) {
    scope += std::string(".global .align 1 .b8 ") + name + "[] = {" + Quoted(text) + "};\n";
  }
  std::string call =
      "cvta.global.u64 %rd10, %rd10; st.param.b64 [f], %rd10; call.uni (n), vprintf, (f, a); ld.param.b32 ";
  std::vector<uint32_t> got = OutputOf(Kernel(R"(
    .local .align 8 .b8 own[16]; .param .b64 f; .param .b64 a; .param .b32 n;
    st.local.v4.u32 [own], {1, 2, 3, 4}; mov.u64 %rd11, own; cvta.local.u64 %rd11, %rd11; st.param.b64 [a], %rd11;
    mov.u64 %rd10, none; )" + call + R"(%r1, [n]; mov.u64 %rd10, three; )" +
                                                  call + R"(%r2, [n];
    mov.u64 %rd12, 0; st.param.b64 [f], %rd12; call.uni (n), vprintf, (f, a); ld.param.b32 %r3, [n];
    st.global.u32 [%rd0], %r1; st.global.u32 [%rd0+4], %r2; st.global.u32 [%rd0+8], %r3;
  )",
                                              scope),
                                       {1}, {1}, 3);
  EXPECT_EQ(got, (std::vector<uint32_t>{0, 3, static_cast<uint32_t>(-1)}));
}

TEST(PrintfTest, AStringThatIsNowhereIsAFinding) {
  KernelHarness harness;
  harness.Load(PrintKernel("%s|", "mov.u64 %rd4, 0x7000; st.local.u64 [own], %rd4;"));
  const Ran ran = harness.Launch({1}, {1}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].message,
            "printf or assert read a character of a string at 0x7000, which is not in device memory");
}

TEST(PrintfTest, LanesPrintInOrder) {
  EXPECT_EQ(Printed("<%d>", "st.local.u32 [own], %t;", 40).substr(0, 12), "<0><1><2><3>");
}

TEST(PrintfTest, AWidthFromAnArgument) {
  EXPECT_EQ(Printed("[%*d]", "st.local.u32 [own], 5; st.local.u32 [own+4], 42;"), "[   42]");
}

TEST(PrintfTest, HostileFormatsAreHarmless) {
  EXPECT_EQ(Printed("%", ""), "%");
  EXPECT_EQ(Printed("%5", ""), "%5");
  EXPECT_EQ(Printed("100%!", ""), "100%!");
  EXPECT_LT(Printed("%999999999d", "st.local.u32 [own], 1;").size(), 4096u);
  EXPECT_LT(Printed("%*d", "st.local.u32 [own], 2147483647; st.local.u32 [own+4], 1;").size(), 4096u);
  EXPECT_EQ(Printed("%s|", "st.local.u64 [own], 0;"), "|");
  EXPECT_EQ(Printed("%n", "st.local.u64 [own], 0;"), "%n");
}

TEST(PrintfTest, AFailedAssertNamesItsTextAndPlace) {
  KernelHarness harness;
  std::string scope =
      ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n.file 1 "
      "\"lab.cu\"\n";
  for (auto [name, text] : {std::pair{"message", "i < n"}, {"file", "lab.cu"}, {"function", "kernel"}}) {
    scope += std::string(".global .align 1 .b8 ") + name + "[] = {" + Quoted(text) + "};\n";
  }
  harness.Load(Kernel(R"(
    .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s; setp.lt.u32 %p1, %g, 70; @%p1 bra FINE;
    .loc 1 31 0
    mov.u64 %rd4, message; cvta.global.u64 %rd4, %rd4; st.param.b64 [m], %rd4; mov.u64 %rd4, file; cvta.global.u64 %rd4, %rd4;
    st.param.b64 [f], %rd4; st.param.b32 [l], 31; mov.u64 %rd4, function; cvta.global.u64 %rd4, %rd4; st.param.b64 [n], %rd4;
    st.param.b64 [s], 1; call __assertfail, (m, f, l, n, s);
    FINE:
  )",
                      scope));
  Ran ran = harness.Launch({3}, {32}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kAssert);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kAssert);
  EXPECT_EQ(ran.findings[0].line, 31);
  EXPECT_EQ(ran.findings[0].thread.x, 6u);
  EXPECT_EQ(ran.findings[0].message, "assertion `i < n` failed (lab.cu:31)");
}

}  // namespace
}  // namespace warpgrade::emulator
