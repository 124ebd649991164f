// Goes through the message once. Each number becomes "#", and the brackets of types and launches are left out with what
// is between them. Tests: tests/score/failure_kind_test.cc.
#include "grader/score/failure_kind.h"

#include <string_view>

namespace warpgrade::score {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Behind the number that begins at `at`, which may have a fraction and an exponent.
size_t EndOfNumber(std::string_view text, size_t at) {
  while (at < text.size() && (IsWord(text[at]) || text[at] == '.' || text[at] == '-' || text[at] == '+')) {
    const bool is_sign = text[at] == '-' || text[at] == '+';
    if (is_sign && text[at - 1] != 'e' && text[at - 1] != 'E') break;
    const bool ends_sentence = text[at] == '.' && (at + 1 == text.size() || !IsWord(text[at + 1]));
    if (ends_sentence) break;
    ++at;
  }
  return at;
}

// "<" of "add<int>" or "><<<8, 256>>>", and not of "a < b".
bool OpensTypes(std::string_view text, size_t at) {
  return text[at] == '<' && at > 0 && (IsWord(text[at - 1]) || text[at - 1] == '>');
}

// Behind the brackets that open at `at`; `at` itself if they do not close.
size_t EndOfBrackets(std::string_view text, size_t at) {
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return at;
}

// Without the name of the case, or its size alone ("31 x 31" of "31 x 31, float"), in front.
std::string_view WithoutName(std::string_view message, std::string_view name) {
  for (const std::string_view front : {name, name.substr(0, name.find(','))}) {
    if (!front.empty() && message.starts_with(front) && message.substr(front.size()).starts_with(": ")) {
      return message.substr(front.size() + 2);
    }
  }
  return message;
}

}  // namespace

std::string KindOf(const CaseFailure& failure) {
  const std::string_view text = WithoutName(failure.message, failure.case_name);
  std::string kind;
  for (size_t i = 0; i < text.size();) {
    const bool begins_word = i == 0 || !IsWord(text[i - 1]);
    const std::string_view word = text.substr(i, 3);
    const bool is_no_number =
        begins_word && (word == "nan" || word == "inf") && (i + 3 == text.size() || !IsWord(text[i + 3]));
    if (IsDigit(text[i]) && begins_word) {
      i = EndOfNumber(text, i);
    } else if (is_no_number) {
      i += 3;
    } else if (const size_t end = OpensTypes(text, i) ? EndOfBrackets(text, i) : i; end > i) {
      i = end;
      continue;
    } else {
      kind += text[i++];
      continue;
    }
    if (kind.ends_with('-')) kind.pop_back();
    kind += '#';
  }
  return kind;
}

}  // namespace warpgrade::score
