// Variables of module and function scope, and their initialisers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/ptx/ptx_testing.h"

namespace warpgrade::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Variable OneVariable(const std::string& declaration) {
  const Module module = Parsed(declaration);
  EXPECT_GE(module.variables.size(), 1u);
  return module.variables.empty() ? Variable{} : module.variables.back();
}

TEST(VariableTest, TakesItsNaturalAlignment) {
  EXPECT_EQ(OneVariable(".global .f64 x;").alignment, 8u);
  EXPECT_EQ(OneVariable(".global .b8 x[100];").alignment, 1u);
  EXPECT_EQ(OneVariable(".global .v4 .f32 x;").alignment, 16u);
}

TEST(VariableTest, SizesOfArraysAndVectors) {
  EXPECT_EQ(OneVariable(".shared .align 8 .b8 tile[8448];").size, 8448u);
  EXPECT_EQ(OneVariable(".global .f32 m[2][3];").size, 24u);
  EXPECT_EQ(OneVariable(".const .v2 .u16 v[5];").size, 20u);
  EXPECT_EQ(OneVariable(".const .v2 .u16 v[5];").vector, 2);
  EXPECT_EQ(OneVariable(".global .b32 a[4*(2+1)];").size, 48u);
}

TEST(VariableTest, LinkageAndManagedAreKept) {
  EXPECT_TRUE(OneVariable(".visible .global .u32 x;").is_visible);
  EXPECT_TRUE(OneVariable(".weak .const .u32 x;").is_visible);
  EXPECT_TRUE(OneVariable(".common .global .u32 x;").is_visible);
  EXPECT_FALSE(OneVariable(".global .u32 x;").is_visible);
  EXPECT_TRUE(OneVariable(".extern .global .u32 x;").is_extern);
  EXPECT_TRUE(OneVariable(".global .attribute(.managed) .align 4 .u32 x = 4;").is_managed);
}

TEST(VariableTest, UnsizedSharedArraysHaveSizeZero) {
  const Variable dynamic = OneVariable(".extern .shared .align 16 .b8 s_dynamic[];");
  EXPECT_EQ(dynamic.size, 0u);
  EXPECT_EQ(dynamic.alignment, 16u);
  EXPECT_EQ(dynamic.space, Space::kShared);
}

TEST(VariableTest, SeveralNamesShareOneDeclaration) {
  const Module module = Parsed(".global .u32 a, b[2], c = 3;");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[1].size, 8u);
  EXPECT_THAT(module.variables[2].initial, ElementsAre(3, 0, 0, 0));
}

TEST(InitialiserTest, WhatIsLeftOutIsZero) {
  const Variable variable = OneVariable(".const .align 4 .b8 c[20] = {1, 0, 0, 0, 254, 255};");
  EXPECT_EQ(variable.size, 20u);
  EXPECT_THAT(variable.initial, ElementsAre(1, 0, 0, 0, 254, 255));
}

TEST(InitialiserTest, NegativeAndFloatingPointValues) {
  EXPECT_THAT(OneVariable(".global .s16 x = -2;").initial, ElementsAre(254, 255));
  EXPECT_THAT(OneVariable(".global .f32 x = 0f3FC00000;").initial, ElementsAre(0, 0, 0xC0, 0x3F));
  EXPECT_THAT(OneVariable(".global .f32 x = 1.5;").initial, ElementsAre(0, 0, 0xC0, 0x3F));
  EXPECT_THAT(OneVariable(".global .f64 x = 0d3FF8000000000000;").initial, ElementsAre(0, 0, 0, 0, 0, 0, 0xF8, 0x3F));
}

TEST(InitialiserTest, NestedListsFollowTheBounds) {
  const Variable variable = OneVariable(".global .b8 m[3][2] = {{1, 2}, {3}, {4, 5}};");
  EXPECT_THAT(variable.initial, ElementsAre(1, 2, 3, 0, 4, 5));
}

TEST(InitialiserTest, VectorsAreListsToo) {
  EXPECT_THAT(OneVariable(".global .v2 .b8 v[2] = {{1, 2}, {3, 4}};").initial, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(OneVariable(".global .v2 .b8 v = {1, 2};").initial, ElementsAre(1, 2));
}

TEST(InitialiserTest, AnUnsizedArrayHasAsManyElementsAsValues) {
  EXPECT_EQ(OneVariable(".global .u32 a[] = {1, 2, 3};").size, 12u);
  EXPECT_EQ(OneVariable(".global .u16 a[][2] = {{1}, {2}};").size, 8u);
}

TEST(InitialiserTest, AddressesBecomeRelocations) {
  const Variable variable =
      OneVariable(".global .b32 a[9]; .func f(); .global .u64 t[5] = {f, 7, generic(a)+12, a-4, generic(a)};");
  EXPECT_EQ(variable.size, 40u);
  ASSERT_EQ(variable.relocations.size(), 4u);
  const std::vector<Relocation>& found = variable.relocations;
  EXPECT_EQ(found[0].symbol, "f");
  EXPECT_EQ(found[0].offset, 0u);
  EXPECT_EQ(found[0].size, 8);
  EXPECT_FALSE(found[0].generic);
  EXPECT_EQ(found[1].symbol, "a");
  EXPECT_EQ(found[1].offset, 16u);
  EXPECT_EQ(found[1].addend, 12);
  EXPECT_TRUE(found[1].generic);
  EXPECT_EQ(found[2].addend, -4);
  EXPECT_FALSE(found[2].generic);
  EXPECT_EQ(found[3].offset, 32u);
  EXPECT_EQ(variable.initial[8], 7);
}

TEST(InitialiserTest, OneAddressWithoutBraces) {
  const Variable variable = OneVariable(".global .align 1 .b8 $str[6]; .global .align 8 .u64 msg = generic($str);");
  ASSERT_EQ(variable.relocations.size(), 1u);
  EXPECT_EQ(variable.relocations[0].symbol, "$str");
}

TEST(InitialiserTest, BytesOfAddressesHaveMasks) {
  const Variable variable = OneVariable(".global .b32 arr; .global .u8 p[3] = {1, 0XFF(generic(arr)+8), 0xFF00(arr)};");
  ASSERT_EQ(variable.relocations.size(), 2u);
  EXPECT_EQ(variable.relocations[0].mask, 0xFFu);
  EXPECT_EQ(variable.relocations[0].addend, 8);
  EXPECT_EQ(variable.relocations[0].size, 1);
  EXPECT_TRUE(variable.relocations[0].generic);
  EXPECT_EQ(variable.relocations[1].mask, 0xFF00u);
  EXPECT_EQ(variable.relocations[1].offset, 2u);
}

TEST(VariableErrors, AreNamedWithTheirPlace) {
  EXPECT_EQ(ErrorOf(".global .b8 a[2] = {1, 2, 3};"),
            "ptx:1:27: found '3', expected '}' after as many values as the array has elements");
  EXPECT_EQ(ErrorOf(".global .b8 a[2] = 1;"), "ptx:1:20: found '1', expected '{' before the values of an array");
  EXPECT_EQ(ErrorOf(".shared .b32 a = 1;"), "ptx:1:18: found '1', expected initialisers only for .global and .const");
  EXPECT_EQ(ErrorOf(".global .align 3 .b8 a;"), "ptx:1:16: found '3', expected an alignment that is a power of two");
  EXPECT_EQ(ErrorOf(".local .b8 a;"),
            "ptx:1:1: found '.local', expected a state space of module scope: .global, .const or .shared");
  EXPECT_EQ(ErrorOf(".global a;"), "ptx:1:9: found 'a', expected a type such as .b32");
  EXPECT_EQ(ErrorOf(".global .b8 .b16 a;"), "ptx:1:13: found '.b16', expected a name after the type");
  EXPECT_EQ(ErrorOf(".global .pred p;"), "ptx:1:15: found 'p', expected a type other than .pred in memory");
  EXPECT_EQ(ErrorOf(".global .u64 p = missing;"),
            "ptx:1:18: found 'missing', expected a declared register, variable or function");
  EXPECT_THAT(ErrorOf(".global .texref t;"), HasSubstr("textures, surfaces and samplers are not supported"));
  EXPECT_THAT(ErrorOf(".global .b64 a[99999999999][99999999];"), HasSubstr("at most 2^40 bytes"));
}

TEST(VariableErrors, InitialisersThatLeapOverGigabytesAreRefused) {
  EXPECT_THAT(ErrorOf(".global .b8 a[2][1000000000] = {{1}, {1}};"), HasSubstr("initial values of at most 256 MiB"));
  EXPECT_THAT(ErrorOf(".global .b64 a[][1000000][1000000] = {{{1}}, {{1}}};"), HasSubstr("at most 256 MiB"));
}

}  // namespace
}  // namespace warpgrade::ptx
