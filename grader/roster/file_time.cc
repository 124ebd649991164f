// Tests: tests/roster/file_time_test.cc.
#include "grader/roster/file_time.h"

#include <sys/stat.h>

#include <algorithm>

#include "grader/submission/folder.h"

namespace warpgrade::roster {
namespace {

constexpr int kLevels = 3;  // as grader/submission reads a folder
constexpr int kMostEntries = 10'000;

void Look(const std::string& path, int levels, int* entries, std::optional<int64_t>* latest) {
  struct stat info = {};
  if (++*entries > kMostEntries || lstat(path.c_str(), &info) != 0) return;
  *latest = std::max(latest->value_or(info.st_mtime), int64_t{info.st_mtime});
  if (!S_ISDIR(info.st_mode) || levels == 0) return;
  const auto inside = submission::ListFolder(path);
  if (!inside) return;
  for (const submission::FolderEntry& entry : *inside) {
    if (!entry.name.starts_with('.')) Look(path + "/" + entry.name, levels - 1, entries, latest);
  }
}

}  // namespace

std::optional<int64_t> FileTime(const std::string& path) {
  std::optional<int64_t> latest;
  int entries = 0;
  Look(path, kLevels, &entries, &latest);
  return latest;
}

}  // namespace warpgrade::roster
