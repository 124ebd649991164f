// Findings as a person reads them at the end of `warpgrade run`: worst first, each with its source line.
//
//   warpgrade: race in shared memory (shared-race) in sum(float const*, float*)
//     sum.cu:14
//       14 |   tile[t] += tile[t + s];
//     who    block (0,0,0), thread (33,0,0); seen 62 times
//     what   read byte 132 of shared memory that thread (1,0,0) wrote in line 12, with no __syncthreads() between
//     other  sum.cu:12
//       12 |   tile[t] = in[i];
//     to do  put a __syncthreads() between the two accesses, where every thread of the block reaches it
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/finding_file.h"
#include "grader/cli/source_lines.h"

namespace warpgrade::cli {

inline constexpr size_t kFindingsShown = 20;

// Sorts by severity: what stops a kernel first, then wrong results, then misuse in host code. Findings of the same
// severity keep their order.
void SortWorstFirst(std::vector<SeenFinding>* findings);

// "race in shared memory (shared-race)", of a kind.
std::string FindingTitle(const std::string& kind);
// "block (0,0,0), thread (33,0,0); seen 62 times".
std::string FindingWho(const SeenFinding& finding);

// One finding, as drawn above, ending in a newline.
std::string FindingText(const SeenFinding& finding, SourceLines& source, bool colour);

// The first kFindingsShown of `findings`, with empty lines between them, and the number of the others. "" without
// findings.
std::string FindingsText(const std::vector<SeenFinding>& findings, SourceLines& source, bool colour);

// The place of a kind of finding in the order of severity: 0 is the worst.
size_t SeverityRank(const std::string& kind);

// All kinds, the worst first.
std::vector<std::string_view> AllFindingKinds();

// What to do about a finding of `kind`, a sentence without a full stop. "" for a kind that is not known.
std::string_view AdviceFor(const std::string& kind, const std::string& message);

// "warpgrade: 2 findings in 1 kernel".
std::string FindingsSummary(const std::vector<SeenFinding>& findings);

}  // namespace warpgrade::cli
