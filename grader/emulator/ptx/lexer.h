// PTX text -> tokens, one at a time. Tokens point into the text, which must outlive them.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade::ptx {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,   // foo, %r1, $L__BB0_1, _
  kDotted,       // ".global", ".L2::128B": `text` leaves out the dot
  kNumber,       // 12, 0x1F, 0f3F800000, 9.0; constant.cc checks it
  kString,       // "nounroll": `text` leaves out the quotes
  kPunctuation,  // one of ( ) [ ] { } , ; : @ ! | + - * / % ~ & ^ < > = ? and << >> <= >= == != && ||
  kUnknown,      // one byte that PTX does not use
  kUnfinished,   // `text` says what is not closed: "a comment that is never closed"
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  int32_t line = 1;    // 1-based
  int32_t column = 1;  // 1-based, in bytes

  bool Is(std::string_view punctuation) const { return kind == TokenKind::kPunctuation && text == punctuation; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // The next token. At the end of the text, every call returns kEnd.
  Token Next();

  // Moves past the '}' that closes the '{' just read, without making tokens of the text between: debug sections are
  // long and have their own syntax. Returns false if the text ends first.
  bool SkipToClosingBrace();

 private:
  // Moves to the next byte that is neither white space nor comment; false when a comment is never closed.
  bool SkipBlanks();
  void NewLine() {
    ++line_;
    line_start_ = position_ + 1;
  }
  char At(size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  size_t EndOfWord(size_t position) const;
  size_t EndOfDotted(size_t position) const;
  size_t EndOfNumber(size_t position) const;
  size_t EndOfPunctuation(size_t position) const;
  Token Unfinished(Token token, std::string_view what);
  Token String(Token token);

  std::string_view text_;
  size_t position_ = 0;
  size_t line_start_ = 0;
  int32_t line_ = 1;
};

}  // namespace warpgrade::ptx
