// Merges the findings of all cases by kind and line, and keeps the details of the most typical case. Leaves out what
// only follows from another finding. Tests: tests/judge/findings_test.cc.
#include "grader/judge/findings.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace warpgrade::judge {
namespace {

bool IsSameFault(const score::Finding& a, const score::Finding& b) {
  // Without line information, the kernel is all that tells faults apart.
  const bool same_kernel = !a.file.empty() || a.kernel == b.kernel;
  return a.kind == b.kind && a.file == b.file && a.line == b.line && same_kernel;
}

// Smaller is more typical. Of equals the earlier one stays. A race within a warp comes last, because a barrier of the
// block repairs it as well as the races across warps of another case.
std::tuple<bool, bool, bool, uint64_t> Rank(const score::Finding& finding) {
  return {finding.reach == "warp", finding.case_number == 0, finding.case_elements == 0, finding.case_elements};
}

score::Finding* Find(const score::Finding& finding, std::vector<score::Finding>* among) {
  const auto same = std::find_if(among->begin(), among->end(),
                                 [&](const score::Finding& other) { return IsSameFault(finding, other); });
  return same == among->end() ? nullptr : &*same;
}

}  // namespace

std::string ShortFile(const std::string& file, const std::string& rung) {
  const size_t slash = file.rfind('/');
  if (slash == std::string::npos) return file;
  std::string name = file.substr(slash + 1);
  if (name == rung + ".cu" || slash == 0) return name;
  const size_t folder = file.rfind('/', slash - 1);
  return folder == std::string::npos ? file : file.substr(folder + 1);
}

void AddFindings(std::vector<score::Finding> seen, const Case& c, std::vector<score::Finding>* findings) {
  std::vector<score::Finding> of_case;
  for (score::Finding& finding : seen) {
    if (score::Finding* known = Find(finding, &of_case)) {
      known->count += finding.count;
      continue;
    }
    finding.case_name = c.name;
    finding.case_number = c.number;
    finding.case_elements = c.elements;
    of_case.push_back(std::move(finding));
  }
  for (score::Finding& finding : of_case) {
    score::Finding* known = Find(finding, findings);
    if (known == nullptr) {
      findings->push_back(std::move(finding));
      continue;
    }
    finding.count += known->count;
    finding.cases += known->cases;
    if (Rank(finding) < Rank(*known)) std::swap(*known, finding);
    known->count = std::max(known->count, finding.count);
    known->cases = std::max(known->cases, finding.cases);
  }
}

void DropConsequences(std::vector<score::Finding>* findings) {
  std::set<std::pair<std::string, int>> racing, outside;
  for (const score::Finding& finding : *findings) {
    if (finding.kind == "out-of-bounds") outside.emplace(finding.file, finding.line);
    if (finding.kind != "shared-race" && finding.kind != "global-race") continue;
    if (finding.reads_first) continue;
    racing.emplace(finding.file, finding.line);
    racing.emplace(finding.other_file, finding.other_line);
  }
  std::erase_if(*findings, [&](const score::Finding& finding) {
    if (finding.line == 0) return false;
    const std::pair<std::string, int> place(finding.file, finding.line);
    const std::pair<std::string, int> other_place(finding.other_file, finding.other_line);
    return (finding.kind == "uninitialised-read" && racing.contains(place)) ||
           (finding.kind == "use-after-free" && outside.contains(place)) ||
           (finding.kind == "global-race" && (outside.contains(place) || outside.contains(other_place)));
  });
}

}  // namespace warpgrade::judge
