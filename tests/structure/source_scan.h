// Reads C++ and CUDA sources just well enough to measure them: where functions begin and end, and what a file says at
// its top. It follows braces, comments and literals; it knows no types and no preprocessor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

struct FunctionSpan {
  std::string name;         // as written: "Parse", "Lexer::Next", "TEST"
  int line = 0;             // of the line that names it, from 1
  int lines = 0;            // from there to the closing brace, both counted
  bool has_reason = false;  // the comment right above says "Long because ..."
};

// Every function with a body in `text`, in its order. Lambdas count as part of the function that they stand in. Source
// that does not balance its braces gives what was found before the fault.
std::vector<FunctionSpan> FindFunctions(std::string_view text);

// The comment that `text` begins with, as one line without its slashes. "" when the file begins with something else.
std::string OpeningComment(std::string_view text);

// How many sentences `prose` has: full stops, question and exclamation marks and colons that end a word.
int CountSentences(std::string_view prose);

}  // namespace warpgrade
