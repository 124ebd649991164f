#include "grader/similarity/statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace warpgrade::similarity {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(std::string_view source) {
  std::vector<std::string> texts;
  for (const Statement& statement : Statements(source)) texts.push_back(statement.text);
  return texts;
}

std::vector<std::string> Shapes(std::string_view source) {
  std::vector<std::string> shapes;
  for (const Statement& statement : Statements(source)) shapes.push_back(statement.shape);
  return shapes;
}

TEST(StatementsTest, LayoutAndCommentsDoNotCount) {
  const std::vector<std::string> texts = Texts("int a=1; // one\nfor(;;){ b ( ) ; /* two\n lines */ }");
  EXPECT_THAT(texts, ElementsAre("int a = 1 ;", "for ( ;", ";", ") {", "b ( ) ;", "}"));
  EXPECT_EQ(Texts("int\n  a   =\n\t1;for\n(;\n;)\n{b();}"), texts);
  EXPECT_THAT(Texts("// all of it \\\n is a comment\nx;"), ElementsAre("x ;"));
}

TEST(StatementsTest, AStatementKnowsItsLines) {
  const std::vector<Statement> all = Statements("// one\nint a =\n    1;\n\nf(\n); g();\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].first_line, 2);
  EXPECT_EQ(all[0].last_line, 3);
  EXPECT_EQ(all[1].first_line, 5);
  EXPECT_EQ(all[1].last_line, 6);
  EXPECT_EQ(all[2].first_line, 6);
  EXPECT_EQ(all[2].tokens, 4);
}

TEST(StatementsTest, TheShapeForgetsNamesNumbersAndStringsOnly) {
  EXPECT_THAT(Shapes("const size_t row = blockIdx.y * 32 + threadIdx.y;"),
              ElementsAre("const size_t x = blockIdx . y * 0 + threadIdx . y ;"));
  EXPECT_EQ(Shapes("const size_t r = blockIdx.y * 0x10 + threadIdx.y;"),
            Shapes("const size_t row = blockIdx.y * 1.5e-3f + threadIdx.y;"));
  EXPECT_EQ(Shapes("f(\"a;b\");"), Shapes("g(u8\"{\");"));
  EXPECT_NE(Shapes("a = b;"), Shapes("a += b;"));
  EXPECT_THAT(Shapes("__syncthreads();"), ElementsAre("__syncthreads ( ) ;"));
}

TEST(StatementsTest, QuotesHideWhatLooksLikeCode) {
  EXPECT_THAT(Texts("a = \"; // {\"; b = ';'; c = '\\''; d = R\"x(;\" )x\"; e = 1'000;"),
              ElementsAre("a = \"\" ;", "b = \"\" ;", "c = \"\" ;", "d = \"\" ;", "e = 1'000 ;"));
}

TEST(StatementsTest, IncludesAreLeftOutAndOtherDirectivesEndWithTheirLine) {
  EXPECT_THAT(Texts("#include <a.h>\n# include \"b.h\"\n#define N 32 \\\n + 1\nint a;\n#pragma unroll\nf();"),
              ElementsAre("# define N 32 + 1", "int a ;", "# pragma unroll", "f ( ) ;"));
}

TEST(StatementsTest, WhatIsNotClosedEndsWithTheFile) {
  EXPECT_THAT(Texts("a; /* b;"), ElementsAre("a ;"));
  EXPECT_THAT(Texts("a; \"b;"), ElementsAre("a ;", "\"\""));
  EXPECT_THAT(Texts("a; R\"x(b;"), ElementsAre("a ;", "\"\""));
  EXPECT_THAT(Texts("a; b"), ElementsAre("a ;", "b"));
  EXPECT_THAT(Texts("\\"), ElementsAre("\\"));
  EXPECT_THAT(Texts(""), IsEmpty());
}

TEST(StatementsTest, ALongStatementIsCut) {
  std::string sum = "a = 0";
  for (int i = 0; i < 1000; ++i) sum += " + " + std::string(1000, 'b');
  const std::vector<Statement> all = Statements(sum + ";");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].tokens, kMostTokensOfAStatement);
  EXPECT_LE(all[0].text.size(), static_cast<size_t>(kMostTokensOfAStatement) * 65);
}

// No byte may make it read past the end or stand still.
TEST(StatementsTest, AnyBytesAreReadToTheEnd) {
  std::mt19937 random(1);
  const std::string alphabet =
      "ab1.;{}\"'/*\\\n#R(u8)L \xff\x80"
      "e+-";
  for (int i = 0; i < 20'000; ++i) {
    std::string source;
    const size_t length = random() % 40;
    for (size_t j = 0; j < length; ++j) source += alphabet[random() % alphabet.size()];
    for (const Statement& statement : Statements(source)) {
      EXPECT_GE(statement.first_line, 1) << source;
      EXPECT_LE(statement.first_line, statement.last_line) << source;
    }
  }
}

}  // namespace
}  // namespace warpgrade::similarity
