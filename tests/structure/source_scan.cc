// One pass over the text: comments and literals are blanked, then each opening brace is judged by the words before it
// (a namespace, a type, a function, something inside a function). Tests: source_scan_test.cc.
#include "tests/structure/source_scan.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace warpgrade {
namespace {

enum class Scope { kOpen, kFunction, kInside };  // kOpen: a namespace or a type, in which functions may stand

// `text` with every comment, string and character literal and preprocessor line as blanks; line breaks stay.
std::string Blanked(std::string_view text) {
  std::string out(text);
  const auto blank = [&out](size_t from, size_t to) {
    for (size_t k = from; k < to && k < out.size(); ++k) {
      if (out[k] != '\n') out[k] = ' ';
    }
  };
  bool line_start = true;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    size_t end = i + 1;
    if (rest.starts_with("//")) {
      end = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    } else if (rest.starts_with("R\"")) {
      const size_t open = text.find('(', i);
      const std::string close = ")" + std::string(text.substr(i + 2, open - i - 2)) + "\"";
      end = std::min(text.find(close, i), text.size() - close.size()) + close.size();
    } else if (rest[0] == '"' ||
               (rest[0] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      while (end < text.size() && text[end] != rest[0] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      ++end;
    } else if (line_start && rest[0] == '#') {
      while (end < text.size() && (text[end] != '\n' || text[end - 1] == '\\')) ++end;
    } else {
      if (rest[0] == '\n') line_start = true;
      if (!std::isspace(static_cast<unsigned char>(rest[0]))) line_start = false;
      ++i;
      continue;
    }
    blank(i, end);
    i = end;
  }
  return out;
}

int LineOf(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// Whether the comment that ends right above `line` gives a reason.
bool HasReason(std::string_view text, int line) {
  std::vector<std::string> lines;
  std::string current;
  for (const char c : text) {
    if (c == '\n') {
      lines.push_back(current);
      current.clear();
    } else {
      current.push_back(c);
    }
  }
  for (int k = line - 2; k >= 0; --k) {
    std::string_view above = lines[static_cast<size_t>(k)];
    above.remove_prefix(std::min(above.find_first_not_of(' '), above.size()));
    if (!above.starts_with("//")) return false;
    if (above.find("Long because") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<FunctionSpan> FindFunctions(std::string_view text) {
  static const std::regex kType(R"(\b(namespace|class|struct|union|enum|extern)\b[^()=]*$)");
  static const std::regex kName(R"(([~\w:]+(?:<[^()]*>)?(?:::)?(?:operator\s*\S{1,3})?)\s*\()");
  const std::string code = Blanked(text);
  std::vector<Scope> scopes;
  std::vector<FunctionSpan> found;
  size_t words = 0;  // where the words before the next brace begin
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == ';' || code[i] == '}') words = i + 1;
    if (code[i] == '{') {
      const std::string before = code.substr(words, i - words);
      const bool open = scopes.empty() || scopes.back() == Scope::kOpen;
      std::smatch name;
      if (open && std::regex_search(before, kType)) {
        scopes.push_back(Scope::kOpen);
      } else if (open && std::regex_search(before, name, kName)) {
        const size_t first = words + before.find_first_not_of(" \n");
        found.push_back({name[1], LineOf(text, first), 0, HasReason(text, LineOf(text, first))});
        scopes.push_back(Scope::kFunction);
      } else {
        scopes.push_back(Scope::kInside);
      }
      words = i + 1;
    }
    if (code[i] == '}') {
      if (scopes.empty()) return found;
      if (scopes.back() == Scope::kFunction) found.back().lines = LineOf(text, i) - found.back().line + 1;
      scopes.pop_back();
    }
  }
  return found;
}

std::string OpeningComment(std::string_view text) {
  std::string comment;
  while (text.starts_with("//")) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of("/ "), line.size()));
    comment += (comment.empty() ? "" : " ") + std::string(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return comment;
}

int CountSentences(std::string_view prose) {
  int sentences = 0;
  for (size_t i = 0; i < prose.size(); ++i) {
    const bool stop = prose[i] == '.' || prose[i] == '!' || prose[i] == '?' || prose[i] == ':';
    if (stop && (i + 1 == prose.size() || prose[i + 1] == ' ')) ++sentences;
  }
  return sentences;
}

}  // namespace warpgrade
