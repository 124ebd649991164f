#include "grader/build/diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::build {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CompilerDiagnosticsTest, ShortensPathsRestoresKeywordsAndDropsCounts) {
  EXPECT_EQ(CompilerDiagnostics("/tmp/work/v1.cu(3): error: identifier \"y\" is undefined\n"
                                "  __attribute__((global)) void k(int*p){p[0]=y;}\n"
                                "                                             ^\n"
                                "\n"
                                "1 error detected in the compilation of \"v1.cu\".\n",
                                "/tmp/work", "v1.cu(9)", 5),
            "v1.cu(3): error: identifier \"y\" is undefined\n"
            "  __global__ void k(int*p){p[0]=y;}\n"
            "                                ^\n");
}

TEST(CompilerDiagnosticsTest, ErrorsGoBeforeWarningsAndAreCounted) {
  std::string output = "v1.cu(1): warning #177-D: unused\n";
  for (int i = 2; i < 9; ++i) output += "v1.cu(" + std::to_string(i) + "): error: wrong\n  detail\n";
  const std::string shown = CompilerDiagnostics(output, "/w", "v1.cu(9)", 2);
  EXPECT_EQ(shown, "v1.cu(2): error: wrong\n  detail\nv1.cu(3): error: wrong\n  detail\nand 5 more errors\n");
}

TEST(CompilerDiagnosticsTest, OneMoreMessageIsNamedInTheSingular) {
  auto lines = [](const std::string& kind) { return "v1.cu(1): " + kind + ": a\nv1.cu(2): " + kind + ": b\n"; };
  EXPECT_THAT(CompilerDiagnostics(lines("error"), "/w", "v1.cu(9)", 1), HasSubstr("\nand 1 more error\n"));
  EXPECT_THAT(CompilerDiagnostics(lines("warning #177-D"), "/w", "v1.cu(9)", 1), HasSubstr("\nand 1 more warning\n"));
  EXPECT_THAT(LinkDiagnostics("v1.o: undefined reference to `a'\nv1.o: undefined reference to `b'\n", "v1.cu", "v1.o",
                              "lab1.h", 1),
              HasSubstr("\nand 1 more error\n"));
}

TEST(CompilerDiagnosticsTest, TheEndOfTheFileHasItsLine) {
  EXPECT_EQ(CompilerDiagnostics("At end of source: error: expected a \";\"\n\n1 error detected in the compilation of "
                                "\"v1.cu\".\n",
                                "/w", "v1.cu(9)", 5),
            "v1.cu(9): error: expected a \";\"\n");
}

TEST(CompilerDiagnosticsTest, WarningsAreShownWhenThereIsNoError) {
  EXPECT_EQ(CompilerDiagnostics("v1.cu(1): warning #177-D: unused\n"
                                "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n",
                                "/w", "v1.cu(9)", 5),
            "v1.cu(1): warning #177-D: unused\n");
}

TEST(CompilerDiagnosticsTest, UnderstandsTheHostCompiler) {
  EXPECT_EQ(CompilerDiagnostics("In file included from ./labs/lab1/lab1.h:3,\n"
                                "                 from v1.cu:1:\n"
                                "v1.cu:2:10: fatal error: missing.h: No such file or directory\n"
                                "    2 | #include \"missing.h\"\n"
                                "      |          ^~~~~~~~~~~\n"
                                "compilation terminated.\n",
                                "/w", "v1.cu(9)", 5),
            "v1.cu:2:10: fatal error: missing.h: No such file or directory\n"
            "    2 | #include \"missing.h\"\n"
            "      |          ^~~~~~~~~~~\n");
}

TEST(CompilerDiagnosticsTest, UnderstandsTheAssembler) {
  EXPECT_EQ(CompilerDiagnostics("ptxas error   : Entry function '_Z1kv' uses too much shared data (0x10000 bytes)\n",
                                "/w", "v1.cu(9)", 5),
            "ptxas error   : Entry function '_Z1kv' uses too much shared data (0x10000 bytes)\n");
}

TEST(CompilerDiagnosticsTest, SaysThatAnAsmStatementIsWrongAndNotAFileThatNobodyKnows) {
  EXPECT_EQ(CompilerDiagnostics("tmp/cctKn8j7.s: Assembler messages:\n"
                                "tmp/cctKn8j7.s:6: Error: no such instruction: `bogus %eax'\n",
                                "/w", "v1.cu(9)", 5),
            "v1.cu:1: error: an asm statement in host code is no valid assembly: no such instruction: `bogus %eax'; "
            "correct it, or remove it\n");
}

TEST(CompilerDiagnosticsTest, WhatIsNotUnderstoodIsKept) {
  EXPECT_EQ(CompilerDiagnostics("sh: 1: something: strange\n", "/w", "v1.cu(9)", 5), "sh: 1: something: strange\n");
}

TEST(CompilerDiagnosticsTest, IsPrintableAndNotEndless) {
  const std::string shown = CompilerDiagnostics(
      "v1.cu(1): error: \x1b[31mred\x07\t!\n  " + std::string(10000, 'x') + "\n", "/w", "v1.cu(9)", 5);
  EXPECT_THAT(shown, HasSubstr("v1.cu(1): error: [31mred  !\n"));
  EXPECT_LT(shown.size(), 400u);
}

TEST(CompilerDiagnosticsTest, TheSameErrorOfSeveralInstancesIsShownOnce) {
  EXPECT_EQ(CompilerDiagnostics("v1.cu(4): error: bad\nv1.cu(4): error: bad\n", "/w", "v1.cu(9)", 5),
            "v1.cu(4): error: bad\n");
}

std::string Link(std::string_view output) { return LinkDiagnostics(output, "v1.cu", "v1.o", "labs/lab1/lab1.h", 5); }

TEST(LinkDiagnosticsTest, AFunctionThatTheAdapterMissesIsOneThatTheHeaderAsksFor) {
  EXPECT_EQ(Link("/usr/bin/ld: /kit/liblab1_adapter.a(adapter.cc.o): in function `Call':\n"
                 "adapter.cc:(.text+0x1): undefined reference to `void reduce<int>(int const*)'\n"
                 "/usr/bin/ld: adapter.cc:(.text+0x9): undefined reference to `void reduce<int>(int const*)'\n"
                 "collect2: error: ld returned 1 exit status\n"),
            "v1.cu: does not define void reduce<int>(int const*); keep the name and the parameters that "
            "labs/lab1/lab1.h declares\n");
}

TEST(LinkDiagnosticsTest, AFunctionThatTheStudentUsesIsTheirs) {
  EXPECT_EQ(Link("/usr/bin/ld: v1.o: in function `more()':\n"
                 "v1.cu:(.text+0x5): undefined reference to `helper(int)'\n"
                 "collect2: error: ld returned 1 exit status\n"),
            "v1.cu: uses helper(int), which is not defined; define it in this file\n");
}

TEST(LinkDiagnosticsTest, ASecondMainOrSymbolIsExplained) {
  EXPECT_THAT(
      Link("/usr/bin/ld: libworker.a(main.cc.o): in function `main':\n"
           "main.cc:(.text.startup+0x0): multiple definition of `main'; v1.o:v1.cu:(.text+0x0): first defined here\n"),
      HasSubstr("v1.cu: defines main(), but the program of the grader has its own; remove yours"));
  EXPECT_THAT(
      Link("/usr/bin/ld: a.a(b.o): in function `f':\nb:(.text+0x0): multiple definition of `warpgrade_lab_call'; "
           "v1.o:v1.cu:(.text+0x0): first defined here\n"),
      HasSubstr("v1.cu: defines warpgrade_lab_call, but the program of the grader also defines it"));
}

TEST(LinkDiagnosticsTest, WhatTheLinkerSaysOfTheStudentsObjectIsExplained) {
  EXPECT_EQ(Link("/usr/bin/ld: v1.o: relocation truncated to fit\ncollect2: error: ld returned 1 exit status\n"),
            ("v1.cu: cannot be linked with the grader: v1.o: relocation truncated to fit; does an asm statement "
             "or an attribute make symbols or sections?\n"));
}

TEST(LinkDiagnosticsTest, WhatIsNotUnderstoodIsKept) {
  EXPECT_EQ(Link("/usr/bin/ld: cannot find -lfoo: No such file or directory\n"),
            "/usr/bin/ld: cannot find -lfoo: No such file or directory\n");
}

// A string in an asm statement, or the name of a symbol, may be as long as the file.
TEST(DiagnosticsTest, ALineMayBeAsLongAsTheOutput) {
  const std::string text(size_t{1} << 20, 'a');
  const char* const end = "v1.cu(9): error: end\n";
  for (const std::string& line : {"tmp/cc1.s:6: Error: no such instruction: `" + text + "'\n",
                                  "v1.cu(3): error: identifier \"" + text + "\" is undefined\n", text + "\n"}) {
    EXPECT_FALSE(CompilerDiagnostics(line, "/tmp/work", end, 20).empty());
  }
  for (const std::string& line : {"v1.o: undefined reference to `" + text + "'\n",
                                  "/usr/bin/ld: v1.o: multiple definition of `" + text + "'; a.o: here\n"}) {
    EXPECT_FALSE(LinkDiagnostics(line, "v1.cu", "v1.o", "labs/lab1/lab1.h", 20).empty());
  }
}

}  // namespace
}  // namespace warpgrade::build
