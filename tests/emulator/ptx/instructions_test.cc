// Opcodes, modifiers, guards, calls, indirect branches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(InstructionTest, OpcodeAndModifiersInOrder) {
  const Function function = Kernel(
      ".reg .b32 %r<2>; .reg .b64 %rd;\n"
      "ld.global.L2::128B.u32 %r1, [%rd];\nbar.warp.sync -1;\nret;\nmembar .gl;");
  ASSERT_EQ(function.body.size(), 4u);
  EXPECT_EQ(function.body[0].opcode, "ld");
  EXPECT_THAT(function.body[0].modifiers, ElementsAre("global", "L2::128B", "u32"));
  EXPECT_THAT(function.body[1].modifiers, ElementsAre("warp", "sync"));
  EXPECT_THAT(function.body[2].modifiers, IsEmpty());
  EXPECT_THAT(function.body[2].operands, IsEmpty());
  EXPECT_THAT(function.body[3].modifiers, ElementsAre("gl"));
}

TEST(InstructionTest, KnowsItsPlaceInThePtx) {
  const Function function = Kernel("  ret;\n\texit; ret;");
  EXPECT_EQ(function.body[0].ptx_line, 2);
  EXPECT_EQ(function.body[0].ptx_column, 3);
  EXPECT_EQ(function.body[2].ptx_line, 3);
  EXPECT_EQ(function.body[2].ptx_column, 8);
}

TEST(InstructionTest, GuardsArePredicates) {
  const Function function = Kernel(".reg .pred %p<3>; @%p1 ret; @!%p2 ret; ret;");
  EXPECT_EQ(function.body[0].guard, 1);
  EXPECT_FALSE(function.body[0].guard_negated);
  EXPECT_EQ(function.body[1].guard, 2);
  EXPECT_TRUE(function.body[1].guard_negated);
  EXPECT_EQ(function.body[2].guard, -1);
}

TEST(InstructionTest, UnknownOpcodesAreLeftToDecode) {
  EXPECT_EQ(Kernel("frobnicate.b32 global_word;").body[0].opcode, "frobnicate");
}

TEST(InstructionTest, PragmasAndEmptyStatementsAreNoInstructions) {
  EXPECT_EQ(Kernel(".pragma \"nounroll\";\n;; ret;").body.size(), 1u);
}

TEST(CallTest, DirectWithParametersInAScope) {
  const Module module = Parsed(
      ".func (.param .b32 r) f(.param .b32 a, .param .b64 b);\n.entry k() {\n.reg .b32 %r<3>;\n"
      "{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n"
      ".param .b64 param1;\n.param .b32 retval0;\ncall.uni (retval0), \nf, \n(\nparam0, \nparam1\n);\n"
      "ld.param.b32 %r2, [retval0+0];\n} // callseq 0\n}");
  const Function& kernel = module.functions[1];
  ASSERT_EQ(kernel.body.size(), 3u);
  const Instruction& call = kernel.body[1];
  EXPECT_EQ(call.opcode, "call");
  EXPECT_THAT(call.modifiers, ElementsAre("uni"));
  EXPECT_THAT(call.operands, IsEmpty());
  EXPECT_EQ(call.callee.kind, OperandKind::kSymbol);
  EXPECT_EQ(call.callee.name, "f");
  ASSERT_EQ(call.call_arguments.size(), 2u);
  ASSERT_EQ(call.call_returns.size(), 1u);
  EXPECT_EQ(kernel.variables[call.call_arguments[1].variable].name, "param1");
  EXPECT_EQ(kernel.variables[call.call_returns[0].variable].name, "retval0");
  EXPECT_EQ(kernel.body[0].operands[0].variable, call.call_arguments[0].variable);
}

TEST(CallTest, WithoutReturnsOrArguments) {
  const Module module =
      Parsed(".func f(); .func g(.param .b32 a); .entry k() { call f; call.uni g, (3); call f, (); }");
  const std::vector<Instruction>& body = module.functions[2].body;
  EXPECT_EQ(body[0].callee.name, "f");
  EXPECT_EQ(body[1].call_arguments[0].bits, 3u);
  EXPECT_THAT(body[2].call_arguments, IsEmpty());
}

TEST(CallTest, IndirectWithPrototype) {
  const Function function = Kernel(
      ".reg .b64 %rd<2>; .param .b32 param0; .param .b32 retval0;\n"
      "prototype_2 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]);\n"
      "call (retval0), %rd1, (param0), prototype_2;");
  ASSERT_EQ(function.prototypes.size(), 1u);
  EXPECT_EQ(function.prototypes[0].name, "prototype_2");
  EXPECT_EQ(function.prototypes[0].returns.size(), 1u);
  ASSERT_EQ(function.prototypes[0].parameters.size(), 2u);
  EXPECT_EQ(function.prototypes[0].parameters[1].size, 16u);
  EXPECT_EQ(function.body[0].callee.kind, OperandKind::kRegister);
  EXPECT_EQ(function.body[0].callee.reg, 1);
  EXPECT_EQ(function.body[0].call_prototype, "prototype_2");
}

TEST(CallTest, PrototypesWithoutReturns) {
  const Function function = Kernel("p1 : .callprototype ()_ (.param .b64 _);\np2: .callprototype _ .noreturn;");
  EXPECT_THAT(function.prototypes[0].returns, IsEmpty());
  EXPECT_EQ(function.prototypes[0].parameters.size(), 1u);
  EXPECT_TRUE(function.prototypes[1].noreturn);
  EXPECT_THAT(function.body, IsEmpty());
}

TEST(CallTest, CallTargetsServeAsPrototype) {
  const Module module = Parsed(
      ".func (.param .b32 r) f(.param .b64 a); .func (.param .b32 r) g(.param .b64 a);\n"
      ".entry k() { .reg .b64 %rd; .param .b64 a; .param .b32 r;\n"
      "targets: .calltargets f, g;\ncall (r), %rd, (a), targets; }");
  const Function& kernel = module.functions[2];
  EXPECT_EQ(kernel.body[0].call_prototype, "targets");
  ASSERT_EQ(kernel.prototypes.size(), 1u);
  EXPECT_EQ(kernel.prototypes[0].name, "targets");
  EXPECT_EQ(kernel.prototypes[0].parameters.size(), 1u);
}

TEST(BranchTest, TargetsAreIndicesForwardsBackwardsAndAtTheEnd) {
  const Function function = Kernel("$L__BB0_1:\nbra.uni END;\nbra $L__BB0_1;\nEND:");
  ASSERT_EQ(function.body.size(), 2u);
  EXPECT_EQ(function.body[0].operands[0].kind, OperandKind::kLabel);
  EXPECT_EQ(function.body[0].operands[0].target, 2);
  EXPECT_EQ(function.body[1].operands[0].target, 0);
}

TEST(BranchTest, AnIndexedBranchNamesItsList) {
  const Function function =
      Kernel(".reg .b32 %r1;\n$L_brx_0: .branchtargets A, B, A;\nbrx.idx %r1, $L_brx_0;\nA: ret;\nB: ret;");
  ASSERT_EQ(function.branch_targets.size(), 1u);
  EXPECT_EQ(function.branch_targets[0].first, "$L_brx_0");
  const std::vector<Operand>& list = function.branch_targets[0].second;
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].kind, OperandKind::kLabel);
  EXPECT_EQ(list[0].target, 1);
  EXPECT_EQ(list[1].target, 2);
  const Operand& operand = function.body[0].operands[1];
  EXPECT_EQ(operand.kind, OperandKind::kSymbol);
  EXPECT_EQ(operand.name, "$L_brx_0");
  EXPECT_EQ(operand.target, 0);
}

TEST(BranchTest, TheListMayFollowTheBranch) {
  const Function function = Kernel(".reg .b32 r; A: brx.idx r, T; T: .branchtargets A;");
  EXPECT_EQ(function.body[0].operands[1].target, 0);
  EXPECT_EQ(function.branch_targets[0].second[0].target, 0);
}

TEST(InstructionErrors, AreNamedWithTheirPlace) {
  EXPECT_EQ(KernelError("ret"), "ptx:3:1: found '}', expected ';'");
  EXPECT_EQ(KernelError("@%p1 ret;"), "ptx:2:2: found '%p1', expected a predicate register");
  EXPECT_EQ(KernelError(".reg .b32 a; @a ret;"), "ptx:2:15: found 'a', expected a predicate register");
  EXPECT_EQ(KernelError("bra NOWHERE;"), "ptx:2:5: found 'NOWHERE', expected a label of this function");
  EXPECT_EQ(KernelError("bra 3;"), "ptx:2:5: found '3', expected a label");
  EXPECT_EQ(KernelError("A: T: .branchtargets A; bra T;"),
            "ptx:2:29: found 'T', which is a .branchtargets list, expected a label");
  EXPECT_EQ(KernelError("A: A: ret;"), "ptx:2:4: found a second label 'A', expected one in each scope");
  EXPECT_EQ(KernelError("call missing;"),
            "ptx:2:6: found 'missing', expected a declared register, variable or function");
  EXPECT_EQ(KernelError("call 3;"), "ptx:2:6: found '3', expected a function to call");
  EXPECT_EQ(KernelError(".reg .b64 f; call f, (), proto;"),
            "ptx:2:26: found 'proto', expected a .callprototype or .calltargets of this function");
  EXPECT_THAT(KernelError("T: .calltargets global_word;"), HasSubstr("expected a function that is declared before"));
}

}  // namespace
}  // namespace warpgrade::ptx
