// Lookahead and the sticky error. Covered by tests/emulator/ptx/errors_test.cc.
#include "grader/emulator/ptx/token_stream.h"

#include <charconv>

namespace warpgrade::ptx {
namespace {

std::string Between(char quote, std::string_view text) {
  std::string quoted(1, quote);
  quoted += text;
  quoted += quote;
  return quoted;
}

}  // namespace

std::string Describe(const Token& token) {
  constexpr size_t kLongest = 60;
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kUnfinished:
      return std::string(token.text);
    default:
      break;
  }
  std::string text(token.text.substr(0, kLongest));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (token.text.size() > kLongest) text += "...";
  if (token.kind == TokenKind::kDotted) text.insert(text.begin(), '.');
  return Between(token.kind == TokenKind::kString ? '"' : '\'', text);
}

const Token& TokenStream::PeekSecond() {
  if (!second_) second_ = failed() ? current_ : lexer_.Next();
  return *second_;
}

Token TokenStream::Next() {
  const Token taken = current_;
  if (second_) {
    current_ = *second_;
    second_.reset();
  } else if (!failed()) {
    current_ = lexer_.Next();
  }
  return taken;
}

bool TokenStream::Accept(std::string_view punctuation) {
  if (!At(punctuation)) return false;
  Next();
  return true;
}

void TokenStream::Expect(std::string_view punctuation) {
  if (!Accept(punctuation)) Fail(Between('\'', punctuation));
}

Token TokenStream::Expect(TokenKind kind, std::string_view what) {
  if (At(kind)) return Next();
  Fail(what);
  return Token{};
}

int64_t TokenStream::ExpectCount(int64_t limit, std::string_view what) {
  const Token token = Expect(TokenKind::kNumber, what);
  if (failed()) return 0;
  int64_t value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, status] = std::from_chars(token.text.data(), end, value);
  if (status != std::errc() || stop != end || value > limit) {
    Fail(token, std::string(what) + " of at most " + std::to_string(limit));
    return 0;
  }
  return value;
}

void TokenStream::SkipBlock() {
  if (!At("{") || second_) return Fail("'{'");
  const Token open = current_;
  if (!lexer_.SkipToClosingBrace()) return FailWith(open, "found a block that is never closed, expected '}'");
  current_ = lexer_.Next();
}

void TokenStream::Fail(const Token& found, std::string_view expected) {
  FailWith(found, "found " + Describe(found) + ", expected " + std::string(expected));
}

void TokenStream::FailWith(const Token& where, const std::string& message) {
  if (failed()) return;
  error_ = Error{ErrorKind::kSubmission,
                 "ptx:" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": " + message};
  Token end;
  end.line = where.line;
  end.column = where.column;
  current_ = end;
  second_.reset();
}

}  // namespace warpgrade::ptx
