// Splits PTX into tokens: one pass, a table of character classes, no allocation. Identifiers follow PTX ISA 9.0,
// section 4.3.
// Covered by tests/emulator/ptx/lexer_test.cc.
#include "grader/emulator/ptx/lexer.h"

#include <algorithm>
#include <array>

namespace warpgrade::ptx {
namespace {

enum CharClass : uint8_t { kOther, kBlank, kDigit, kLetter };  // kLetter: also _ $

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (unsigned char c : {' ', '\t', '\r', '\n', '\v', '\f'}) classes[c] = kBlank;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  classes['_'] = classes['$'] = kLetter;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

uint8_t ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool IsWord(char c) { return ClassOf(c) >= kDigit; }

}  // namespace

bool Lexer::SkipBlanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      NewLine();
      ++position_;
    } else if (ClassOf(c) == kBlank) {
      ++position_;
    } else if (c == '/' && At(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && At(position_ + 1) == '*') {
      const size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) return false;
      for (; position_ < end + 2; ++position_) {
        if (text_[position_] == '\n') NewLine();
      }
    } else {
      return true;
    }
  }
  return true;
}

size_t Lexer::EndOfWord(size_t position) const {
  while (position < text_.size() && IsWord(text_[position])) ++position;
  return position;
}

// A dotted word may hold "::" between two words: .shared::cluster.
size_t Lexer::EndOfDotted(size_t position) const {
  position = EndOfWord(position);
  while (At(position) == ':' && At(position + 1) == ':' && IsWord(At(position + 2))) position = EndOfWord(position + 2);
  return position;
}

// A digit, then word characters; in decimal numbers also one '.' and the sign of an exponent.
size_t Lexer::EndOfNumber(size_t position) const {
  const char prefix = text_[position] == '0' ? At(position + 1) : '\0';
  if (ClassOf(prefix) == kLetter && prefix != 'e' && prefix != 'E') return EndOfWord(position);
  position = EndOfWord(position);
  if (At(position) == '.') position = EndOfWord(position + 1);
  const char last = text_[position - 1];
  const char sign = At(position);
  if ((last == 'e' || last == 'E') && (sign == '+' || sign == '-')) position = EndOfWord(position + 1);
  return position;
}

size_t Lexer::EndOfPunctuation(size_t position) const {
  const char first = text_[position];
  const char second = At(position + 1);
  const bool doubles =
      (first == '<' || first == '>' || first == '=' || first == '&' || first == '|') && second == first;
  const bool compares = (first == '<' || first == '>' || first == '!') && second == '=';
  if (doubles || compares) return position + 2;
  return std::string_view("()[]{},;:@!|+-*/%~&^<>=?").find(first) == std::string_view::npos ? position : position + 1;
}

// No token is read after this one, so that a caller that skips tokens must reach the end.
Token Lexer::Unfinished(Token token, std::string_view what) {
  token.kind = TokenKind::kUnfinished;
  token.text = what;
  position_ = text_.size();
  return token;
}

Token Lexer::String(Token token) {
  const size_t end = text_.find_first_of("\"\n", position_ + 1);
  if (end == std::string_view::npos || text_[end] == '\n') {
    return Unfinished(token, "a string that does not end on its line");
  }
  token.kind = TokenKind::kString;
  token.text = text_.substr(position_ + 1, end - position_ - 1);
  position_ = end + 1;
  return token;
}

Token Lexer::Next() {
  const bool closed = SkipBlanks();
  Token token;
  token.line = line_;
  token.column = static_cast<int32_t>(position_ - line_start_ + 1);
  if (!closed) return Unfinished(token, "a comment that is never closed");
  if (position_ >= text_.size()) return token;

  const char c = text_[position_];
  size_t start = position_;
  size_t end = position_;
  if (ClassOf(c) == kLetter || (c == '%' && IsWord(At(position_ + 1)))) {
    token.kind = TokenKind::kIdentifier;
    end = EndOfWord(position_ + 1);
  } else if (ClassOf(c) == kDigit) {
    token.kind = TokenKind::kNumber;
    end = EndOfNumber(position_);
  } else if (c == '.' && IsWord(At(position_ + 1))) {
    token.kind = TokenKind::kDotted;
    end = EndOfDotted(++start);
  } else if (c == '"') {
    return String(token);
  } else {
    token.kind = TokenKind::kPunctuation;
    end = EndOfPunctuation(position_);
    if (end == position_) {
      token.kind = TokenKind::kUnknown;
      ++end;
    }
  }
  token.text = text_.substr(start, end - start);
  position_ = end;
  return token;
}

bool Lexer::SkipToClosingBrace() {
  for (int depth = 1; depth > 0; ++position_) {
    if (position_ >= text_.size()) return false;
    const char c = text_[position_];
    if (c == '\n') NewLine();
    if (c == '{') ++depth;
    if (c == '}') --depth;
  }
  return true;
}

}  // namespace warpgrade::ptx
