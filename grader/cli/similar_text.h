// Prints which submissions are alike.
#pragma once

#include <string>
#include <vector>

#include "grader/similarity/similarity.h"

namespace warpgrade::cli {

struct SimilarTextOptions {
  int width = 100;         // columns
  size_t pairs = 10;       // of which the lines are shown side by side
  double least_share = 0;  // of the pairs that are listed
  int least_tokens = 60;   // see CompareOptions
};

// Who is left out and why, equal files, the groups, the pairs with their lines side by side, the notes, and a reminder
// that alike code is no proof. `heading`: "lab3 Matrix multiplication". All text from students is escaped.
std::string SimilarText(const std::string& heading, const std::vector<similarity::Source>& sources,
                        const similarity::Comparison& comparison, const SimilarTextOptions& options);

}  // namespace warpgrade::cli
