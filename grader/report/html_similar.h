// The page of `warpgrade similar --html`: which submissions are alike, and the lines of each pair side by side. In one
// file, without the network, like the pages of html.h.
#pragma once

#include <string>
#include <vector>

#include "grader/similarity/comparison.h"

namespace warpgrade::report {

// All text may be hostile. REQUIRES: the comparison is one of these sources.
struct SimilarPage {
  std::string kit_version, course, title;  // title: "lab2 Transpose"
  const std::vector<similarity::Source>& sources;
  const similarity::Comparison& comparison;
  double least_share = 0;  // of the pairs that are listed
  int least_tokens = 0;    // of a submission's own, without which it is left out
};

// The page. At most 1 MB for a class of 200: it says how many pairs, names and lines it has no room for.
std::string SimilarPageText(const SimilarPage& page);

// The data for the scripts; see html.h.
std::string SimilarData(const SimilarPage& page);

}  // namespace warpgrade::report
