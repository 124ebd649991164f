// Tests: tests/cli/finding_advice_test.cc.
#include "grader/cli/finding_advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "grader/cli/finding_text.h"

namespace warpgrade::cli {
namespace {

bool IsRace(const score::Finding& finding) { return finding.kind == "shared-race" || finding.kind == "global-race"; }

bool HaveOneRepair(const score::Finding& a, const score::Finding& b) {
  return IsRace(a) && a.kind == b.kind && a.file == b.file && a.other_line > 0 && a.other_file == b.other_file &&
         a.other_line == b.other_line && a.advice == b.advice;
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
  std::vector<std::set<int>> other_lines;  // of each of `merged`
  for (score::Finding& finding : *findings) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&finding](const score::Finding& known) { return HaveOneRepair(known, finding); });
    if (same == merged.end()) {
      merged.push_back(std::move(finding));
      other_lines.emplace_back();
      continue;
    }
    same->count += finding.count;
    same->cases = std::max(same->cases, finding.cases);
    other_lines[static_cast<size_t>(same - merged.begin())].insert(finding.line);
  }
  for (size_t i = 0; i < merged.size(); ++i) {
    if (other_lines[i].empty()) continue;
    merged[i].message +=
        fmt::format("; the same in line{} {}", other_lines[i].size() == 1 ? "" : "s", fmt::join(other_lines[i], ", "));
  }
  *findings = std::move(merged);
}

}  // namespace warpgrade::cli
