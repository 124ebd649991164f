// The file of `warpgrade similar --json`: a comparison for other programs, and for the page of the class (--similar).
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/score/measurement.h"
#include "grader/similarity/similarity.h"

namespace warpgrade::cli {

// The comparison of `lab` as JSON, with the names of `sources`. "least_share": see CompareOptions.
std::string SimilarJson(const std::string& lab, const std::vector<similarity::Source>& sources,
                        const similarity::Comparison& comparison, double least_share);

// Adds what the files at `paths` say to `notes`. Errors (kUsage): a file cannot be read or is no such file.
Status AddAlike(const std::vector<std::string>& paths, score::ClassNotes* notes);

}  // namespace warpgrade::cli
