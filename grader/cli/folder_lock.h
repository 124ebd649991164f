// Prevents two processes of warpgrade from changing the same file at the same time.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::cli {

// While this object lives, other processes that lock the same folder wait. It locks the folder and not the file,
// because writing a report replaces the file. The system releases the lock when the process ends in any way.
class FolderLock {
 public:
  // Locks the folder of the file at `path`. Errors: kUsage if the folder does not exist or cannot be opened; kMachine
  // if it cannot be locked.
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
