// Tokens with a lookahead of two and one sticky error. After the first error every token is kEnd. So parsers unwind by
// themselves and need not test each step; a loop only has to stop at kEnd.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/emulator/ptx/lexer.h"
#include "grader/result/result.h"

namespace warpgrade::ptx {

class TokenStream {
 public:
  explicit TokenStream(std::string_view text) : lexer_(text), current_(lexer_.Next()) {}

  const Token& Peek() const { return current_; }
  const Token& PeekSecond();
  Token Next();

  bool AtEnd() const { return current_.kind == TokenKind::kEnd; }
  bool At(TokenKind kind) const { return current_.kind == kind; }
  bool At(std::string_view punctuation) const { return current_.Is(punctuation); }
  // Takes the next token if it is this punctuation.
  bool Accept(std::string_view punctuation);
  // Takes it, or fails with "expected" it.
  void Expect(std::string_view punctuation);
  // Takes a token of `kind`, or fails with "expected `what`" and returns an empty token.
  Token Expect(TokenKind kind, std::string_view what);
  // Takes an unsigned decimal number of at most `limit`, or fails; 0 after failure.
  int64_t ExpectCount(int64_t limit, std::string_view what);

  // Takes a { ... } block without looking at its contents.
  void SkipBlock();

  // Records "ptx:LINE:COLUMN: found X, expected Y" unless there is an error already.
  void Fail(const Token& found, std::string_view expected);
  void Fail(std::string_view expected) { Fail(current_, expected); }
  // Records "ptx:LINE:COLUMN: `message`": for text that is well-formed but wrong.
  void FailWith(const Token& where, const std::string& message);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  Lexer lexer_;
  Token current_;
  std::optional<Token> second_;
  std::optional<Error> error_;
};

// How an error names a token: 'add', the end of the text.
std::string Describe(const Token& token);

}  // namespace warpgrade::ptx
