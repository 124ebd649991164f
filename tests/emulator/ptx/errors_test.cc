// Mistakes at module scope. Those of operands, instructions and variables stand beside their own tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::HasSubstr;

TEST(ParserErrors, AreTheSubmissionsFault) { EXPECT_EQ(Parse("x").error().kind, ErrorKind::kSubmission); }

TEST(ParserErrors, AtModuleScope) {
  EXPECT_EQ(ErrorOf("\n  add.s32 %r1, %r2, %r3;"),
            "ptx:2:3: found 'add', expected a directive such as .version, .entry, .func, .global or .file");
  EXPECT_EQ(ErrorOf(".nonsense x;"),
            "ptx:1:1: found '.nonsense', expected a state space such as .global, .shared or .param");
  EXPECT_EQ(ErrorOf(".version 9"), "ptx:1:10: found '9', expected a version such as 9.0");
  EXPECT_EQ(ErrorOf(".version 9.x"), "ptx:1:10: found '9.x', expected a version such as 9.0");
  EXPECT_EQ(ErrorOf(".target 75"), "ptx:1:9: found '75', expected a target such as sm_75");
  EXPECT_EQ(ErrorOf(".address_size 32"), "ptx:1:15: found '32', expected an address size of 64");
  EXPECT_EQ(ErrorOf(".file 70000 \"a\""), "ptx:1:7: found '70000', expected a file number of at most 65535");
  EXPECT_EQ(ErrorOf(".file 1 a"), "ptx:1:9: found 'a', expected a file name in quotes");
  EXPECT_EQ(ErrorOf(".section .debug_info { {"), "ptx:1:22: found a block that is never closed, expected '}'");
  EXPECT_EQ(ErrorOf(".extern x"), "ptx:1:9: found 'x', expected a state space such as .global, .shared or .param");
}

TEST(ParserErrors, InFunctionHeaders) {
  EXPECT_EQ(ErrorOf(".entry 5"), "ptx:1:8: found '5', expected the name of a function");
  EXPECT_EQ(ErrorOf(".entry k(.param .u64 a .param .u64 b)"), "ptx:1:24: found '.param', expected ','");
  EXPECT_EQ(ErrorOf(".entry k(.param a)"), "ptx:1:17: found 'a', expected a type such as .b32");
  EXPECT_EQ(ErrorOf(".entry k(.global .b32 a)"), "ptx:1:10: found '.global', expected a parameter in .param or .reg");
  EXPECT_EQ(ErrorOf(".entry k() .sometimes {"),
            "ptx:1:12: found '.sometimes', expected a function directive such as .maxntid, or '{'");
  EXPECT_EQ(ErrorOf(".entry k() .maxntid 1,2,3,4 {"), "ptx:1:27: found '4', expected at most three dimensions");
  EXPECT_EQ(ErrorOf(".entry k()"), "ptx:1:11: found the end of the text, expected '{'");
  EXPECT_EQ(ErrorOf(".entry k() {\nret;\n"),
            "ptx:3:1: found the end of the text, expected '}' at the end of the function");
  EXPECT_EQ(ErrorOf(".entry k() { ret; } }"),
            "ptx:1:21: found '}', expected a directive such as .version, .entry, .func, .global or .file");
  EXPECT_EQ(ErrorOf(".func f() { ret; }\n.func f() { ret; }"), "ptx:2:7: found a second body of 'f', expected one");
  EXPECT_EQ(ErrorOf(".func f(); .alias g, f;"), "ptx:1:22: found 'f', expected a function with a body");
}

TEST(ParserErrors, InTheText) {
  EXPECT_EQ(ErrorOf(".version 9.0 `"),
            "ptx:1:14: found '`', expected a directive such as .version, .entry, .func, .global or .file");
  EXPECT_THAT(ErrorOf("\x80"), HasSubstr("ptx:1:1: found '?', expected a directive"));
  EXPECT_THAT(ErrorOf("\n /* never closed"), HasSubstr("ptx:2:2: found a comment that is never closed, expected"));
  EXPECT_EQ(ErrorOf(".global .attribute(\"open"), "ptx:1:25: found the end of the text, expected ')'");
  EXPECT_EQ(ErrorOf(".pragma \"open\n;"),
            "ptx:1:9: found a string that does not end on its line, expected a pragma in quotes");
  EXPECT_THAT(ErrorOf(std::string(1000, 'x')), HasSubstr("found '" + std::string(60, 'x') + "...', expected"));
}

TEST(ParserErrors, OnlyTheFirstIsReported) {
  EXPECT_EQ(KernelError("mov.u32 x, y;\nbra z;\n`"), "ptx:4:1: found '`', expected an instruction")
      << "names are settled at the end, after the text has been read";
  EXPECT_EQ(KernelError("mov.u32 x, y;"), "ptx:2:9: found 'x', expected a declared register, variable or function");
}

}  // namespace
}  // namespace warpgrade::ptx
