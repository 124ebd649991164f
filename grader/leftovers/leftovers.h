// Files and folders that last as long as the process that made them: told from those whose process was killed, which
// the next process removes.
//
// Whoever makes one holds a lock on it (flock), which the kernel takes away when the process ends, however that comes
// about. What can be locked is nobody's. On a file system without such locks nothing is claimed and nothing removed.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace warpgrade {

// Holds one file or folder. Movable; thread-compatible.
class Claim {
 public:
  // Nothing when another has it, when it is gone, or when the file system has no locks.
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

// A new folder of our own, closed to others.
struct ClaimedFolder {
  std::filesystem::path path;
  std::optional<Claim> claim;  // none on a file system without locks
};

// Makes `parent`/`prefix`XXXXXX. Nothing with errno when the system refuses.
std::optional<ClaimedFolder> MakeClaimedFolder(const std::filesystem::path& parent, std::string_view prefix);

// Removes the files and folders of `folder` whose names begin with `prefix`, which are this user's, and which nobody
// claims. What cannot be removed stays.
void RemoveUnclaimed(const std::filesystem::path& folder, std::string_view prefix);

}  // namespace warpgrade
