// What an expression of lab.yaml is worth, and what is said about one that has no value.
#include "grader/described/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpgrade::described {
namespace {

using testing::HasSubstr;

const Values kSizes = {{"n", 10}, {"rows", 3}, {"zero", 0}};
const std::vector<std::string> kNames = {"n", "rows", "zero"};

std::string Whole(const std::string& text, Allowed allowed = Allowed::kWhole) {
  Expression expression;
  Expression::Mistake mistake;
  if (!Expression::Parse(text, kNames, allowed, &expression, &mistake)) {
    return std::to_string(mistake.column) + ": " + mistake.what;
  }
  Random random(1);
  const Result<int64_t> value = expression.Whole(kSizes, &random);
  return value ? std::to_string(*value) : value.error().message;
}

std::string Number(const std::string& text) {
  Expression expression;
  Expression::Mistake mistake;
  if (!Expression::Parse(text, kNames, Allowed::kNumber, &expression, &mistake)) return mistake.what;
  const Result<double> value = expression.Number(kSizes);
  return value ? std::to_string(*value) : value.error().message;
}

TEST(ExpressionTest, WholeNumbersFollowTheRulesOfArithmetic) {
  EXPECT_EQ(Whole("8 * n + 4"), "84");
  EXPECT_EQ(Whole("2 + 3 * 4 - 1"), "13");
  EXPECT_EQ(Whole("(2 + 3) * 4"), "20");
  EXPECT_EQ(Whole("10 - 3 - 2"), "5");
  EXPECT_EQ(Whole("100 / 7 % 5"), "4");
  EXPECT_EQ(Whole("2^3^2"), "512");
  EXPECT_EQ(Whole("-2^2"), "-4");
  EXPECT_EQ(Whole("(-2)^3"), "-8");
  EXPECT_EQ(Whole("(-1)^1000000000000001"), "-1");
  EXPECT_EQ(Whole("1^4000000000000000000"), "1");
  EXPECT_EQ(Whole("2^26"), "67108864");
  EXPECT_EQ(Whole("min(n, rows) + max(n, rows)"), "13");
  EXPECT_EQ(Whole("ceil_div(n, rows)"), "4");
  EXPECT_EQ(Whole("ceil_div(9, rows)"), "3");
  EXPECT_EQ(Whole("  n  "), "10");
}

TEST(ExpressionTest, WhatDoesNotFitInto64BitsIsAnErrorAndNeverWraps) {
  EXPECT_THAT(Whole("2^63"), HasSubstr("'2^63' does not fit into 64 bits"));
  EXPECT_EQ(Whole("2^62"), "4611686018427387904");
  EXPECT_THAT(Whole("9223372036854775807 + n"), HasSubstr("does not fit into 64 bits with n = 10"));
  EXPECT_THAT(Whole("-9223372036854775807 - n"), HasSubstr("does not fit"));
  EXPECT_THAT(Whole("n^40"), HasSubstr("does not fit"));
  EXPECT_THAT(Whole("(-9223372036854775807 - 1) / -1"), HasSubstr("does not fit"));
  EXPECT_THAT(Whole("(-9223372036854775807 - 1) % -1"), HasSubstr("does not fit"));
  EXPECT_THAT(Whole("ceil_div(-9223372036854775807 - 1, -1)"), HasSubstr("does not fit"));
  EXPECT_THAT(Whole("99999999999999999999"), HasSubstr("0: this number does not fit into 64 bits"));
}

TEST(ExpressionTest, ADivisionByZeroIsAnErrorThatNamesTheSizes) {
  EXPECT_THAT(Whole("n / zero"), HasSubstr("'n / zero' divides by 0 with n = 10, rows = 3, zero = 0"));
  EXPECT_THAT(Whole("n % (rows - 3)"), HasSubstr("divides by 0"));
  EXPECT_THAT(Whole("ceil_div(n, zero)"), HasSubstr("divides by 0"));
  EXPECT_THAT(Number("n / zero"), HasSubstr("divides by 0"));
  EXPECT_THAT(Whole("2^(-1)"), HasSubstr("negative power"));
}

TEST(ExpressionTest, AMistakeIsTheColumnAndWhatToDo) {
  EXPECT_EQ(Whole("8 * width"), "4: there is no size 'width' here; the names are n, rows and zero");
  EXPECT_THAT(Whole("8 * row"), HasSubstr("4: there is no size 'row' here; did you mean 'rows'?"));
  EXPECT_THAT(Whole("8 *"), HasSubstr("3: this expression ends too early"));
  EXPECT_THAT(Whole(""), HasSubstr("0: this expression ends too early"));
  EXPECT_THAT(Whole("(n"), HasSubstr("2: a parenthesis is not closed"));
  EXPECT_THAT(Whole("n)"), HasSubstr("1: ')' is not expected here"));
  EXPECT_THAT(Whole("2n"), HasSubstr("1: a name stands right behind a number"));
  EXPECT_THAT(Whole("1.5 * n"), HasSubstr("0: this is no whole number"));
  EXPECT_THAT(Whole("1e6"), HasSubstr("0: this is no whole number; write one, such as 1000 or 10^6"));
  EXPECT_THAT(Whole("n & 1"), HasSubstr("2: '&' is not expected here"));
  EXPECT_THAT(Whole("sqrt(n)"), HasSubstr("there is no function 'sqrt' here; the functions are min, max and ceil_div"));
  EXPECT_THAT(Whole("min(n)"), HasSubstr("min takes two values, not 1"));
  EXPECT_THAT(Whole("min(n"), HasSubstr("put an expression with a comma into quotes"));
  EXPECT_THAT(Whole("n \x01"), HasSubstr("2: '\\x01' is not expected here"));
}

TEST(ExpressionTest, LongAndDeepTextsAreRefused) {
  EXPECT_THAT(Whole(std::string(400, '1')), HasSubstr("more than 300 characters"));
  EXPECT_THAT(Whole(std::string(200, '(') + "n" + std::string(99, ')')), HasSubstr("nested too deeply"));
  EXPECT_THAT(Whole(std::string(290, '-') + "n"), HasSubstr("nested too deeply"));
}

TEST(ExpressionTest, ARangeDrawsOnlyWhereItMay) {
  std::set<std::string> drawn;
  Expression expression;
  Expression::Mistake mistake;
  ASSERT_TRUE(Expression::Parse("2 * (1..3) + 1", kNames, Allowed::kDrawn, &expression, &mistake));
  EXPECT_TRUE(expression.draws());
  Random random(1);
  for (int i = 0; i < 100; ++i) drawn.insert(std::to_string(*expression.Whole(kSizes, &random)));
  EXPECT_THAT(drawn, testing::ElementsAre("3", "5", "7"));
  EXPECT_THAT(Whole("1..3"), HasSubstr("1: '..' draws a number, which only hidden.yaml does"));
  EXPECT_THAT(Whole("n..3", Allowed::kDrawn), HasSubstr("draws from 10 to 3, a smaller number"));
  EXPECT_EQ(Whole("n..n", Allowed::kDrawn), "10");
}

TEST(ExpressionTest, TolerancesAreNumbersWithAFraction) {
  EXPECT_EQ(Number("1e-3 * sqrt(100)"), "0.010000");
  EXPECT_EQ(Number("log2(8) + 1 / 4"), "3.250000");
  EXPECT_EQ(Number("2^0.5 * 2^0.5"), "2.000000");
  EXPECT_THAT(Number("sqrt(-n)"), HasSubstr("is not a finite number with n = 10"));
  EXPECT_THAT(Number("1e308 * 10"), HasSubstr("is not a finite number"));
  EXPECT_THAT(Number("1e999"), HasSubstr("too large or too small"));
}

}  // namespace
}  // namespace warpgrade::described
