// Tests: tests/cli/answer_checks_test.cc.
#include "grader/cli/answer_checks.h"

#include <fmt/format.h>

namespace warpgrade::cli {
namespace {

// A right answer with such a part of the allowed error may miss it with other values, or added in another order.
constexpr double kNearTolerance = 0.5;
// The reference runs in every case of every grading, and while it runs nothing is shown.
constexpr double kSlowReferenceS = 2;

}  // namespace

std::string ChecksWords(const score::AnswerChecks& checks) {
  if (checks.slowest.empty()) return "";
  std::string words = fmt::format("{:.2f} s at most for a case", checks.reference_s);
  if (checks.tolerance_used) {
    words += fmt::format("; the solutions need {:.2g}% of the tolerance", 100 * *checks.tolerance_used);
  }
  return words;
}

std::vector<std::string> ChecksNotes(const score::AnswerChecks& checks, const std::string& rung) {
  std::vector<std::string> notes;
  if (checks.reference_s >= kSlowReferenceS) {
    notes.push_back(
        fmt::format("reference.cc: it takes {:.1f} s in the case '{}', for every rung in every grading, and "
                    "nothing is shown meanwhile; make it faster, or the case smaller",
                    checks.reference_s, checks.slowest));
  }
  if (checks.tolerance_used && *checks.tolerance_used >= kNearTolerance) {
    notes.push_back(
        fmt::format("{}: the largest error of the solution is {:.0f}% of what the tolerance allows, in the "
                    "case '{}', so a program that adds in another order may miss it; allow twice as much",
                    rung, 100 * *checks.tolerance_used, checks.closest));
  }
  return notes;
}

std::string RightByLuck(const std::string& rung, size_t right, size_t of, const std::string& told) {
  if (right == 0 || right == of) return "";  // always wrong is another mistake
  return fmt::format(
      "{}: the solution is right in {} of {} gradings, and wrong with other values: {}; correct it, or "
      "allow a larger error",
      rung, right, of, told);
}

}  // namespace warpgrade::cli
