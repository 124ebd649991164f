// Writes a report to disk so that a reader never sees half of one.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::report {

// Puts `content` at `path`: a temporary file in the same folder, then a rename, so that an old report stays whole when
// this fails. A symbolic link is followed; what is no regular file (/dev/stdout, a pipe) is written to directly.
// The error (kMachine) says what could not be done and why.
Status WriteFile(const std::string& path, const std::string& content);

}  // namespace warpgrade::report
