// Tests: tests/cli/finding_advice_test.cc.
#include "grader/cli/finding_advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "grader/cli/finding_text.h"

namespace warpgrade::cli {
namespace {

bool IsRace(const score::Finding& finding) { return finding.kind == "shared-race" || finding.kind == "global-race"; }

bool IsOfShared(const score::Finding& finding) {
  return finding.line > 0 && finding.message.find(" in shared memory") != std::string::npos;
}

bool HaveOneRepair(const score::Finding& a, const score::Finding& b) {
  if (a.kind != b.kind || a.file != b.file) return false;
  if (a.kind == "uninitialised-read" && IsOfShared(a) && IsOfShared(b)) return a.kernel == b.kernel;
  if (!IsRace(a)) return false;
  const bool one_barrier = a.barrier_line > 0 && a.barrier_line == b.barrier_line;
  const bool one_earlier_access = a.other_line > 0 && a.other_file == b.other_file && a.other_line == b.other_line;
  const bool names_a_line = a.advice.find("line ") != std::string::npos;  // so the same advice means the same place
  return one_barrier || (a.advice == b.advice && (one_earlier_access || names_a_line));
}

std::string AndLines(const char* what, const std::set<int>& lines) {
  if (lines.empty()) return "";
  return fmt::format("{}{} {}", what, lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

}  // namespace

void CompleteFindings(std::vector<score::Finding>* findings) {
  for (score::Finding& finding : *findings) {
    if (finding.advice.empty()) finding.advice = AdviceFor(finding.kind, finding.message);
  }
  std::stable_sort(findings->begin(), findings->end(), [](const score::Finding& a, const score::Finding& b) {
    return SeverityRank(a.kind) < SeverityRank(b.kind);
  });
  std::vector<score::Finding> merged;
  std::vector<std::set<int>> same_access, same_barrier;  // lines, by index in `merged`
  for (score::Finding& finding : *findings) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&finding](const score::Finding& known) { return HaveOneRepair(known, finding); });
    if (same == merged.end()) {
      merged.push_back(std::move(finding));
      same_access.emplace_back();
      same_barrier.emplace_back();
      continue;
    }
    same->count += finding.count;
    same->cases = std::max(same->cases, finding.cases);
    auto& lines = finding.other_line == same->other_line ? same_access : same_barrier;  // a read has no other line
    if (finding.line != same->line) lines[static_cast<size_t>(same - merged.begin())].insert(finding.line);
  }
  for (size_t i = 0; i < merged.size(); ++i) {
    merged[i].message += AndLines("; the same in line", same_access[i]);
    merged[i].message += AndLines("; the same barrier is missing for line", same_barrier[i]);
  }
  *findings = std::move(merged);
}

}  // namespace warpgrade::cli
