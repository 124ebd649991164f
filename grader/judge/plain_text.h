// Text that a student's program produced, made safe to print: it goes into terminals, JSON and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpgrade::judge {

// `text` as printable ASCII: other bytes become "\xNN", tabs a space; newlines stay. Cut to `max_bytes`, then "...".
std::string PlainText(std::string_view text, size_t max_bytes);

// Text from a fixed-size field that may lack its terminating zero, as PlainText on one line.
template <size_t kBytes>
std::string PlainField(const char (&field)[kBytes]);

// The last `lines` lines of `output`, plain, at most `max_bytes`; "" when there is nothing but white space.
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
