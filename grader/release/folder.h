// A folder on disk that is there as a whole or not at all, as a git repository.
#pragma once

#include <string>
#include <vector>

#include "grader/release/bundle.h"
#include "grader/result/result.h"

namespace warpgrade::release {

// Says whether a new folder may be written to `path`: it must not exist, or be an empty folder. Errors: kUsage.
Status CheckIsFree(const std::string& path);

// Writes the files into a folder beside `path`, makes a git repository of it with one commit, and then gives it the
// name `path`. The commit has the time `date` (RFC 3339), so that equal files give an equal commit. Errors: kUsage, as
// CheckIsFree; kMachine, such as a folder that cannot be written to, or no git. Then `path` is as it was before.
Status WriteFolder(const std::string& path, const std::vector<BundleFile>& files, const std::string& date);

}  // namespace warpgrade::release
