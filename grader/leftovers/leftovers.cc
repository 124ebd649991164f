// Claims by flock. A claim is checked after it is taken, because the file may have been removed and made again
// meanwhile. Tested by tests/leftovers/leftovers_test.cc.
#include "grader/leftovers/leftovers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

// Another process may remove a new folder as a leftover before we claim it, so a failed claim is tried again. When it
// fails each time, the file system has no locks, and we do without a claim.
constexpr int kClaimAttempts = 3;

bool IsOwnFileOrFolder(const fs::path& path) {
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0 || info.st_uid != geteuid()) return false;
  return S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
}

// Whether `path` still names what `fd` has open. The process that had the lock before may have removed it.
bool IsStillThere(int fd, const fs::path& path) {
  struct stat held = {}, named = {};
  return fstat(fd, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

}  // namespace

std::optional<Claim> Claim::Take(const fs::path& path) {
  Claim claim(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (claim.fd_ < 0 || flock(claim.fd_, LOCK_EX | LOCK_NB) != 0 || !IsStillThere(claim.fd_, path)) return std::nullopt;
  return claim;
}

Claim::~Claim() {
  if (fd_ >= 0) close(fd_);  // which releases the lock
}

std::optional<ClaimedFolder> MakeClaimedFolder(const fs::path& parent, std::string_view prefix) {
  for (int attempts_left = kClaimAttempts;; --attempts_left) {
    std::string path = (parent / prefix).string() + "XXXXXX";
    if (mkdtemp(path.data()) == nullptr) return std::nullopt;
    auto claim = Claim::Take(path);
    if (claim || attempts_left == 1) return ClaimedFolder{path, std::move(claim)};
    rmdir(path.c_str());
  }
}

void RemoveUnclaimed(const fs::path& folder, std::string_view prefix) {
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().string().starts_with(prefix) || !IsOwnFileOrFolder(it->path())) continue;
    const std::optional<Claim> claim = Claim::Take(it->path());
    std::error_code ignored;
    if (claim) fs::remove_all(it->path(), ignored);
  }
}

}  // namespace warpgrade
