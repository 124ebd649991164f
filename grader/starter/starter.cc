// Reads a solution line by line. The state is outside a block, in its solution part, or in its starter part.
// Tests: tests/starter/starter_test.cc.
#include "grader/starter/starter.h"

#include <fmt/format.h>

#include "grader/starter/unused_names.h"

namespace warpgrade::starter {
namespace {

constexpr std::string_view kBegin = "// BEGIN SOLUTION";
constexpr std::string_view kElse = "// ELSE STARTER";
constexpr std::string_view kEnd = "// END SOLUTION";
constexpr std::string_view kUncomment = "//|";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Whether a comment was meant to be a marker: with its words in another case, with other spaces, or with more text.
bool LooksLikeMarker(std::string_view trimmed) {
  std::string plain;
  for (char c : trimmed) {
    if (c != ' ' && c != '\t') plain += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return plain.starts_with("//BEGINSOLUTION") || plain.starts_with("//ELSESTARTER") ||
         plain.starts_with("//ENDSOLUTION");
}

class Maker {
 public:
  explicit Maker(std::string_view name) : name_(name) {}

  Result<std::string> Run(std::string_view solution) {
    out_ = FirstLine(solution);
    for (size_t at = 0; at < solution.size() && error_.empty();) {
      const size_t newline = solution.find('\n', at);
      const size_t end = newline == std::string_view::npos ? solution.size() : newline + 1;
      ++line_;
      Line(solution.substr(at, end - at));
      at = end;
    }
    if (error_.empty() && part_ != Part::kOutside) {
      Fail(begin_line_, "this BEGIN SOLUTION has no END SOLUTION; add the line \"// END SOLUTION\"");
    }
    if (error_.empty() && blocks_ == 0) {
      Fail(1,
           "no \"// BEGIN SOLUTION\" in this file, so the starter would hold the whole solution; mark the lines to "
           "leave out");
    }
    if (error_.empty() && starter_lines_ == 0) {
      Fail(begin_line_,
           "no block has lines for the starter, so the starter would not say that it is not written yet; "
           "add \"// ELSE STARTER\" and \"//| NOT_WRITTEN_YET();\"");
    }
    if (!error_.empty()) return Error{ErrorKind::kUsage, error_};
    // If the solution has no newline at the end, neither has the starter.
    if (!solution.ends_with('\n') && out_.ends_with('\n')) out_.erase(out_.size() - (out_.ends_with("\r\n") ? 2 : 1));
    return out_;
  }

 private:
  enum class Part { kOutside, kSolution, kStarter };

  std::string FirstLine(std::string_view solution) const {
    const size_t newline = solution.find('\n');
    const bool crlf = newline != std::string_view::npos && newline > 0 && solution[newline - 1] == '\r';
    return fmt::format("// Generated from {} by `warpgrade make-starter`; yours to edit.{}", name_,
                       crlf ? "\r\n" : "\n");
  }

  void Fail(int line, std::string_view what) {
    if (error_.empty()) error_ = fmt::format("{}:{}: {}", name_, line, what);
  }

  void Line(std::string_view line) {
    const std::string_view trimmed = Trimmed(line);
    if (trimmed == kBegin) return Begin();
    if (trimmed == kElse) return Else();
    if (trimmed == kEnd) return End();
    if (LooksLikeMarker(trimmed)) {
      return Fail(line_, fmt::format("\"{}\" is not exactly a marker; write it as \"{}\", \"{}\" or \"{}\"", trimmed,
                                     kBegin, kElse, kEnd));
    }
    if (part_ == Part::kOutside) {
      if (trimmed.starts_with(kUncomment)) {
        return Fail(
            line_,
            "this \"//|\" line is not between ELSE STARTER and END SOLUTION; move it there, or remove the \"|\"");
      }
      out_ += line;
    } else if (part_ == Part::kStarter) {
      StarterLine(line);
    }
  }

  void Begin() {
    if (part_ != Part::kOutside) {
      return Fail(line_, fmt::format("BEGIN SOLUTION inside the block of line {}; end that one first", begin_line_));
    }
    part_ = Part::kSolution;
    begin_line_ = line_;
    ++blocks_;
  }

  void Else() {
    if (part_ == Part::kOutside) return Fail(line_, "ELSE STARTER without a BEGIN SOLUTION before it; add one");
    if (part_ == Part::kStarter) {
      return Fail(line_, fmt::format("a second ELSE STARTER in the block of line {}; remove one", begin_line_));
    }
    part_ = Part::kStarter;
  }

  void End() {
    if (part_ == Part::kOutside) return Fail(line_, "END SOLUTION without a BEGIN SOLUTION before it; add one");
    part_ = Part::kOutside;
  }

  // "  //|   code\n" becomes "    code\n".
  void StarterLine(std::string_view line) {
    const size_t marker = line.find(kUncomment);
    if (!Trimmed(line).starts_with(kUncomment)) {
      return Fail(line_, "a line between ELSE STARTER and END SOLUTION must begin with \"//|\"; add it");
    }
    ++starter_lines_;
    const std::string_view indentation = line.substr(0, marker);
    std::string_view rest = line.substr(marker + kUncomment.size());
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!Trimmed(rest).empty()) {
      out_ += indentation;
      out_ += rest;
    } else {
      out_ += rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()));  // just the line end
    }
  }

  const std::string name_;
  std::string out_;
  std::string error_;
  Part part_ = Part::kOutside;
  int line_ = 0;
  int begin_line_ = 0;
  int blocks_ = 0;
  int starter_lines_ = 0;
};

}  // namespace

Result<std::string> MakeStarter(std::string_view name, std::string_view solution) {
  auto starter = Maker(name).Run(solution);
  return starter ? Result<std::string>(MarkUnusedNames(*starter)) : starter;
}

}  // namespace warpgrade::starter
