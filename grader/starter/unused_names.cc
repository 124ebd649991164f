// Works on lines and words, not on C++: solutions are plain enough for that. A name counts as used where the code, and
// not only a comment, has the same word again: in the whole file, or for a name declared in a function up to the
// function's closing brace, which begins its line. Tested by unused_names_test.cc.
#include "grader/starter/unused_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace warpgrade::starter {
namespace {

constexpr std::string_view kMark = "[[maybe_unused]] ";

bool IsPartOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The lines of `text`, each with its line end.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string_view CodeOf(std::string_view line) { return line.substr(0, line.find("//")); }

std::vector<std::string_view> WordsOf(std::string_view code) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < code.size();) {
    size_t end = at;
    while (end < code.size() && IsPartOfWord(code[end])) ++end;
    if (end > at) words.push_back(code.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

// "kTile" of "constexpr int kTile = 128;", "tile" of "__shared__ float tile[kTile];". "" of anything else, functions
// included.
std::string_view NameDeclaredBy(std::string_view code) {
  code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
  if (!code.starts_with("constexpr ") && !code.starts_with("__shared__ ")) return "";
  const size_t end = code.find_first_of("=;[({");
  if (end == std::string_view::npos || code[end] == '(') return "";
  const std::vector<std::string_view> words = WordsOf(code.substr(0, end));
  return words.back();
}

}  // namespace

std::string MarkUnusedNames(std::string_view text) {
  const std::vector<std::string_view> lines = LinesOf(text);
  // How often the code of lines [from, to) has `name`.
  const auto occurrences = [&lines](std::string_view name, size_t from, size_t to) {
    std::ptrdiff_t found = 0;
    for (size_t k = from; k < to; ++k) {
      const std::vector<std::string_view> words = WordsOf(CodeOf(lines[k]));
      found += std::count(words.begin(), words.end(), name);
    }
    return found;
  };
  std::string marked;
  for (size_t k = 0; k < lines.size(); ++k) {
    const std::string_view line = lines[k], name = NameDeclaredBy(CodeOf(line));
    const size_t indentation = name.empty() ? 0 : line.find_first_not_of(" \t");
    size_t from = 0, to = lines.size();
    if (indentation > 0) {
      from = k;
      to = k;
      while (to < lines.size() && !lines[to].starts_with("}")) ++to;
    }
    const bool unused = !name.empty() && occurrences(name, from, to) == 1;
    marked += line.substr(0, indentation);
    if (unused) marked += kMark;
    marked += line.substr(indentation);
  }
  return marked;
}

}  // namespace warpgrade::starter
