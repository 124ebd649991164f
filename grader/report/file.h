// Writes a report to disk in such a way that a reader never sees half of it.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::report {

// Writes `content` to the file at `path`. It writes a temporary file in the same folder and renames it, so that an old
// report stays complete if writing fails. A symbolic link is followed. A path that is not a regular file (/dev/stdout,
// a pipe) is written to directly. Errors (kMachine): the path and the reason.
Status WriteFile(const std::string& path, const std::string& content);

}  // namespace warpgrade::report
