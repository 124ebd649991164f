// Decodes UTF-8 strictly (Unicode 15, table 3-7) and replaces every byte that is invalid, or that could change how the
// text around it looks. Tests: tests/submission/printable_test.cc.
#include "grader/submission/printable.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>

namespace warpgrade::submission {
namespace {

// Decodes the first character of `text`. Returns its length, or 0 if the bytes are not a character.
size_t DecodeUtf8(std::string_view text, uint32_t* character) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    *character = lead;
    return 1;
  }
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  *character = lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    *character = *character << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = *character >= 0xD800 && *character <= 0xDFFF;
  return *character < kSmallest[length] || surrogate || *character > 0x10FFFF ? 0 : length;
}

// Control characters, and invisible characters that change how the text around them looks.
bool IsDeceptive(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x061C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string Cleaned(std::string_view text, const std::function<std::string(unsigned char)>& replace) {
  std::string out;
  while (!text.empty()) {
    uint32_t character = 0;
    const size_t length = DecodeUtf8(text, &character);
    if (length > 0 && !IsDeceptive(character)) {
      out += text.substr(0, length);
    } else {
      for (size_t i = 0; i < std::max<size_t>(length, 1); ++i) out += replace(static_cast<unsigned char>(text[i]));
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

// Moves a cut back so that it does not split a character.
size_t CharacterStart(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string Escaped(std::string_view name) {
  std::string out = Cleaned(name, [](unsigned char byte) { return fmt::format("\\x{:02x}", byte); });
  constexpr size_t kMost = 200, kKeep = 96;
  if (out.size() <= kMost) return out;
  return out.substr(0, CharacterStart(out, kKeep)) + "..." + out.substr(CharacterStart(out, out.size() - kKeep));
}

std::string IdFrom(std::string_view name) {
  std::string id = Cleaned(name, [](unsigned char) { return "_"; });
  constexpr size_t kMost = 100;
  if (id.size() > kMost) id.resize(CharacterStart(id, kMost));
  const size_t begin = id.find_first_not_of(' ');
  if (begin == std::string::npos) return "submission";
  return id.substr(begin, id.find_last_not_of(' ') - begin + 1);
}

}  // namespace warpgrade::submission
