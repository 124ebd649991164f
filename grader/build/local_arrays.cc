// Looks at what stands before each bracket. `float sum[3]` is a declaration, because two words stand there. `in[i]` is
// an access, also after `return` and operators. Arrays of pointers do not count: those of the labs are the host's.
// Tests: tests/build/local_arrays_test.cc.
#include "grader/build/local_arrays.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "grader/build/rungs_together.h"

namespace warpgrade::build {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
// Words that no type ends with.
constexpr std::string_view kNoTypes[] = {"return", "else",     "case",      "delete",   "new",      "throw",
                                         "goto",   "operator", "co_return", "co_yield", "typename", "do"};
// A declaration with one of these is not about an array of a thread.
constexpr std::string_view kElsewhere[] = {"__shared__",  "__constant__", "__device__",
                                           "__managed__", "extern",       "static"};
constexpr std::string_view kTypesWithArrays[] = {"array<", "fragment<"};  // std::array, wmma::fragment

bool IsInWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view WithoutBlanksAtEnd(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlank) + 1);  // npos + 1 is 0
}

// The word at the end of the text; "" if it ends with something else.
std::string_view LastWord(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && IsInWord(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool IsType(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::find(std::begin(kNoTypes), std::end(kNoTypes), word) == std::end(kNoTypes);
}

// Whether the text begins with a type and a name: "float a = 0, ".
bool BeginsDeclaration(std::string_view text) {
  text = text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
  const size_t end = std::min(text.find_first_of(kBlank), text.size());
  const std::string_view type = text.substr(0, end), rest = text.substr(end);
  const size_t name = rest.find_first_not_of(kBlank);
  return IsType(LastWord(type)) && name != std::string_view::npos && IsInWord(rest[name]);
}

// Whether `before`, which ends where a bracket opens, ends with the declaration of a name.
bool EndsWithDeclaration(std::string_view before) {
  before = WithoutBlanksAtEnd(before);
  const std::string_view name = LastWord(before);
  if (!IsType(name)) return false;
  const std::string_view type_and_blank = before.substr(0, before.size() - name.size());
  const std::string_view type = WithoutBlanksAtEnd(type_and_blank);
  if (type.empty()) return false;
  const bool is_apart = type.size() < type_and_blank.size();
  const bool is_blank_before = type.size() > 1 && kBlank.find(type[type.size() - 2]) != std::string_view::npos;
  switch (type.back()) {
    case '>':  // Pack<T> pack[4], but not a > b[i] and p->a[i]
      return is_apart && !is_blank_before;
    case ',':
      return BeginsDeclaration(type.substr(type.find_last_of('(') + 1));
    case '=':  // using Row = float[4]
      return type.find("using ") != std::string_view::npos;
    default:  // of a pointer, the last word is empty
      return is_apart && IsType(LastWord(type));
  }
}

}  // namespace

bool MayDeclareLocalArray(std::string_view text) {
  const std::string code = WithoutComments(text);
  const std::string_view view = code;
  const auto has = [](std::string_view in) {
    return [in](std::string_view word) { return in.find(word) != std::string_view::npos; };
  };
  if (std::any_of(std::begin(kTypesWithArrays), std::end(kTypesWithArrays), has(view))) return true;
  size_t begin = 0;  // of the statement
  for (size_t at = 0; at < view.size(); ++at) {
    if (view[at] == ';' || view[at] == '{' || view[at] == '}') begin = at + 1;
    if (view[at] != '[') continue;
    // Longer ones are tables of the host. It also bounds the work for a hostile text.
    constexpr size_t kLongest = 1000;
    const std::string_view before = view.substr(begin, at - begin);
    if (before.size() > kLongest || !EndsWithDeclaration(before)) continue;
    if (std::none_of(std::begin(kElsewhere), std::end(kElsewhere), has(before))) return true;
  }
  return false;
}

}  // namespace warpgrade::build
