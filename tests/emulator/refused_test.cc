// What the opcode table does not allow is refused by name and line when it is executed, instead of being run as
// something else; what it allows is not. Beside it: the table's own notation.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/program/instruction_forms.h"
#include "grader/emulator/ptx/parser.h"

namespace warpgrade::emulator {
namespace {

// What the program of one instruction says that it cannot execute; "" when it can.
std::string Refusal(const std::string& instruction) {
  const Result<ptx::Module> module = ptx::Parse(
      ".version 8.8\n.target sm_90\n.address_size 64\n.shared .b32 tile[64];\n"
      ".entry k(.param .u64 p) {\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
      ".reg .s32 %s<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .v4 .b32 %v<2>;\nL:\n" +
      instruction + "\nret;\n}\n");
  EXPECT_TRUE(module.ok()) << instruction << ": " << (module.ok() ? "" : module.error().message);
  if (!module.ok()) return "it does not parse";
  const auto program = Decode(*module, module->functions.back(), {{"tile", 0}}, MachineHandlers());
  const std::vector<std::string> all = UnsupportedInstructions(*program);
  return all.empty() ? "" : all.front();
}

struct Refused {
  const char* instruction;
  const char* why;  // part of the message
};

// What a failing test shows of its parameter.
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.instruction; }

class RefusedTest : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedTest, IsRefusedByNameAndLineWithTheReason) {
  const std::string message = Refusal(GetParam().instruction);
  ASSERT_NE(message, "") << GetParam().instruction
                         << " is not refused any more: take this row out, or write another that is";
  std::string spelling = GetParam().instruction;
  spelling = spelling.substr(0, spelling.find_first_of(" ;"));
  EXPECT_NE(message.find("`" + spelling + "` (PTX line 9)"), std::string::npos) << GetParam().instruction << "\n"
                                                                                << message;
  EXPECT_NE(message.find(GetParam().why), std::string::npos) << GetParam().instruction << "\n" << message;
}

INSTANTIATE_TEST_SUITE_P(
    NumberOfOperands, RefusedTest,
    ::testing::Values(Refused{"max.f32 %f0, %f1, %f2, %f3;", "4 operands are given; it takes max.f32 d, a, b"},
                      Refused{"max.f32 %f0, %f1;", "2 operands are given; it takes max.f32 d, a, b"},
                      Refused{"fma.rn.f32 %f0, %f1, %f2;", "it takes fma.rn.f32 d, a, b, c"},
                      Refused{"mov.u32 %r0;", "1 operand is given"},
                      Refused{"ld.global.u32 %r0;", "1 operand is given"},
                      Refused{"setp.eq.and.u32 %p0, %r0, %r1;", "it takes setp.eq.and.u32 d|e, a, b, c"},
                      Refused{"bar.sync;", "0 operands are given"},
                      Refused{"shfl.sync.idx.b32 %r0, %r1, %r2, %r3;", "it takes shfl.sync.idx.b32 d|e, a, b, c, f"},
                      Refused{"atom.global.cas.b32 %r0, [%d0], %r1;", "it takes atom.global.cas.b32 d, [a], b, c"},
                      Refused{"add.u32 %r0|%p0, %r1, %r2;", "no second destination"},
                      Refused{"exit %r0;", "1 operand is given"}));

INSTANTIATE_TEST_SUITE_P(
    Modifiers, RefusedTest,
    ::testing::Values(Refused{"add.f32.f16 %f0, %f1, %f2;", "does not take these modifiers together"},
                      Refused{"add.sat.u32 %r0, %r1, %r2;", "does not take these modifiers together"},
                      Refused{"vadd4.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;", "does not take these modifiers"},
                      Refused{"add.rn.rz.f32 %f0, %f1, %f2;", "does not take these modifiers together"},
                      Refused{"mul.s32 %r0, %r1, %r2;", "does not take these modifiers together"},
                      Refused{"add %r0, %r1, %r2;", "does not take these modifiers together"},
                      Refused{"add.wide.u32 %d0, %r1, %r2;", "add has no .wide here; it takes add.u16|u32"},
                      Refused{"max.relu.f32 %f0, %f1, %f2;", "does not take these modifiers together"},
                      Refused{"st.async.weak.global.u32 [%d0], %r0;", "st has no .async here"},
                      Refused{"shfl.idx.b32 %r0, %r1, %r2, %r3;", "does not take these modifiers together"},
                      Refused{"cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1;", "cvt has no .e4m3x2 here"}));

INSTANTIATE_TEST_SUITE_P(
    KindsOfOperands, RefusedTest,
    ::testing::Values(
        Refused{"add.f32 %f0, %s1, %f2;", "%s1 is a .s32 where a .f32 is wanted; it takes add.f32 d, a, b"},
        Refused{"add.s32 %s0, %f1, %s2;", "%f1 is a .f32 where a .s32 is wanted"},
        Refused{"add.u64 %d0, %r1, %d2;", "%r1 is a .b32 where a .u64 is wanted"},
        Refused{"add.u32 %d0, %r1, %r2;", "%d0 is a .b64 where a .u32 is wanted"},
        Refused{"add.u32 %p0, %r1, %r2;", "%p0 is a predicate where a .u32 is wanted"},
        Refused{"setp.eq.u32 %r0, %r1, %r2;", "%r0 is a .b32 where a predicate is wanted"},
        Refused{"selp.b32 %r0, %r1, %r2, %r3;", "%r3 is a .b32 where a predicate is wanted"},
        Refused{"mul.wide.u32 %r0, %r1, %r2;", "%r0 is a .b32 where a value of 64 bits is wanted"},
        Refused{"add.u32 5, %r1, %r2;", "its destination is a constant"},
        Refused{"add.u32 %tid.x, %r1, %r2;", "%tid.x cannot be written"},
        Refused{"add.u32 %r0, _, %r2;", "a cannot be left out"},
        Refused{"add.u32 %r0, {%r1, %r2}, %r2;", "a must be a single register or constant"},
        Refused{"add.u32 %r0, [%d1], %r2;", "a must be a single register or constant"},
        Refused{"add.u32 %r0, -%r1, %r2;", "%r1 cannot be negated"},
        Refused{"add.u32 %r0, %r1.b2, %r2;", "only video instructions take %r1.b2"},
        Refused{"add.u32 %r0, 1.5, %r2;", "a constant with a fraction stands for an integer"},
        Refused{"add.f32 %f0, %f1, 1;", "an integer constant stands for a .f32"},
        Refused{"add.f32 %f0, %f1, %tid.x;", "%tid.x is an integer where a .f32 is wanted"},
        Refused{"add.f32 %f0, %f1, tile;", "the address tile cannot stand here"},
        Refused{"mov.b32 %v0.x, %r1;", "%v0 is a vector register, which is not emulated"},
        Refused{"ld.global.u32 %r0, [%p1];", "%p1 is a predicate where an address of 32 or 64 bits is wanted"},
        Refused{"st.global.u32 [%h1+4], %r0;", "%h1 is a .b16 where an address"},
        Refused{"atom.global.add.u32 %r0, [%f1], %r1;", "%f1 is a .f32 where an address"},
        Refused{"ld.global.u32 %r0, %d0;", "a] is no address"}, Refused{"st.global.u32 %d0, %r0;", "a] is no address"},
        Refused{"ld.global.v2.u32 %r0, [%d0];", "%r0 must be 2 registers in braces"},
        Refused{"ld.global.v2.u32 {%r0, %r1, %r2}, [%d0];", "d has 3 elements where .v says 2"},
        Refused{"ld.global.u64 %r0, [%d0];", "%r0 is a .b32 where a .u64 is wanted"},
        Refused{"lop3.b32 %r0, %r1, %r2, %r3, %r4;", "%r4 must be a constant"},
        Refused{"mov.b64 %d0, {%r0, %h1};", "%h1 is a .b16 where a value of 32 bits is wanted"},
        Refused{"mov.b64 %d0, {%r0, %r1, %r2};", "3 parts"},
        Refused{"mov.f64 %fd0, {%r0, %r1};", "only .b types are made of parts"},
        Refused{"cvt.u64.u32 %r0, %r1;", "%r0 is a .b32 where a .u64 is wanted"},
        Refused{"cvt.f32.u32 %s0, %r1;", "%s0 is a .s32 where a .f32 is wanted"}));

INSTANTIATE_TEST_SUITE_P(UnknownOpcode, RefusedTest, ::testing::Values(Refused{"addd.u32 %r0, %r1, %r2;", ""}));

// Spellings that nvcc, CUDA's headers or people write, and that a stricter table might refuse.
TEST(AllowedTest, WhatPtxasTakesIsDecoded) {
  for (const char* instruction : {"vote.ballot.sync.b32 %r0, %p1, %r2;",
                                  "ld.volatile.global.f32 %f0, [%d0];",
                                  "setp.eq.u32 %p0|%p1, %r0, %r1;",
                                  "setp.lt.and.f32 %p0|_, %f0, %f1, !%p1;",
                                  "atom.add.release.gpu.u32 %r0, [%d0], %r1;",
                                  "atom.global.add.f32 _, [%d0], %f1;",
                                  "ld.global.u8 %d0, [%d1];",
                                  "ld.global.b32 %f0, [%d1];",
                                  "st.global.u8 [%d0], %r1;",
                                  "st.global.v2.b32 [%d0], {%r0, 5};",
                                  "ld.global.v2.u16 {%r0, %h1}, [%d0];",
                                  "mov.b32 %r0, 1.5;",
                                  "mov.b32 %r0, %f1;",
                                  "mov.b32 %f1, %r0;",
                                  "mov.u32 %r0, tile;",
                                  "mov.u64 %d0, tile;",
                                  "mov.b64 {%r0, _}, %d0;",
                                  "mov.b64 %d0, {%h0, %h1, %h2, %h3};",
                                  "add.u32 %r0, %tid.x, %laneid;",
                                  "cvt.u32.u16 %r0, %h1;",
                                  "cvt.u16.u32 %r0, %r1;",
                                  "cvt.u8.u32 %r0, %d1;",
                                  "and.b32 %s0, %r1, 0xFF;",
                                  "selp.f32 %f0, 0f3F800000, 0f00000000, !%p1;",
                                  "bar.red.popc.u32 %r0, 0, %r1, %p1;",
                                  "bar.red.and.pred %p0, 0, !%p1;",
                                  "bar.sync %r0, 64;",
                                  "barrier.sync.aligned 0;",
                                  "ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f0, %f1, %f2, %f3}, [%d0];",
                                  "cvta.shared.u64 %d0, tile;",
                                  "ld.relaxed.gpu.global.L2::cache_hint.u32 %r0, [%d0], %d1;",
                                  "fma.rn.f32 %f0, %f1, %f2, 0d3FF0000000000000;",
                                  "elect.sync _|%p0, 0xffffffff;",
                                  "shfl.sync.up.b32 %r0|%p1, %r1, 1, 0, -1;",
                                  "nanosleep.u32 100;",
                                  "prmt.b32 %r0, %r1, %r2, 0x5410;",
                                  "lop3.and.b32 _|%p0, %r1, %r2, %r3, 0x80, !%p1;",
                                  "bra.uni L;",
                                  "@%p1 bra L;",
                                  "mad.wide.u32 %d0, %r1, 4, %d1;",
                                  "membar.gl;",
                                  "fence.acq_rel.gpu;",
                                  "isspacep.shared %p0, %d0;",
                                  "set.lt.f32.u32 %f0, %r0, %r1;",
                                  "slct.f32.s32 %f0, %f1, %f2, %s0;"}) {
    EXPECT_EQ(Refusal(instruction), "") << instruction;
  }
}

TEST(OpcodeTableTest, FollowsItsOwnNotation) { EXPECT_EQ(MistakesOfTheOpcodeTable(), std::vector<std::string>{}); }

}  // namespace
}  // namespace warpgrade::emulator
