// Prepares the emulator's findings for a rung's report.
#pragma once

#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::judge {

// A short name for `file`: the file name alone for the rung's own file ("v3_sequential.cu", wherever it was compiled),
// the last two parts of the path for any other.
std::string ShortFile(const std::string& file, const std::string& rung);

// Adds a finding to `findings`. One of the same kind, kernel, file and line only raises that finding's count.
void MergeFinding(score::Finding finding, std::vector<score::Finding>* findings);

// One sentence for a finding: "kernel reduce_v2_kernel: wrote 4 bytes at ..., 4 bytes past the end of d_in; v2.cu:31".
std::string Sentence(const score::Finding& finding);

}  // namespace warpgrade::judge
