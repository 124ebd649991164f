// Reads the arguments from the packed buffer one after another, each at its own alignment, and passes each conversion
// to the host's snprintf. Tested by tests/emulator/exec/printf_test.cc.
#include "grader/emulator/machine/printf_format.h"

#include <bit>
#include <cstdio>

namespace warpgrade::emulator {
namespace {

constexpr int kWidest = 512;  // characters of one conversion: a width of 10^9 must not fill the memory

template <typename T>
std::string Convert(const std::string& spec, T value) {
  char text[kWidest + 512];
  int n = std::snprintf(text, sizeof(text), spec.c_str(), value);
  if (n < 0) return "";
  return std::string(text, static_cast<size_t>(n) < sizeof(text) ? static_cast<size_t>(n) : sizeof(text) - 1);
}

class ArgumentReader {
 public:
  explicit ArgumentReader(const std::function<uint64_t(size_t, size_t)>& read) : read_(read) {}
  uint64_t Next(size_t bytes) {
    offset_ = (offset_ + bytes - 1) / bytes * bytes;
    uint64_t v = read_(offset_, bytes);
    offset_ += bytes;
    ++count_;
    return v;
  }
  int count() const { return count_; }

 private:
  const std::function<uint64_t(size_t, size_t)>& read_;
  size_t offset_ = 0;
  int count_ = 0;
};

int Clamp(int v) { return v > kWidest ? kWidest : v < -kWidest ? -kWidest : v; }

// A conversion without its letter: "%-8.3" of "%-8.3lf".
struct Conversion {
  std::string spec = "%";
  bool wide = false;  // l, z, j or t: an integer of 64 bits
  size_t length = 1;  // characters of the format from the % up to the letter, without it
};

// Reads the flags, width, precision and length of the conversion at the start of `format`, and the arguments of its
// stars.
Conversion ReadConversion(std::string_view format, ArgumentReader* arguments) {
  Conversion conversion;
  int number = 0;
  bool starred = false;  // digits next to a star would make a larger number: stop at them
  for (; conversion.length < format.size(); ++conversion.length) {
    const char c = format[conversion.length];
    if (c == '*') {
      if (starred || number > 0) break;
      conversion.spec += std::to_string(Clamp(static_cast<int>(arguments->Next(4))));
      starred = true;
    } else if (c >= '0' && c <= '9') {
      if (starred) break;
      number = number * 10 + (c - '0');
      if (number > kWidest) break;
      conversion.spec.push_back(c);
    } else if (c == 'l' || c == 'z' || c == 'j' || c == 't') {
      conversion.wide = true;
    } else if (c == '-' || c == '+' || c == ' ' || c == '#' || c == '.') {
      number = 0;
      starred = false;
      conversion.spec.push_back(c);
    } else if (c != 'h') {
      break;
    }
  }
  return conversion;
}

}  // namespace

DevicePrintf FormatDevicePrintf(std::string_view format, const std::function<uint64_t(size_t, size_t)>& read,
                                const std::function<std::string(uint64_t)>& read_string) {
  std::string out;
  ArgumentReader arguments(read);
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out.push_back('%');
      ++i;
      continue;
    }
    const auto [spec, wide, length] = ReadConversion(format.substr(i), &arguments);
    if (i + length >= format.size()) {
      out.append(format.substr(i));
      break;
    }
    const char c = format[i + length];
    if (c == 'd' || c == 'i') {
      out += wide ? Convert(spec + "lld", static_cast<long long>(arguments.Next(8)))
                  : Convert(spec + "d", static_cast<int>(arguments.Next(4)));
    } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
      out += wide ? Convert(spec + "ll" + c, static_cast<unsigned long long>(arguments.Next(8)))
                  : Convert(spec + c, static_cast<unsigned>(arguments.Next(4)));
    } else if (c == 'c') {
      out += Convert(spec + "c", static_cast<int>(arguments.Next(4)));
    } else if (std::string_view("eEfFgGaA").find(c) != std::string_view::npos) {
      out += Convert(spec + c, std::bit_cast<double>(arguments.Next(8)));
    } else if (c == 'p') {
      out += Convert("%#llx", static_cast<unsigned long long>(arguments.Next(8)));
    } else if (c == 's') {
      out += Convert(spec + "s", read_string(arguments.Next(8)).c_str());
    } else {
      out.append(format.substr(i, length + 1));
    }
    i += length;
  }
  return {out, arguments.count()};
}

}  // namespace warpgrade::emulator
