// A small scanner of C++: comments, strings, raw strings, names, numbers and signs. It never looks back, so any bytes
// take time in proportion to their number. Tests: tests/similarity/statements_test.cc.
#include "grader/similarity/statements.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>

namespace warpgrade::similarity {
namespace {

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

// Names that students do not choose.
bool IsGiven(std::string_view name) {
  static const std::set<std::string_view> kGiven = {
      "alignas",   "auto",     "blockDim", "blockIdx",  "bool",     "break",     "case",
      "char",      "class",    "const",    "constexpr", "continue", "default",   "delete",
      "dim3",      "do",       "double",   "else",      "enum",     "extern",    "false",
      "float",     "for",      "gridDim",  "if",        "inline",   "int",       "long",
      "namespace", "new",      "nullptr",  "operator",  "private",  "public",    "reinterpret_cast",
      "return",    "short",    "signed",   "size_t",    "sizeof",   "static",    "static_cast",
      "std",       "struct",   "switch",   "template",  "this",     "threadIdx", "true",
      "typedef",   "typename", "union",    "unsigned",  "using",    "void",      "volatile",
      "warpSize",  "while",    "x",        "y",         "z",        "w"};
  return kGiven.count(name) > 0 || name.starts_with("__");
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Statement> Run() {
    while (at_ < source_.size()) Step();
    Finish();
    return std::move(statements_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void Advance(size_t count) {
    const size_t end = std::min(at_ + count, source_.size());
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  // Up to the next `end`, and behind it.
  void AdvancePast(std::string_view end) {
    const size_t found = source_.find(end, at_);
    Advance(found == std::string_view::npos ? source_.size() : found + end.size() - at_);
  }

  void Step() {
    const char c = Peek();
    if (c == '\n') {
      if (in_directive_) Finish();
      in_directive_ = false;
      at_line_start_ = true;
      Advance(1);
    } else if (c == '\\' && (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
      Advance(Peek(1) == '\n' ? 2 : 3);
    } else if (c == '/' && Peek(1) == '/') {
      SkipLineComment();
    } else if (c == '/' && Peek(1) == '*') {
      Advance(2);
      AdvancePast("*/");
    } else if (c == '#' && at_line_start_) {
      Directive();
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0' || static_cast<unsigned char>(c) >= 0x80) {
      Advance(1);
    } else {
      at_line_start_ = false;
      Token();
    }
  }

  // A backslash at the end of the line continues the comment.
  void SkipLineComment() {
    while (at_ < source_.size() && Peek() != '\n') Advance(Peek() == '\\' && at_ + 1 < source_.size() ? 2 : 1);
  }

  void Directive() {
    Finish();
    in_directive_ = true;
    at_line_start_ = false;
    size_t name = at_ + 1;
    while (name < source_.size() && (source_[name] == ' ' || source_[name] == '\t')) ++name;
    if (source_.substr(name).starts_with("include")) {
      while (at_ < source_.size() && Peek() != '\n') Advance(1);
      return;
    }
    Add(1, "#", "#");
  }

  void Token() {
    const char c = Peek();
    size_t length = 1;
    if (IsNameStart(c)) {
      while (IsNamePart(Peek(length))) ++length;
      const std::string_view name = source_.substr(at_, length);
      const char quote = Peek(length);
      if (quote == '"' && name.ends_with('R')) return RawString(length);
      if ((quote == '"' || quote == '\'') && name.size() <= 2) return String(length);
      return Add(length, name, IsGiven(name) ? name : "x");
    }
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      const auto goes_on = [this](size_t i) {
        const bool sign =
            (Peek(i) == '+' || Peek(i) == '-') && std::string_view("eEpP").find(Peek(i - 1)) != std::string_view::npos;
        return IsNamePart(Peek(i)) || Peek(i) == '.' || sign || (Peek(i) == '\'' && IsNamePart(Peek(i + 1)));
      };
      while (goes_on(length)) ++length;
      return Add(length, source_.substr(at_, length), "0");
    }
    if (c == '"' || c == '\'') return String(0);
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) return Advance(1);
    Add(1, source_.substr(at_, 1), source_.substr(at_, 1));
    if (c == ';' || c == '{' || c == '}') Finish();
  }

  // `prefix`: the length of what stands before the quote (u8, L).
  void String(size_t prefix) {
    const char quote = Peek(prefix);
    size_t length = prefix + 1;
    while (at_ + length < source_.size() && Peek(length) != quote && Peek(length) != '\n') {
      length += Peek(length) == '\\' ? 2 : 1;
    }
    Add(length + 1, "\"\"", "s");
  }

  void RawString(size_t prefix) {
    const size_t open = source_.find('(', at_ + prefix);
    const size_t delimiter = at_ + prefix + 1;
    if (open == std::string_view::npos || open - delimiter > 16) return String(prefix);
    std::string end = ")";
    end += source_.substr(delimiter, open - delimiter);
    end += '"';
    const size_t found = source_.find(end, open);
    Add(found == std::string_view::npos ? source_.size() - at_ : found + end.size() - at_, "\"\"", "s");
  }

  // Adds a token of `length` bytes to the statement.
  void Add(size_t length, std::string_view text, std::string_view shape) {
    if (open_.tokens == 0) open_.first_line = line_;
    if (open_.tokens < kMostTokensOfAStatement) {
      for (auto [to, what] : {std::pair{&open_.text, text}, std::pair{&open_.shape, shape}}) {
        if (!to->empty()) *to += ' ';
        *to += what.substr(0, 64);
      }
      ++open_.tokens;
    }
    Advance(length);
    open_.last_line = line_;
  }

  void Finish() {
    if (open_.tokens > 0) statements_.push_back(std::move(open_));
    open_ = {};
  }

  const std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool in_directive_ = false, at_line_start_ = true;
  Statement open_;
  std::vector<Statement> statements_;
};

}  // namespace

std::vector<Statement> Statements(std::string_view source) { return Scanner(source).Run(); }

}  // namespace warpgrade::similarity
