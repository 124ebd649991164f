// Temporary files and folders that a process claims for as long as it lives. When a process was killed, the next one
// removes what it left behind.
//
// The process that makes a file or folder holds a lock on it (flock). The kernel releases the lock when the process
// ends, for whatever reason. So a file that can be locked belongs to no living process. On a file system without such
// locks nothing is claimed and nothing is removed.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace warpgrade {

// The claim on one file or folder. Movable; thread-compatible.
class Claim {
 public:
  // nullopt: another process has claimed it, it does not exist, or the file system has no locks.
  static std::optional<Claim> Take(const std::filesystem::path& path);

  Claim(Claim&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Claim& operator=(Claim&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Claim();

 private:
  explicit Claim(int fd) : fd_(fd) {}
  int fd_ = -1;
};

// A new folder that only this user may enter.
struct ClaimedFolder {
  std::filesystem::path path;
  std::optional<Claim> claim;  // none on a file system without locks
};

// Makes a folder `parent`/`prefix`XXXXXX. nullopt, with errno set: the system refuses.
std::optional<ClaimedFolder> MakeClaimedFolder(const std::filesystem::path& parent, std::string_view prefix);

// Removes the files and folders in `folder` whose names begin with `prefix`, which belong to this user, and which no
// process claims. A file that cannot be removed stays.
void RemoveUnclaimed(const std::filesystem::path& folder, std::string_view prefix);

}  // namespace warpgrade
