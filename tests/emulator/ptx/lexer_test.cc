#include "grader/emulator/ptx/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpgrade::ptx {
namespace {

using Kind = TokenKind;

std::vector<Token> Tokens(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  for (Token token = lexer.Next(); token.kind != Kind::kEnd; token = lexer.Next()) {
    tokens.push_back(token);
  }
  return tokens;
}

// The texts of all tokens, each between < and >.
std::string Texts(std::string_view text) {
  std::string joined;
  for (const Token& token : Tokens(text)) joined.append("<").append(token.text).append(">");
  return joined;
}

TEST(LexerTest, AnInstructionFallsIntoWordsAndPunctuation) {
  EXPECT_EQ(Texts("@!%p1 ld.global.v2.f32 {%f1,_}, [%rd1+-8];"),
            "<@><!><%p1><ld><global><v2><f32><{><%f1><,><_><}><,><[><%rd1><+><-><8><]><;>");
}

TEST(LexerTest, DottedWordsMayHoldTwoColons) {
  const std::vector<Token> tokens = Tokens("ld.L2::128B.b32 x:y");
  EXPECT_EQ(tokens[1].kind, Kind::kDotted);
  EXPECT_EQ(tokens[1].text, "L2::128B");
  EXPECT_EQ(Texts("a:b"), "<a><:><b>");
}

TEST(LexerTest, NamesMayBeginWithDollarUnderscoreAndPercent) {
  for (const char* name : {"$L__BB0_1", "_Z3foo", "%r1", "%SPL", "_", "a$b_1"}) {
    ASSERT_EQ(Tokens(name).size(), 1u) << name;
    EXPECT_EQ(Tokens(name)[0].kind, Kind::kIdentifier) << name;
  }
}

TEST(LexerTest, NumbersOfEachKindAreOneToken) {
  for (const char* number :
       {"0", "12", "0x1F", "0b101", "017", "12U", "0f3F800000", "0d3FF0000000000000", "1.5", "1e5", "1.5e-3", "2E+4"}) {
    ASSERT_EQ(Tokens(number).size(), 1u) << number;
    EXPECT_EQ(Tokens(number)[0].kind, Kind::kNumber) << number;
  }
}

TEST(LexerTest, HexDigitsAreNotExponents) {
  EXPECT_EQ(Texts("0x1E-8"), "<0x1E><-><8>");
  EXPECT_EQ(Texts("0f0000000E+8"), "<0f0000000E><+><8>");
}

TEST(LexerTest, OperatorsOfTwoCharactersAreOneToken) {
  EXPECT_EQ(Texts("<< >> <= >= == != && || < > ! & | ="), "<<<><>>><<=><>=><==><!=><&&><||><<><>><!><&><|><=>");
}

TEST(LexerTest, CommentsAndBlanksAreSkippedButCounted) {
  const std::vector<Token> tokens = Tokens("// first line\n/* two\n lines */ a\r\n\tb");
  ASSERT_EQ(tokens.size(), 2u);
  EXPECT_EQ(tokens[0].line, 3);
  EXPECT_EQ(tokens[0].column, 11);
  EXPECT_EQ(tokens[1].line, 4);
  EXPECT_EQ(tokens[1].column, 2);
}

TEST(LexerTest, StringsKeepTheirContents) {
  EXPECT_EQ(Tokens("\"a // b\"")[0].text, "a // b");
  EXPECT_EQ(Tokens("\"a // b\"")[0].kind, Kind::kString);
}

TEST(LexerTest, WhatHasNoEndSaysSo) {
  EXPECT_EQ(Tokens("a /* b")[1].kind, Kind::kUnfinished);
  EXPECT_EQ(Tokens("\"a\nb\"")[0].kind, Kind::kUnfinished);
  EXPECT_EQ(Tokens("\"a")[0].kind, Kind::kUnfinished);
}

TEST(LexerTest, NothingFollowsWhatHasNoEnd) {
  for (const char* text : {"/* b", "\"a\nb"}) {
    Lexer lexer(text);
    EXPECT_EQ(lexer.Next().kind, Kind::kUnfinished) << text;
    EXPECT_EQ(lexer.Next().kind, Kind::kEnd) << text;
  }
}

TEST(LexerTest, BytesThatPtxDoesNotUseAreTokensOfTheirOwn) {
  EXPECT_EQ(Tokens("`a")[0].kind, Kind::kUnknown);
  EXPECT_EQ(Tokens("`a")[1].text, "a");
  EXPECT_EQ(Tokens(". a")[0].kind, Kind::kUnknown);
  EXPECT_EQ(Tokens(std::string_view("\0", 1))[0].kind, Kind::kUnknown);
}

TEST(LexerTest, TheEndStaysTheEnd) {
  Lexer lexer("a");
  lexer.Next();
  EXPECT_EQ(lexer.Next().kind, Kind::kEnd);
  EXPECT_EQ(lexer.Next().kind, Kind::kEnd);
}

TEST(LexerTest, ABlockIsSkippedWithTheBlocksInIt) {
  Lexer lexer("{ ` { \n } .. } after");
  lexer.Next();
  EXPECT_TRUE(lexer.SkipToClosingBrace());
  const Token after = lexer.Next();
  EXPECT_EQ(after.text, "after");
  EXPECT_EQ(after.line, 2);
  EXPECT_EQ(after.column, 9);
  Lexer open("{ {}");
  open.Next();
  EXPECT_FALSE(open.SkipToClosingBrace());
}

}  // namespace
}  // namespace warpgrade::ptx
