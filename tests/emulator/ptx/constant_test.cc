#include "grader/emulator/ptx/constant.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

namespace warpgrade::ptx {
namespace {

Constant Value(const std::string& text) {
  TokenStream tokens(text);
  const Constant value = ParseConstant(tokens);
  EXPECT_FALSE(tokens.failed()) << text << ": " << tokens.error().message;
  EXPECT_TRUE(tokens.AtEnd()) << text;
  return value;
}

std::string Failure(const std::string& text) {
  TokenStream tokens(text);
  ParseConstant(tokens);
  EXPECT_TRUE(tokens.failed()) << text;
  return tokens.failed() ? tokens.error().message : "";
}

TEST(ConstantTest, IntegersInEveryBase) {
  EXPECT_EQ(Value("255").bits, 255u);
  EXPECT_EQ(Value("0xFf").bits, 255u);
  EXPECT_EQ(Value("0XFF").bits, 255u);
  EXPECT_EQ(Value("0377").bits, 255u);
  EXPECT_EQ(Value("0b11111111").bits, 255u);
  EXPECT_EQ(Value("0").bits, 0u);
  EXPECT_EQ(Value("WARP_SZ").bits, 32u);
}

TEST(ConstantTest, IntegersAreSignedUntilTheyDoNotFit) {
  EXPECT_EQ(Value("9223372036854775807").type, Type::kS64);
  EXPECT_EQ(Value("9223372036854775808").type, Type::kU64);
  EXPECT_EQ(Value("0xFFFFFFFFFFFFFFFF").type, Type::kU64);
  EXPECT_EQ(Value("1U").type, Type::kU64);
}

TEST(ConstantTest, NegativeIntegersAreSignExtended) {
  EXPECT_EQ(Value("-1").bits, ~uint64_t{0});
  EXPECT_EQ(Value("-1").type, Type::kS64);
  EXPECT_EQ(static_cast<int64_t>(Value("-2147483648").bits), -2147483648LL);
}

TEST(ConstantTest, FloatsGivenAsBitsKeepThem) {
  EXPECT_EQ(Value("0f3F800000").bits, 0x3F800000u);
  EXPECT_EQ(Value("0F7fc00001").bits, 0x7FC00001u);
  EXPECT_EQ(Value("0f3F800000").type, Type::kF32);
  EXPECT_EQ(Value("0d3FF8000000000000").bits, 0x3FF8000000000000u);
  EXPECT_EQ(Value("0d3FF8000000000000").type, Type::kF64);
  EXPECT_EQ(Value("-0f3F800000").bits, 0xBF800000u);
}

TEST(ConstantTest, DecimalFloatsAreDoubles) {
  EXPECT_EQ(Value("1.5").type, Type::kF64);
  EXPECT_EQ(Value("1.5").bits, std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(Value("-25e-2").bits, std::bit_cast<uint64_t>(-0.25));
  EXPECT_EQ(Value("1.0 + 0.5 * 3").bits, std::bit_cast<uint64_t>(2.5));
}

TEST(ConstantTest, OperatorsBindAsInC) {
  EXPECT_EQ(Value("2 + 3 * 4").bits, 14u);
  EXPECT_EQ(Value("(2 + 3) * 4").bits, 20u);
  EXPECT_EQ(Value("1 << 4 | 3").bits, 19u);
  EXPECT_EQ(Value("10 - 4 - 3").bits, 3u);
  EXPECT_EQ(Value("6 & 3 == 3").bits, 0u);
  EXPECT_EQ(Value("5 ^ 1 & 3").bits, 4u);
  EXPECT_EQ(Value("1 || 0 && 0").bits, 1u);
  EXPECT_EQ(Value("3 > 2 ? 7 : 8").bits, 7u);
  EXPECT_EQ(Value("0 ? 1 : 0 ? 2 : 3").bits, 3u);
  EXPECT_EQ(Value("!5 + ~0").bits, ~uint64_t{0});
  EXPECT_EQ(Value("-7 / 2").bits, static_cast<uint64_t>(-3));
  EXPECT_EQ(Value("-7 % 4").bits, static_cast<uint64_t>(-3));
}

TEST(ConstantTest, UnsignedOperandsMakeUnsignedResults) {
  EXPECT_EQ(Value("-1 > 1").bits, 0u);
  EXPECT_EQ(Value("-1 > 1U").bits, 1u);
  EXPECT_EQ(Value("(.u64)-1 / 2").bits, ~uint64_t{0} / 2);
  EXPECT_EQ(Value("(.s64)0xFFFFFFFFFFFFFFFF / 2").bits, 0u);
}

TEST(ConstantTest, ArithmeticWrapsRatherThanTraps) {
  EXPECT_EQ(Value("(-9223372036854775807 - 1) / -1").bits, uint64_t{1} << 63);
  EXPECT_EQ(Value("(-9223372036854775807 - 1) % -1").bits, 0u);
  EXPECT_EQ(Value("1 << 64").bits, 0u);
  EXPECT_EQ(Value("-1 >> 100").bits, ~uint64_t{0});
}

TEST(ConstantTest, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(Failure("1 / 0"), "ptx:1:3: found '/', expected a divisor other than zero after it");
  EXPECT_EQ(Failure("18446744073709551616"),
            "ptx:1:1: found '18446744073709551616', expected a number that fits 64 bits");
  EXPECT_EQ(Failure("089"), "ptx:1:1: found '089', expected a number that fits 64 bits");
  EXPECT_EQ(Failure("0f3F80"), "ptx:1:1: found '0f3F80', expected a number that fits 64 bits");
  EXPECT_EQ(Failure("1 + ;"), "ptx:1:5: found ';', expected a constant");
  EXPECT_EQ(Failure("(1"), "ptx:1:3: found the end of the text, expected ')'");
  EXPECT_EQ(Failure("~1.5"), "ptx:1:1: found '~', expected '+' or '-' before a floating-point constant");
  EXPECT_EQ(Failure("1.5 << 2"), "ptx:1:5: found '<<', expected '+', '-', '*' or '/' between floating-point constants");
}

TEST(ConstantTest, DeepNestingIsAnErrorNotAStackOverflow) {
  EXPECT_NE(Failure(std::string(1000000, '(')).find("less deeply nested"), std::string::npos);
  EXPECT_NE(Failure(std::string(1000000, '-')).find("less deeply nested"), std::string::npos);
  std::string conditions;
  for (int i = 0; i < 100000; ++i) conditions += "1?1:";
  EXPECT_NE(Failure(conditions).find("less deeply nested"), std::string::npos);
}

TEST(ConstantTest, BitsFollowTheVariablesType) {
  EXPECT_EQ(BitsAs(Type::kF32, Value("1.5")), 0x3FC00000u);
  EXPECT_EQ(BitsAs(Type::kF32, Value("2")), 0x40000000u);
  EXPECT_EQ(BitsAs(Type::kF64, Value("0f3FC00000")), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(BitsAs(Type::kF32, Value("0f7F800001")), 0x7F800001u) << "a signalling NaN stays one";
  EXPECT_EQ(BitsAs(Type::kB32, Value("0f3FC00000")), 0x3FC00000u);
  EXPECT_EQ(BitsAs(Type::kB8, Value("254")), 254u);
}

}  // namespace
}  // namespace warpgrade::ptx
