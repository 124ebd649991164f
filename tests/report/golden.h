// Expected outputs in files. Run the test program with --rebase to write them anew, then review the difference.
#pragma once

#include <string>

namespace warpgrade::report {

// Compares `actual` with golden/`name`, or writes it there under --rebase.
void ExpectGolden(const std::string& name, const std::string& actual);

}  // namespace warpgrade::report
