#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::HasSubstr;

// The operands of one instruction, behind declarations that all these tests share.
std::vector<Operand> Operands(const std::string& instruction) {
  const Function function = Kernel(
      ".reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .v4 .f32 %vec;\n"
      ".local .align 8 .b8 depot[16];\n" +
      instruction);
  return function.body.empty() ? std::vector<Operand>{} : function.body.back().operands;
}

TEST(OperandTest, RegistersAreIndices) {
  const std::vector<Operand> operands = Operands("add.s32 %r3, %r1, %r9;");
  ASSERT_EQ(operands.size(), 3u);
  EXPECT_EQ(operands[0].kind, OperandKind::kRegister);
  EXPECT_EQ(operands[0].reg, 4 + 3);
  EXPECT_EQ(operands[2].reg, 4 + 9);
}

TEST(OperandTest, ImmediatesHaveTypesAndBits) {
  EXPECT_EQ(Operands("add.s32 %r1, %r2, -1;")[2].bits, ~uint64_t{0});
  EXPECT_EQ(Operands("add.s32 %r1, %r2, -1;")[2].immediate_type, Type::kS64);
  EXPECT_EQ(Operands("mov.f32 %f1, 0f3F800000;")[1].bits, 0x3F800000u);
  EXPECT_EQ(Operands("mov.f32 %f1, 0f3F800000;")[1].immediate_type, Type::kF32);
  EXPECT_EQ(Operands("mov.f32 %f1, 1.5;")[1].immediate_type, Type::kF64);
  EXPECT_EQ(Operands("mov.u32 %r1, (1 << 4) | 3;")[1].bits, 19u);
  EXPECT_EQ(Operands("mov.u32 %r1, WARP_SZ;")[1].bits, 32u);
  EXPECT_EQ(Operands("mov.u64 %rd1, 0xFFFFFFFFFFFFFFFF;")[1].immediate_type, Type::kU64);
  EXPECT_EQ(Operands("mov.u32 %r1, !0;")[1].bits, 1u);
}

TEST(OperandTest, AddressesWithEveryBase) {
  const Operand indirect = Operands("ld.global.u32 %r1, [%rd1+-8];")[1];
  EXPECT_EQ(indirect.kind, OperandKind::kAddress);
  EXPECT_EQ(indirect.reg, 4 + 10 + 1);
  EXPECT_EQ(indirect.offset, -8);
  EXPECT_EQ(Operands("ld.global.u32 %r1, [%rd1-8];")[1].offset, -8);
  EXPECT_EQ(Operands("ld.global.u32 %r1, [%rd1+4*3+1];")[1].offset, 13);
  EXPECT_EQ(Operands("ld.global.u32 %r1, [%rd1];")[1].offset, 0);

  const Operand symbol = Operands("ld.global.u32 %r1, [global_word+4];")[1];
  EXPECT_EQ(symbol.kind, OperandKind::kAddress);
  EXPECT_EQ(symbol.reg, -1);
  EXPECT_EQ(symbol.name, "global_word");
  EXPECT_EQ(symbol.variable, -1);
  EXPECT_EQ(symbol.offset, 4);

  const Operand parameter = Operands("ld.param.u64 %rd1, [arg];")[1];
  EXPECT_EQ(parameter.name, "arg");
  EXPECT_EQ(parameter.variable, 0);

  const Operand absolute = Operands("ld.shared.u32 %r1, [16];")[1];
  EXPECT_EQ(absolute.kind, OperandKind::kAddress);
  EXPECT_EQ(absolute.reg, -1);
  EXPECT_EQ(absolute.name, "");
  EXPECT_EQ(absolute.offset, 16);
}

TEST(OperandTest, SymbolsWithOffsets) {
  const Operand global = Operands("mov.u64 %rd1, global_word+8;")[1];
  EXPECT_EQ(global.kind, OperandKind::kSymbol);
  EXPECT_EQ(global.name, "global_word");
  EXPECT_EQ(global.offset, 8);
  const Operand local = Operands("mov.u64 %rd1, depot;")[1];
  EXPECT_EQ(local.kind, OperandKind::kSymbol);
  EXPECT_EQ(local.variable, 1) << "after the parameter";
}

TEST(OperandTest, VectorsHoldElements) {
  const std::vector<Operand> operands = Operands("ld.v4.u32 {%r1, _, %r3, %r4}, [%rd1];");
  ASSERT_EQ(operands.size(), 2u);
  EXPECT_EQ(operands[0].kind, OperandKind::kVector);
  ASSERT_EQ(operands[0].elements.size(), 4u);
  EXPECT_EQ(operands[0].elements[1].kind, OperandKind::kSink);
  EXPECT_EQ(operands[0].elements[2].reg, 4 + 3);
  EXPECT_EQ(Operands("mov.b64 %rd1, {%r1, 0};")[1].elements[1].kind, OperandKind::kImmediate);
}

TEST(OperandTest, VectorRegistersHaveComponents) {
  EXPECT_EQ(Operands("mov.f32 %f1, %vec.z;")[1].sub, 2);
  EXPECT_EQ(Operands("mov.f32 %f1, %vec.a;")[1].sub, 3);
  EXPECT_EQ(Operands("mov.v4.f32 %vec, {%f1, %f1, %f1, %f1};")[0].sub, -1);
}

TEST(OperandTest, SpecialRegistersKeepTheirNames) {
  for (const char* name : {"tid.x", "nctaid.z", "laneid", "clock64", "envreg2", "envreg31", "lanemask_lt", "pm0",
                           "pm3_64", "globaltimer", "dynamic_smem_size", "cluster_ctarank", "ntid"}) {
    const Operand operand = Operands(std::string("mov.u32 %r1, %") + name + ";")[1];
    EXPECT_EQ(operand.kind, OperandKind::kSpecial) << name;
    EXPECT_EQ(operand.name, name);
  }
}

TEST(OperandTest, ARegisterMayHideASpecialOne) {
  EXPECT_EQ(Operands(".reg .b32 %laneid; mov.u32 %r1, %laneid;")[1].kind, OperandKind::kRegister);
}

TEST(OperandTest, PairsOfDestinations) {
  const Function function = Kernel(
      ".reg .pred %p<3>; .reg .b32 %r<3>;\n"
      "setp.eq.s32 %p1|%p2, %r1, 3;\nshfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;\nsetp.eq.s32 %p1|_, %r1, 3;");
  ASSERT_EQ(function.body.size(), 3u);
  EXPECT_TRUE(function.body[0].pair);
  EXPECT_EQ(function.body[0].operands.size(), 4u);
  EXPECT_EQ(function.body[0].operands[1].reg, 2);
  EXPECT_EQ(function.body[1].operands.size(), 6u);
  EXPECT_EQ(function.body[2].operands[1].kind, OperandKind::kSink);
}

TEST(OperandTest, NegatedPredicates) {
  const std::vector<Operand> operands = Operands("setp.lt.and.s32 %p1, %r1, %r2, !%p2;");
  EXPECT_TRUE(operands[3].negated);
  EXPECT_EQ(operands[3].reg, 2);
  EXPECT_FALSE(operands[0].negated);
}

TEST(OperandErrors, AreNamedWithTheirPlace) {
  EXPECT_EQ(KernelError("mov.u32 x, 1;"), "ptx:2:9: found 'x', expected a declared register, variable or function");
  EXPECT_EQ(KernelError("mov.u32 %r1, 1;"),
            "ptx:2:9: found '%r1', expected a declared register or a special register such as %tid.x");
  EXPECT_EQ(KernelError(".reg .b32 %r<2>; mov.u32 %r2, 1;"),
            "ptx:2:26: found '%r2', expected a declared register or a special register such as %tid.x");
  EXPECT_EQ(KernelError(".reg .b32 %r<2>; mov.u32 %r01, 1;"),
            "ptx:2:26: found '%r01', expected a declared register or a special register such as %tid.x");
  EXPECT_EQ(KernelError(".reg .b32 a; mov.u32 a, %laneid.x;"),
            "ptx:2:32: found '.x', expected a component of a special register: .x, .y, .z or .w");
  EXPECT_EQ(KernelError(".reg .b32 a; mov.u32 a, a.q0;"),
            "ptx:2:26: found '.q0', expected a component of a vector register: .x, .y, .z or .w");
  EXPECT_EQ(KernelError(".reg .v2 .b32 a; mov.u32 a.z, 1;"),
            "ptx:2:27: found '.z', expected a component of a vector register: .x, .y, .z or .w");
  EXPECT_EQ(KernelError("mov.u32 !3x, 1;"), "ptx:2:10: found '3x', expected a number that fits 64 bits");
  EXPECT_EQ(KernelError("st.b32 [global_word, 1;"),
            "ptx:2:20: found ',', expected ']' (coordinates of textures, surfaces and tensors are not supported)");
  EXPECT_EQ(KernelError("st.b32 [%laneid], 1;"), "ptx:2:9: found '%laneid', expected a register or a variable");
  EXPECT_EQ(KernelError("st.b32 [global_word+1.5], 1;"), "ptx:2:21: found '1.5', expected a whole number of bytes");
  EXPECT_EQ(KernelError("st.b32 [global_word], ;"), "ptx:2:23: found ';', expected an operand");
  EXPECT_EQ(KernelError(".reg .pred p; mov.pred p, !global_word;"),
            "ptx:2:28: found 'global_word', expected a predicate register after '!'");
  EXPECT_EQ(KernelError(".reg .b32 a; add.u32 a, a|a, 1;"),
            "ptx:2:26: found '|', expected '|' only between two destinations");
}

TEST(OperandErrors, TextureCoordinatesAreRefusedByName) {
  EXPECT_THAT(KernelError(".reg .f32 f<4>; .reg .b64 t; tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [t, {1}];"),
              HasSubstr("coordinates of textures, surfaces and tensors are not supported"));
}

}  // namespace
}  // namespace warpgrade::ptx
