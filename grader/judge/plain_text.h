// Makes text from a student's program safe to print in terminals, JSON and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpgrade::judge {

// `text` as printable ASCII: a tab becomes a space, newlines stay, any other byte becomes "\xNN". Cut after
// `max_bytes`, with "..." at the end.
std::string PlainText(std::string_view text, size_t max_bytes);

// The text of a fixed-size field, which may lack its terminating zero, as PlainText on one line.
template <size_t kBytes>
std::string PlainField(const char (&field)[kBytes]);

// The first `lines` lines of `output` as PlainText, at most `max_bytes`, with "..." in a line of its own if there are
// more; "" when there is only white space.
std::string FirstLines(std::string_view output, int lines, size_t max_bytes);

// The last `lines` lines of `output` as PlainText, at most `max_bytes`; "" when there is only white space.
std::string LastLines(std::string_view output, int lines, size_t max_bytes);

template <size_t kBytes>
std::string PlainField(const char (&field)[kBytes]) {
  std::string_view text(field, kBytes);
  text = text.substr(0, text.find('\0'));
  std::string plain = PlainText(text, kBytes);
  for (char& c : plain) {
    if (c == '\n') c = ' ';
  }
  return plain;
}

}  // namespace warpgrade::judge
