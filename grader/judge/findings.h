// The emulator's findings as a rung's report carries them.
#pragma once

#include <string>
#include <vector>

#include "grader/score/measurement.h"

namespace warpgrade::judge {

// A file that is the rung's own ("v3_sequential.cu", wherever it was compiled) cut to its name, any other to its last
// two parts.
std::string ShortFile(const std::string& file, const std::string& rung);

// Adds to `findings`; one that is there already (same kind, kernel, file and line) only counts up.
void MergeFinding(score::Finding finding, std::vector<score::Finding>* findings);

// "kernel reduce_v2_kernel: wrote 4 bytes at ..., 4 bytes past the end of d_in; v2.cu:31".
std::string Sentence(const score::Finding& finding);

}  // namespace warpgrade::judge
