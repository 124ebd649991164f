// Reads a submission that is a folder.
#pragma once

#include <string>
#include <vector>

#include "grader/submission/collector.h"

namespace warpgrade::submission {

struct FolderEntry {
  enum class Kind { kFile, kFolder, kLink, kOther } kind = Kind::kOther;
  std::string name;
};

// What is directly in a folder, by name, without links followed. At most kMaxEntriesScanned and one more. Errors:
// kMachine.
Result<std::vector<FolderEntry>> ListFolder(const std::string& path);

// Offers every file of the folder that a lab names, three levels deep at most. Only regular files are read. A file with
// several hard links is one: those who copy submissions about with links make them, and nothing tells which name came
// first.
void ReadFolder(const std::string& path, Collector* collector);

}  // namespace warpgrade::submission
