// Finds submissions whose sources are alike, for a person who looks at them. It proves nothing.
//
//   sources --> statements without comments (statements.h)
//           --> without the statements of the starter and of the solutions, whatever names these use
//           --> sim_c++ of the package similarity-tester, each rung by itself, which finds equal runs of tokens where
//               names, numbers and strings do not count
//           --> pairs by the share of the shorter source that is alike, and groups of linked pairs
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/similarity/comparison.h"

namespace warpgrade::similarity {

// What the course has given: the texts of the starter files, and those of its solutions and headers.
struct Given {
  std::vector<std::string> starter, others;
};

struct CompareOptions {
  double least_share = 0.5;  // of a pair that is listed
  int least_tokens = 60;     // that must be alike: less says nothing
  const std::atomic<bool>* cancel = nullptr;
};

// The most submissions that are compared, because the time grows with the square of their number.
inline constexpr size_t kMostSources = 2000;

// Compares every pair of sources. Errors: kMachine (sim_c++ is
// missing or fails, a full disk, interrupted), kUsage (more than kMostSources).
Result<Comparison> Compare(const std::vector<Source>& sources, const Given& given, const CompareOptions& options);

}  // namespace warpgrade::similarity
