// Tests: tests/cli/folder_lock_test.cc.
#include "grader/cli/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace warpgrade::cli {

Result<FolderLock> FolderLock::Of(const std::string& path) {
  std::error_code ignored;  // what cannot be resolved cannot be opened either
  const std::filesystem::path folder = std::filesystem::weakly_canonical(path, ignored).parent_path();
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    return Error{ErrorKind::kUsage, fmt::format("{}: its folder cannot be opened: {}; name a file that exists", path,
                                                std::strerror(errno))};
  }
  FolderLock lock(fd);
  while (flock(fd, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    return Error{ErrorKind::kMachine, fmt::format("{}: its folder cannot be locked: {}; copy the file to a local disk",
                                                  path, std::strerror(errno))};
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FolderLock::~FolderLock() {
  if (fd_ >= 0) close(fd_);  // this releases the lock
}

}  // namespace warpgrade::cli
