// Names in nested { } scopes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::HasSubstr;

TEST(ScopeTest, EachScopeHasItsOwnVariables) {
  const Function function = Kernel(
      "{ .param .b32 param0; st.param.b32 [param0], 1; }\n"
      "{ .param .b64 param0; st.param.b64 [param0], 2; }");
  ASSERT_EQ(function.variables.size(), 3u);
  EXPECT_EQ(function.body[0].operands[0].variable, 1);
  EXPECT_EQ(function.body[1].operands[0].variable, 2);
  EXPECT_EQ(function.variables[2].type, Type::kB64);
}

TEST(ScopeTest, EachScopeHasItsOwnRegisters) {
  const Function function =
      Kernel(".reg .b32 a;\n{ .reg .b16 a; { .reg .f64 a; mov.b32 a, 0; } mov.b32 a, 0; }\nmov.b32 a, 0;");
  ASSERT_EQ(function.registers.size(), 3u);
  EXPECT_EQ(function.registers[function.body[0].operands[0].reg].type, Type::kF64);
  EXPECT_EQ(function.registers[function.body[1].operands[0].reg].type, Type::kB16);
  EXPECT_EQ(function.registers[function.body[2].operands[0].reg].type, Type::kB32);
}

TEST(ScopeTest, OuterNamesAreSeenInside) {
  const Function function = Kernel(".reg .b32 %r<5>; { { mov.b32 %r4, 1; } }");
  EXPECT_EQ(function.body[0].operands[0].reg, 4);
}

TEST(ScopeTest, InnerNamesAreNotSeenOutside) {
  EXPECT_EQ(KernelError("{ .reg .b32 a; }\nmov.b32 a, 1;"),
            "ptx:3:9: found 'a', expected a declared register, variable or function");
}

TEST(ScopeTest, PastedInlinePtxMayRepeatItsLabels) {
  const std::string wait = "{ .reg .pred P1; WAIT: @P1 bra DONE; bra WAIT; DONE: }\n";
  const Function function = Kernel(wait + wait);
  ASSERT_EQ(function.body.size(), 4u);
  EXPECT_EQ(function.body[0].operands[0].target, 2);
  EXPECT_EQ(function.body[1].operands[0].target, 0);
  EXPECT_EQ(function.body[2].operands[0].target, 4);
  EXPECT_EQ(function.body[3].operands[0].target, 2);
}

TEST(ScopeTest, ABranchPrefersTheInnermostLabelEvenWhenItComesLater) {
  const Function function = Kernel("L: ret; { bra L; ret; L: ret; }");
  EXPECT_EQ(function.body[1].operands[0].target, 3);
}

TEST(ScopeTest, ABranchOutOfAScope) {
  const Function function = Kernel("{ { bra OUT; } } ret; OUT: ret;");
  EXPECT_EQ(function.body[0].operands[0].target, 2);
}

TEST(ScopeTest, ALabelInsideIsNotSeenOutside) {
  EXPECT_THAT(KernelError("{ L: ret; } bra L;"), HasSubstr("expected a label of this function"));
}

TEST(ScopeTest, PrototypesOfTheSameNameStayApart) {
  const std::string call = "{ P: .callprototype _ (.param .b32 _); call f, (1), P; }\n";
  const std::string other = "{ P: .callprototype _ (.param .b64 _); call f, (1), P; }\n";
  const Function function = Kernel(".reg .b64 f;\n" + call + other);
  ASSERT_EQ(function.prototypes.size(), 2u);
  EXPECT_EQ(function.body[0].call_prototype, function.prototypes[0].name);
  EXPECT_EQ(function.body[1].call_prototype, function.prototypes[1].name);
  EXPECT_NE(function.prototypes[0].name, function.prototypes[1].name);
}

TEST(ScopeTest, RangesOfRegisters) {
  const Function function = Kernel(".reg .b32 %r<3>; .reg .b64 %rd<2>, %rd1<4>, single; mov.b32 %rd13, %rd1;");
  ASSERT_EQ(function.registers.size(), 3u + 2 + 4 + 1);
  EXPECT_EQ(function.registers[0].name, "%r0");
  EXPECT_EQ(function.registers[2].name, "%r2");
  EXPECT_EQ(function.registers[5].name, "%rd10");
  EXPECT_EQ(function.body[0].operands[0].reg, 3 + 2 + 3) << "number 3 of %rd1<4>";
  EXPECT_EQ(function.body[0].operands[1].reg, 3 + 1) << "number 1 of %rd<2>";
}

TEST(ScopeTest, VectorRegisters) {
  const Function function = Kernel(".reg .v4 .f32 %v<2>; .reg .v2 .b32 w;");
  EXPECT_EQ(function.registers[1].vector, 4);
  EXPECT_EQ(function.registers[2].vector, 2);
}

TEST(ScopeErrors, SecondDeclarationsInOneScope) {
  EXPECT_EQ(KernelError(".reg .b32 a; .reg .b64 a;"),
            "ptx:2:24: found a second declaration of 'a', expected one in each scope");
  EXPECT_EQ(KernelError(".reg .b32 %r<2>; .reg .b64 %r<3>;"),
            "ptx:2:28: found a second declaration of '%r<...>', expected one in each scope");
  EXPECT_EQ(KernelError(".reg .b32 %r<2>; .reg .b64 %r1;"),
            "ptx:2:28: found a second declaration of '%r1', expected one in each scope");
  EXPECT_EQ(KernelError(".local .b32 arg;"),
            "ptx:2:13: found a second declaration of 'arg', expected one in each scope");
}

}  // namespace
}  // namespace warpgrade::ptx
