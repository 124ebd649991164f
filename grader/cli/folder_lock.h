// Keeps two of us from changing the same file at once.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::cli {

// While it lives, who else takes the lock of the same folder waits. The folder is locked and not the file, since a file
// that is written anew is another one. The lock goes with the process, however that ends.
class FolderLock {
 public:
  // The folder that `path` lies in. Errors (kUsage): there is no such folder, or it cannot be opened.
  static Result<FolderLock> Of(const std::string& path);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace warpgrade::cli
