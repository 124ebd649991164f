// Comparisons of submissions, for the page that shows them.
#pragma once

#include <string>
#include <vector>

#include "grader/report/html_similar.h"

namespace warpgrade::report {

// Sources with what a comparison of them found.
struct Compared {
  std::vector<similarity::Source> sources;
  similarity::Comparison comparison;

  SimilarPage Page() const {
    return {.kit_version = "0.1",
            .course = "GPU Programming, 2026 autumn",
            .title = "lab2 Transpose",
            .sources = sources,
            .comparison = comparison,
            .least_share = 0.5,
            .least_tokens = 60};
  }
};

// s1042 and s1050 share two functions, which s1050 has in the other order and with a comment more. 40 lines between
// them are of s1042 alone. s1077 shares one of the functions with each.
Compared SmallComparison();

// `size` submissions with nine rungs that are all alike, each with its own names.
Compared BigComparison(int size);

// Names, files and lines with marks that turn text around, NUL, bytes that are no UTF-8 and 100,000 characters; a file
// that one submission lacks, matches at lines that are not there, and all of it also with `text`.
Compared HostileComparison(const std::string& text);

}  // namespace warpgrade::report
