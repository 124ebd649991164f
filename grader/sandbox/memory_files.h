// Measures the files that a confined program makes in folders of its own that are in memory. They take memory that no
// process holds: their content takes pages, and each file takes about 1 KB of the kernel's memory, even an empty one.
// Bubblewrap limits the content in some of these folders, but nowhere the number of files. Writing to /dev cannot be
// forbidden to CUDA programs, because nobody knows what the driver writes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "grader/sandbox/descriptor.h"
#include "grader/sandbox/process_tree.h"

namespace warpgrade::sandbox {

class MemoryFiles {
 public:
  struct Usage {
    int64_t bytes = 0;  // in /dev
    int64_t files = 0;  // in all folders together, with folders, links, and what is deleted but still open
  };

  MemoryFiles();

  // What the confined program holds. Its folders are found through those of `processes` whose folders are not ours; all
  // of them share one of each. 0 until they are found. Once found, they are measured even after those processes have
  // ended.
  Usage Now(const std::vector<ProcessInfo>& processes);

 private:
  struct Folder {
    const char* path;
    dev_t ours = 0;  // the file system of the machine's own folder
    dev_t device = 0;
    Descriptor descriptor = Descriptor();
  };

  void Find(pid_t process, Folder* folder) const;

  dev_t our_root_ = 0;
  ino_t our_root_number_ = 0;
  Folder folders_[3] = {{"/dev"}, {"/dev/shm"}, {"/tmp"}};
};

}  // namespace warpgrade::sandbox
