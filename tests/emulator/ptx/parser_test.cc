// Module scope and function headers.
#include "grader/emulator/ptx/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::ElementsAre;

TEST(ParserTest, AnEmptyTextIsAnEmptyModule) {
  EXPECT_TRUE(Parsed("").functions.empty());
  EXPECT_TRUE(Parsed("// nothing\n").functions.empty());
}

TEST(ParserTest, TrailingZeroBytesAreIgnored) {
  EXPECT_EQ(Parsed(std::string(".version 9.0\n\0\0", 15)).version_major, 9);
}

TEST(ParserTest, ReadsTheHeader) {
  const Module module = Parsed(".version 8.12\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(module.version_major, 8);
  EXPECT_EQ(module.version_minor, 12);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.address_size, 64);
}

TEST(ParserTest, FilesAreKeptByNumber) {
  const Module module = Parsed(".file 3 \"b.cu\", 1234, 5\n.file 1 \"a.cu\"\n");
  EXPECT_THAT(module.files, ElementsAre("", "a.cu", "", "b.cu"));
}

TEST(ParserTest, SectionsAreSkippedWhateverTheyHold) {
  const Module module = Parsed(
      ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,0\n.b64 $L__tmp-1 ` ...\n}\n"
      ".section .debug_macinfo { }\n.entry k() { ret; }");
  ASSERT_EQ(module.functions.size(), 1u);
  EXPECT_EQ(module.functions[0].ptx_line, 8);
}

TEST(ParserTest, AKernelHasParametersAndLaunchBounds) {
  const Module module = Parsed(
      ".visible .entry _Z1kPf(\n .param .u64 .ptr .global .align 4 _Z1kPf_param_0,\n"
      " .param .align 8 .b8 record[24]\n)\n.maxntid 256, 2\n.reqntid 128, 1, 1\n.minnctapersm 3 .maxnreg 64\n"
      ".pragma \"nounroll\";\n{ ret; }");
  ASSERT_EQ(module.functions.size(), 1u);
  const Function& kernel = module.functions[0];
  EXPECT_TRUE(kernel.is_entry);
  EXPECT_TRUE(kernel.has_body);
  EXPECT_EQ(kernel.prototype.name, "_Z1kPf");
  ASSERT_EQ(kernel.prototype.parameters.size(), 2u);
  EXPECT_EQ(kernel.prototype.parameters[0].type, Type::kU64);
  EXPECT_EQ(kernel.prototype.parameters[0].space, Space::kParam);
  EXPECT_EQ(kernel.prototype.parameters[0].size, 8u);
  EXPECT_EQ(kernel.prototype.parameters[0].alignment, 8u) << "its own, not that of what it points to";
  EXPECT_EQ(kernel.prototype.parameters[1].size, 24u);
  EXPECT_EQ(kernel.prototype.parameters[1].alignment, 8u);
  EXPECT_THAT(kernel.max_threads, ElementsAre(256, 2, 1));
  EXPECT_THAT(kernel.required_threads, ElementsAre(128, 1, 1));
  EXPECT_EQ(kernel.min_blocks_per_sm, 3);
}

TEST(ParserTest, AKernelWithoutParametersNeedsNoBrackets) {
  EXPECT_EQ(Parsed(".entry k { ret; }").functions[0].body.size(), 1u);
}

TEST(ParserTest, LaunchBoundsThatAreNotWrittenAreZero) {
  const Function kernel = Parsed(".entry k() { ret; }").functions[0];
  EXPECT_THAT(kernel.max_threads, ElementsAre(0, 0, 0));
  EXPECT_THAT(kernel.required_threads, ElementsAre(0, 0, 0));
}

TEST(ParserTest, AFunctionHasReturnsThenParametersAsVariables) {
  const Function function = Parsed(
                                ".func (.param .b32 func_retval0) f(.param .b64 f_param_0, .param .b32 f_param_1)\n"
                                "{ .local .b8 depot[4]; ret; }")
                                .functions[0];
  EXPECT_FALSE(function.is_entry);
  ASSERT_EQ(function.variables.size(), 4u);
  EXPECT_EQ(function.variables[0].name, "func_retval0");
  EXPECT_EQ(function.variables[1].name, "f_param_0");
  EXPECT_EQ(function.variables[2].name, "f_param_1");
  EXPECT_EQ(function.variables[3].name, "depot");
  EXPECT_EQ(function.prototype.returns.size(), 1u);
  EXPECT_EQ(function.prototype.parameters.size(), 2u);
}

TEST(ParserTest, ParametersInRegistersAreRegistersToo) {
  const Function function =
      Parsed(".func (.reg .u32 sum) add(.reg .u32 a, .reg .u32 b) { add.u32 sum, a, b; ret; }").functions[0];
  ASSERT_EQ(function.variables.size(), 3u);
  ASSERT_EQ(function.registers.size(), 3u);
  EXPECT_EQ(function.registers[0].name, "sum");
  EXPECT_EQ(function.body[0].operands[2].kind, OperandKind::kRegister);
  EXPECT_EQ(function.body[0].operands[2].reg, 2);
}

TEST(ParserTest, DeclarationsAndDefinitionsAreBothKept) {
  const Module module = Parsed(
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".func f();\n.weak .func f() { ret; }\n.func quit() .noreturn;");
  ASSERT_EQ(module.functions.size(), 4u);
  EXPECT_FALSE(module.functions[0].has_body);
  EXPECT_FALSE(module.functions[1].has_body);
  EXPECT_TRUE(module.functions[2].has_body);
  EXPECT_TRUE(module.functions[3].prototype.noreturn);
}

TEST(ParserTest, AnAliasIsAFunctionOfItsOwn) {
  const Module module = Parsed(".func f();\n.func g() { ret; }\n.alias f, g;");
  ASSERT_EQ(module.functions.size(), 3u);
  EXPECT_EQ(module.functions[2].prototype.name, "f");
  EXPECT_EQ(module.functions[2].body.size(), 1u);
}

TEST(ParserTest, AFunctionMayCallWhatIsDefinedLater) {
  EXPECT_EQ(Parsed(".func f() { call g; ret; } .func g() { ret; }").functions.size(), 2u);
}

}  // namespace
}  // namespace warpgrade::ptx
