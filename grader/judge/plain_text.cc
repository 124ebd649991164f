#include "grader/judge/plain_text.h"

#include <cstdio>

namespace warpgrade::judge {

std::string PlainText(std::string_view text, size_t max_bytes) {
  std::string plain;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    std::string piece(1, c == '\t' ? ' ' : c);
    if (c != '\n' && c != '\t' && (byte < 0x20 || byte > 0x7e)) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\x%02x", byte);
      piece = escaped;
    }
    if (plain.size() + piece.size() > max_bytes) return plain + "...";
    plain += piece;
  }
  return plain;
}

std::string FirstLines(std::string_view output, int lines, size_t max_bytes) {
  const size_t last = output.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return "";
  output = output.substr(0, last + 1);
  size_t end = 0;
  for (int i = 0; i < lines && end != std::string_view::npos; ++i) {
    end = output.find('\n', i == 0 ? 0 : end + 1);
  }
  const bool is_cut = end != std::string_view::npos;
  return PlainText(output.substr(0, end), max_bytes) + (is_cut ? "\n..." : "");
}

std::string LastLines(std::string_view output, int lines, size_t max_bytes) {
  const size_t last = output.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return "";
  output = output.substr(0, last + 1);
  size_t begin = output.size();
  for (int i = 0; i < lines && begin != std::string_view::npos && begin != 0; ++i) {
    begin = output.find_last_of('\n', begin - 1);
  }
  if (begin == std::string_view::npos) {
    begin = 0;
  } else if (begin < output.size() && output[begin] == '\n') {
    ++begin;
  }
  output = output.substr(begin);
  // Keep the end, because it says more than the beginning: a crash's last words are there.
  if (output.size() > max_bytes) {
    output = output.substr(output.size() - max_bytes);
    // Half a line at the beginning says nothing, unless it is all that there is.
    if (const size_t end = output.find('\n'); end != std::string_view::npos) output = output.substr(end + 1);
  }
  return PlainText(output, 4 * max_bytes);
}

}  // namespace warpgrade::judge
