// A size such as .b8, then values between commas. Labels and white space between them do not count. Tested by
// tests/emulator/ptx/dwarf_test.cc.
#include "grader/emulator/ptx/debug_section.h"

#include <charconv>
#include <string_view>

namespace warpgrade::ptx {
namespace {

constexpr size_t kMostBytes = size_t{4} << 20;
constexpr size_t kMostSymbols = 100'000;

uint64_t SizeOfValue(std::string_view directive) {
  if (directive == "b8") return 1;
  if (directive == "b16") return 2;
  if (directive == "b32") return 4;
  return directive == "b64" ? 8 : 0;
}

uint64_t NumberIn(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

// One value: 12, -1, name, name+12.
void ReadValue(TokenStream* tokens, uint64_t size, DebugSection* section) {
  std::string symbol;
  const TokenKind kind = tokens->Peek().kind;
  if (kind == TokenKind::kIdentifier || kind == TokenKind::kDotted) {
    symbol = tokens->Next().text;
    tokens->Accept("+");
  }
  const bool is_negative = tokens->Accept("-");
  uint64_t value = tokens->At(TokenKind::kNumber) ? NumberIn(tokens->Next().text) : 0;
  if (is_negative) value = ~value + 1;
  if (section->bytes.size() + size > kMostBytes) return;
  if (!symbol.empty() && section->symbols.size() < kMostSymbols) section->symbols[section->bytes.size()] = symbol;
  for (uint64_t k = 0; k < size; ++k) section->bytes.push_back(static_cast<uint8_t>(value >> (8 * k)));
}

}  // namespace

void ReadDebugSection(TokenStream* tokens, DebugSection* section) {
  const Token open = tokens->Peek();
  tokens->Expect("{");
  while (!tokens->AtEnd() && !tokens->At("}")) {
    const Token token = tokens->Next();
    const uint64_t size = token.kind == TokenKind::kDotted ? SizeOfValue(token.text) : 0;
    if (size == 0) continue;
    do {
      ReadValue(tokens, size, section);
    } while (tokens->Accept(","));
  }
  if (!tokens->Accept("}") && !tokens->failed()) {
    tokens->FailWith(open, "found a block that is never closed, expected '}'");
  }
}

}  // namespace warpgrade::ptx
