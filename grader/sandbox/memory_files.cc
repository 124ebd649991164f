// Tested by shared_processes_test.cc.
#include "grader/sandbox/memory_files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <string>
#include <utility>

namespace warpgrade::sandbox {

MemoryFiles::MemoryFiles() {
  struct stat ours = {};
  if (stat("/dev", &ours) == 0) our_device_ = ours.st_dev;
}

// True for the machine's own /dev, and for a folder that only replaces /dev for a moment while bubblewrap works.
bool MemoryFiles::IsOurs(int folder) const {
  struct stat info = {};
  struct statfs system = {};
  return fstat(folder, &info) != 0 || info.st_dev == our_device_ || fstatfs(folder, &system) != 0 ||
         system.f_type != TMPFS_MAGIC;
}

int64_t MemoryFiles::Bytes(const std::vector<ProcessInfo>& processes) {
  for (size_t i = 0; i < processes.size() && folder_.get() < 0; ++i) {
    const std::string path = "/proc/" + std::to_string(processes[i].pid) + "/root/dev";
    Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0 && !IsOurs(folder.get())) folder_ = std::move(folder);
  }
  struct statfs system = {};
  if (folder_.get() < 0 || fstatfs(folder_.get(), &system) != 0) return 0;
  return static_cast<int64_t>(system.f_blocks - system.f_bfree) * system.f_bsize;
}

}  // namespace warpgrade::sandbox
