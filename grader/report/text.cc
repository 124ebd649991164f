// Decodes UTF-8 strictly, escapes what could act on a terminal, and measures, pads, cuts and wraps text by the columns
// that it takes on a terminal. Tests: tests/report/text_test.cc.
#include "grader/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace warpgrade::report {
namespace {

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;  // 0: not valid UTF-8 here
};

// The code point at text[at], refusing overlong forms and surrogates.
CodePoint Decode(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (bytes == 0 || at + bytes > text.size()) return {};
  uint32_t value = lead & (0xFF >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte(at + i) & 0x3F);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  if (overlong || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return {};
  return {value, bytes};
}

struct Range {
  uint32_t first, last;
};

template <size_t kCount>
bool IsIn(const Range (&ranges)[kCount], uint32_t value) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [value](const Range& range) { return value >= range.first && value <= range.last; });
}

// Controls (C0, DEL, C1), line separators, marks that turn the direction of writing ("Trojan Source"), non-characters.
constexpr Range kUnprintable[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F},
                                  {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}, {0xFFFE, 0xFFFF}};
constexpr Range kNoWidth[] = {{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
constexpr Range kDoubleWidth[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                                  {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                                  {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

int WidthOf(uint32_t code_point) {
  if (IsIn(kNoWidth, code_point)) return 0;
  return IsIn(kDoubleWidth, code_point) ? 2 : 1;
}

// The longest prefix that fits into `width` columns, in bytes; at least one code point.
size_t PrefixThatFits(std::string_view text, int width) {
  size_t end = 0;
  for (int used = 0; end < text.size();) {
    const CodePoint code_point = Decode(text, end);
    used += WidthOf(code_point.value);
    if (used > width && end > 0) break;
    end += std::max<size_t>(code_point.bytes, 1);
  }
  return end;
}

void WrapLine(std::string_view line, int width, std::vector<std::string>* lines) {
  const size_t first = std::min(line.find_first_not_of(' '), line.size());
  // Indentation deeper than half the width would leave no room for words.
  const std::string indent(std::min<size_t>(first, static_cast<size_t>(width) / 2), ' ');
  std::string_view rest = line.substr(first);
  const int room = std::max(width - static_cast<int>(indent.size()), 1);
  do {
    size_t end = PrefixThatFits(rest, room);
    size_t next = end;
    if (end < rest.size()) {
      const size_t space = rest.rfind(' ', end);
      if (space != std::string_view::npos && space > 0) {
        end = space;
        next = space + 1;
      }
    }
    lines->push_back(indent + std::string(rest.substr(0, end)));
    rest.remove_prefix(next);
  } while (!rest.empty());
}

// The first character of `rest`, which loses it.
void AppendOdd(std::string_view* rest, std::string* printable) {
  const CodePoint code_point = Decode(*rest, 0);
  const size_t bytes = std::max<size_t>(code_point.bytes, 1);
  if (code_point.bytes == 0) {
    *printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(rest->front()));
  } else if (code_point.value == '\t') {
    *printable += "    ";
  } else if (IsIn(kUnprintable, code_point.value)) {
    *printable += code_point.value < 0x100 ? fmt::format("\\x{:02x}", code_point.value)
                                           : fmt::format("\\u{:04x}", code_point.value);
  } else {
    *printable += rest->substr(0, bytes);
  }
  rest->remove_prefix(bytes);
}

}  // namespace

std::string Printable(std::string_view text) {
  // Nearly all characters are of this kind, and the reports of a class have many millions.
  const auto is_plain = [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; };
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    printable += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) AppendOdd(&text, &printable);
  }
  return printable;
}

std::string PrintableLine(std::string_view text) {
  std::string printable = Printable(text);
  std::replace(printable.begin(), printable.end(), '\n', ' ');
  return printable;
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = Decode(text, at);
    width += WidthOf(code_point.value);
    at += std::max<size_t>(code_point.bytes, 1);
  }
  return width;
}

std::string PadRight(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<size_t>(std::max(width - DisplayWidth(text), 0)), ' ');
}

std::string PadLeft(std::string_view text, int width) {
  return std::string(static_cast<size_t>(std::max(width - DisplayWidth(text), 0)), ' ') + std::string(text);
}

std::string Shorten(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width <= 1) return "…";
  return std::string(text.substr(0, PrefixThatFits(text, width - 1))) + "…";
}

std::vector<std::string> Wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  while (true) {
    const size_t newline = text.find('\n');
    WrapLine(text.substr(0, newline), width, &lines);
    if (newline == std::string_view::npos) return lines;
    text.remove_prefix(newline + 1);
  }
}

std::string ShellQuoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string MarkupEscaped(std::string_view text) {
  // Not find_first_of, which calls a function of the library for each character.
  const auto is_markup = [](char c) { return c == '&' || c == '<' || c == '>' || c == '"' || c == '\''; };
  std::string escaped;
  escaped.reserve(text.size());
  while (true) {
    const auto plain = static_cast<size_t>(std::find_if(text.begin(), text.end(), is_markup) - text.begin());
    escaped += text.substr(0, plain);
    if (plain == text.size()) return escaped;
    const char c = text[plain];
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : "&apos;";
    text.remove_prefix(plain + 1);
  }
}

}  // namespace warpgrade::report
