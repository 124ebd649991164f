// Finds submissions whose sources are alike, for a person who looks at them. It proves nothing.
//
//   sources --> statements without comments (statements.h)
//           --> without the statements of the starter and of the solutions, whatever names these use
//           --> sim_c++ of the package similarity-tester, each rung by itself, which finds equal runs of tokens where
//               names, numbers and strings do not count
//           --> pairs by the share of the shorter source that is alike, and groups of linked pairs
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::similarity {

// One submission of a lab.
struct Source {
  std::string name;                          // as it is shown
  bool older = false;                        // of an earlier term: compared with those of this term only
  std::map<std::string, std::string> files;  // "v1_naive.cu" -> its text
};

// A run of equal tokens in one file of two submissions: lines from 1, both ends included.
struct Match {
  std::string file;
  int first_line = 0, last_line = 0;              // in the first submission of the pair
  int other_first_line = 0, other_last_line = 0;  // in the second
  int tokens = 0;
};

struct Pair {
  size_t first = 0, second = 0;  // places in the list of sources
  int alike = 0;                 // tokens in matches
  int shorter = 0;               // tokens of the shorter one, without what the course has given
  double share() const { return shorter > 0 ? static_cast<double>(alike) / shorter : 0; }
  std::vector<Match> matches;  // the longest first
};

// Submissions that handed in the same file, apart from comments and layout.
struct EqualFiles {
  std::string file;
  std::vector<size_t> sources;  // places in the list of sources, at least one of this term
  bool given = false;           // the course's own solution is the same file, too
};

// A submission of this term that is in no pair, whatever the others are.
struct LeftOut {
  size_t source = 0;
  enum class Why { kNoFile, kTooLittle } why = Why::kNoFile;
};

// What the course has given: the texts of the starter files, and those of its solutions and headers.
struct Given {
  std::vector<std::string> starter, others;
};

struct CompareOptions {
  double least_share = 0.5;  // of a pair that is listed
  int least_tokens = 60;     // that must be alike: less says nothing
  const std::atomic<bool>* cancel = nullptr;
};

struct Comparison {
  std::vector<Pair> pairs;                  // the most alike first
  std::vector<std::vector<size_t>> groups;  // of sources that are linked by pairs, the largest first
  std::vector<EqualFiles> equal;            // by file. Starter files that nobody changed are not among them
  std::vector<LeftOut> left_out;            // kTooLittle: fewer than `least_tokens` are not the course's own
  std::vector<std::string> notes;           // what else was not compared, and why. Not escaped
};

// The most submissions that are compared, because the time grows with the square of their number.
inline constexpr size_t kMostSources = 2000;

// Compares every pair of sources. Errors: kMachine (sim_c++ is
// missing or fails, a full disk, interrupted), kUsage (more than kMostSources).
Result<Comparison> Compare(const std::vector<Source>& sources, const Given& given, const CompareOptions& options);

}  // namespace warpgrade::similarity
