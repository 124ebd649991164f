// What a comparison of submissions found, for those who show it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::similarity {

// Stands wherever pairs are shown.
inline constexpr std::string_view kReminder =
    "Alike code is no proof of anything. Both may come from a lecture, a book or a tutor. Look at the lines, and talk "
    "to "
    "the students before you decide.";

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

struct Comparison {
  std::vector<Pair> pairs;                  // the most alike first
  std::vector<std::vector<size_t>> groups;  // of sources that are linked by pairs, the largest first
  std::vector<EqualFiles> equal;            // by file. Starter files that nobody changed are not among them
  std::vector<LeftOut> left_out;            // kTooLittle: fewer than `least_tokens` are not the course's own
  std::vector<std::string> notes;           // what else was not compared, and why. Not escaped
};

}  // namespace warpgrade::similarity
