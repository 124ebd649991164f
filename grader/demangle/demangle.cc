// Bounds the length of a name's text before the library makes it, from the letters alone. Every back reference (S_,
// S1A_, T_, T3_) at most doubles the text before it, and a pack expansion (Dp) repeats that text for each element.
// Letters inside of an identifier that look like a reference count as one. Tested by tests/demangle/demangle_test.cc.
#include "grader/demangle/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace warpgrade {
namespace {

constexpr std::string_view kLettersOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr double kLongestBound = 64e6;    // bytes; nine in ten kernels of CUB and Thrust are below it, mostly far below
constexpr double kTextOfLetter = 16;      // "y" means "unsigned long long", and few letters mean more
constexpr size_t kLongestText = 1 << 16;  // bytes; one name is kept for every launch

bool IsDigitOfReference(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || (c >= 'A' && c <= 'Z'); }

// The length of a back reference at the start of `text`; 0: there is none.
size_t ReferenceAt(std::string_view text) {
  if (text[0] != 'S' && text[0] != 'T') return 0;
  size_t end = 1;
  while (end < text.size() && IsDigitOfReference(text[end])) ++end;
  return end < text.size() && text[end] == '_' ? end + 1 : 0;
}

// An upper bound on the bytes of the text of `mangled`.
double BoundOfText(std::string_view mangled) {
  double bytes = 0;
  for (size_t at = 0; at < mangled.size();) {
    const std::string_view rest = mangled.substr(at);
    const size_t reference = ReferenceAt(rest);
    if (reference > 0) bytes *= 2;
    if (rest.starts_with("Dp")) bytes *= static_cast<double>(mangled.size());
    bytes += kTextOfLetter;
    at += reference > 0 ? reference : 1;
  }
  return bytes;
}

// The symbol that the source has, of one that was made unique in a linked program: "total" of "total@2"
// (grader/emulator/link_units.h), and of "__nv_static_6__1_b_c_total" (nvcc -rdc=true: the length of what follows, then
// so many letters, then the symbol).
std::string WithoutUnit(const std::string& symbol) {
  constexpr std::string_view kStatic = "__nv_static_";
  std::string rest = symbol.substr(0, symbol.find('@'));
  if (!rest.starts_with(kStatic)) return rest;
  const size_t digits_end = rest.find_first_not_of("0123456789", kStatic.size());
  if (digits_end == std::string::npos || digits_end == kStatic.size() || digits_end - kStatic.size() > 4) return rest;
  const size_t begin = digits_end + std::stoul(rest.substr(kStatic.size(), digits_end - kStatic.size())) + 2;
  return begin < rest.size() ? rest.substr(begin) : rest;
}

std::string WithoutRungNamespaces(std::string_view name) {
  std::string text;
  for (size_t at = 0; (at = name.find(kRungNamespace)) != std::string_view::npos;) {
    const size_t end = std::min(name.find_first_not_of(kLettersOfNames, at), name.size());
    const bool is_scope = name.substr(end).starts_with("::");
    text += name.substr(0, is_scope ? at : end);
    name.remove_prefix(is_scope ? end + 2 : end);
  }
  return text += name;
}

}  // namespace

std::string Demangle(const std::string& symbol) {
  std::string mangled = WithoutUnit(symbol);
  if (!mangled.starts_with("_Z") || BoundOfText(mangled) > kLongestBound) return mangled;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  if (status != 0 || text == nullptr) return mangled;
  const std::string_view name = text.get();
  return name.size() > kLongestText ? mangled : WithoutRungNamespaces(name);
}

std::string ShortName(const std::string& demangled) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::string name;
  int depth = 0;  // of template arguments
  for (size_t at = 0; at < demangled.size(); ++at) {
    const char c = demangled[at];
    if (c == '<') {
      ++depth;
    } else if (c == '>') {
      depth = depth > 0 ? depth - 1 : 0;
    } else if (depth == 0 && std::string_view(demangled).substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
    } else if (depth == 0 && c == '(') {
      break;
    } else if (depth == 0 && (c == ' ' || c == ':')) {
      name.clear();  // it was the result or a scope
    } else if (depth == 0) {
      name += c;
    }
  }
  return name.empty() ? demangled : name;
}

}  // namespace warpgrade
