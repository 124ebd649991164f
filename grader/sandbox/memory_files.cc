// Tested by shared_processes_test.cc and confinement_test.cc.
#include "grader/sandbox/memory_files.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <string>
#include <utility>

namespace warpgrade::sandbox {

MemoryFiles::MemoryFiles() {
  struct stat info = {};
  if (stat("/", &info) == 0) {
    our_root_ = info.st_dev;
    our_root_number_ = info.st_ino;
  }
  for (Folder& folder : folders_) {
    if (stat(folder.path, &info) == 0) folder.ours = info.st_dev;
  }
}

// Leaves out the machine's own folder, and those that replace it only for a moment while bubblewrap works: it has our
// root directory then.
void MemoryFiles::Find(pid_t process, Folder* folder) const {
  const std::string root = "/proc/" + std::to_string(process) + "/root";
  Descriptor found(open((root + folder->path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat info = {};
  struct statfs system = {};
  if (found.get() < 0 || fstat(found.get(), &info) != 0 || info.st_dev == folder->ours ||
      fstatfs(found.get(), &system) != 0 || system.f_type != TMPFS_MAGIC) {
    return;
  }
  struct stat its_root = {};
  if (stat((root + "/").c_str(), &its_root) != 0) return;
  if (its_root.st_dev == our_root_ && its_root.st_ino == our_root_number_) return;
  folder->device = info.st_dev;
  folder->descriptor = std::move(found);
}

MemoryFiles::Usage MemoryFiles::Now(const std::vector<ProcessInfo>& processes) {
  Usage usage;
  for (Folder& folder : folders_) {
    for (size_t i = 0; i < processes.size() && folder.descriptor.get() < 0; ++i) Find(processes[i].pid, &folder);
    struct statfs system = {};
    if (folder.descriptor.get() < 0 || fstatfs(folder.descriptor.get(), &system) != 0) continue;
    const bool is_dev = &folder == &folders_[0];
    if (is_dev) usage.bytes = static_cast<int64_t>(system.f_blocks - system.f_bfree) * system.f_bsize;
    // With a GPU, /dev/shm is a part of /dev.
    if (is_dev || folder.device != folders_[0].device) {
      usage.files += static_cast<int64_t>(system.f_files - system.f_ffree);
    }
  }
  return usage;
}

}  // namespace warpgrade::sandbox
