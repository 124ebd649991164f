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

// The entries of a folder, sorted by name. Links are not followed. At most kMaxEntriesScanned + 1 entries. Errors:
// kMachine.
Result<std::vector<FolderEntry>> ListFolder(const std::string& path);

// Offers to `collector` every file that a lab asks for, down to three levels of folders. Only regular files are read. A
// file with several hard links counts as regular, because people copy submissions with links, and the system does not
// say which name came first.
void ReadFolder(const std::string& path, Collector* collector);

}  // namespace warpgrade::submission
