// Finds the source lines of the host's calls that findings are about.
#pragma once

#include <vector>

#include "grader/cli/finding_file.h"

namespace warpgrade::cli {

// Looks up the places of SeenFinding::host_places in the programs that they are in. Sets `place` and `other`, and puts
// the lines into the messages. Findings of programs without debug information of their host code stay as they are.
void FindHostLines(std::vector<SeenFinding>* findings);

// Whether a source file is one of CUDA's or the compiler's headers, or was made by nvcc. A call in such a file was made
// for the function around it.
bool IsOfToolkit(const std::string& file);

}  // namespace warpgrade::cli
