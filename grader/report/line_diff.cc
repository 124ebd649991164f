// Leaves out the equal lines at both ends, finds the longest common subsequence of the rest with a table of lengths,
// and prints groups of changes with their context. Tests: tests/report/line_diff_test.cc.
#include "grader/report/line_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

constexpr size_t kContext = 3;

std::vector<std::string> DiffLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

// One line of the result: ' ', '-' or '+'.
struct Edit {
  char sign;
  const std::string* line;
};

class Differ {
 public:
  Differ(const std::vector<std::string>& before, const std::vector<std::string>& after) : a_(before), b_(after) {}

  std::vector<Edit> Edits() {
    size_t begin = 0, a_end = a_.size(), b_end = b_.size();
    while (begin < a_end && begin < b_end && a_[begin] == b_[begin]) Same(begin++);
    while (a_end > begin && b_end > begin && a_[a_end - 1] == b_[b_end - 1]) --a_end, --b_end;
    Middle(begin, a_end, b_end);
    for (size_t i = a_end; i < a_.size(); ++i) Same(i);
    return std::move(edits_);
  }

 private:
  void Same(size_t in_a) { edits_.push_back({' ', &a_[in_a]}); }

  // Between the equal ends.
  void Middle(size_t begin, size_t a_end, size_t b_end) {
    const size_t rows = a_end - begin, columns = b_end - begin;
    // lengths[i][j]: of the longest common subsequence of what follows row i and column j.
    std::vector<std::vector<uint16_t>> lengths;
    if (rows <= kMostDiffLines && columns <= kMostDiffLines) {
      lengths.assign(rows + 1, std::vector<uint16_t>(columns + 1, 0));
      for (size_t i = rows; i-- > 0;) {
        for (size_t j = columns; j-- > 0;) {
          lengths[i][j] = a_[begin + i] == b_[begin + j] ? static_cast<uint16_t>(lengths[i + 1][j + 1] + 1)
                                                         : std::max(lengths[i + 1][j], lengths[i][j + 1]);
        }
      }
    }
    size_t i = 0, j = 0;
    while (i < rows || j < columns) {
      const bool both = i < rows && j < columns;
      if (both && !lengths.empty() && a_[begin + i] == b_[begin + j]) {
        Same(begin + i++);
        ++j;
      } else if (i < rows && (!both || lengths.empty() || lengths[i + 1][j] >= lengths[i][j + 1])) {
        edits_.push_back({'-', &a_[begin + i++]});
      } else {
        edits_.push_back({'+', &b_[begin + j++]});
      }
    }
  }

  const std::vector<std::string>& a_;
  const std::vector<std::string>& b_;
  std::vector<Edit> edits_;
};

// The edits from `begin` to `end` with their "@@" line. `a` and `b` are the lines that stand before.
std::string Hunk(const std::vector<Edit>& edits, size_t begin, size_t end, size_t a, size_t b) {
  size_t in_a = 0, in_b = 0;
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    in_a += edits[i].sign == '+' ? 0 : 1;
    in_b += edits[i].sign == '-' ? 0 : 1;
    text += edits[i].sign + PrintableLine(*edits[i].line) + "\n";
  }
  return fmt::format("@@ -{},{} +{},{} @@\n", a + (in_a > 0 ? 1 : 0), in_a, b + (in_b > 0 ? 1 : 0), in_b) + text;
}

}  // namespace

std::string LineDiff(const std::string& before, const std::string& after) {
  if (before == after) return "";
  const std::vector<std::string> a = DiffLines(before), b = DiffLines(after);
  const std::vector<Edit> edits = Differ(a, b).Edits();
  std::string text;
  size_t done = 0, a_lines = 0, b_lines = 0;  // edits that are printed or left out, and the lines in them
  const auto skip_to = [&](size_t end) {
    for (; done < end; ++done) {
      a_lines += edits[done].sign == '+' ? 0 : 1;
      b_lines += edits[done].sign == '-' ? 0 : 1;
    }
  };
  for (size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].sign == ' ' || i < done) continue;
    skip_to(std::max(done, i - std::min(i, kContext)));
    size_t end = i + 1;  // after the last change that is near enough
    for (size_t j = end; j < edits.size() && j <= end + 2 * kContext; ++j) {
      if (edits[j].sign != ' ') end = j + 1;
    }
    const size_t last = std::min(edits.size(), end + kContext);
    text += Hunk(edits, done, last, a_lines, b_lines);
    skip_to(last);
  }
  return text.empty() ? "(only the end of the last line differs)\n" : text;
}

}  // namespace warpgrade::report
