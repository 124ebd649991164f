// Writes to a temporary file in the same folder, flushes it to the disk and renames it, so that no reader sees half a
// file. Leftovers of killed processes are removed (grader/leftovers). Tests: tests/report/file_test.cc.
#include "grader/report/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "grader/leftovers/leftovers.h"

namespace warpgrade::report {
namespace {

namespace fs = std::filesystem;

// A temporary file is named like the file, with this and six more characters behind it.
constexpr char kUnfinished[] = ".unfinished-";

Error CannotWrite(const std::string& path, int error) {
  return {ErrorKind::kMachine,
          fmt::format("{}: cannot be written: {}; check the folder, its permissions and the space on the disk", path,
                      std::strerror(error))};
}

// 0, or the errno of what failed.
int WriteAll(int fd, const std::string& content) {
  for (size_t done = 0; done < content.size();) {
    const ssize_t written = write(fd, content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    done += static_cast<size_t>(written);
  }
  return 0;
}

Status WriteInPlace(const std::string& path, const std::string& content) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return CannotWrite(path, errno);
  const int error = WriteAll(fd, content);
  const int close_error = close(fd) == 0 ? 0 : errno;
  if (error || close_error) return CannotWrite(path, error ? error : close_error);
  return Status();
}

// The permissions of an ordinary new file. The umask can only be read by setting it.
mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Status WriteFile(const std::string& path, const std::string& content) {
  struct stat info = {};
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return CannotWrite(path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) return WriteInPlace(path, content);

  std::error_code ignored;
  const fs::path resolved = exists ? fs::canonical(path, ignored) : fs::path(path);
  const std::string target = resolved.empty() ? path : resolved.string();
  const std::string unfinished = target + kUnfinished;
  RemoveUnclaimed(fs::path(unfinished).parent_path(), fs::path(unfinished).filename().string());
  std::string temporary = unfinished + "XXXXXX";
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return CannotWrite(path, errno);
  const std::optional<Claim> claim = Claim::Take(temporary);
  int error = WriteAll(fd, content);
  if (!error && fchmod(fd, exists ? (info.st_mode & 07777) : NewFileMode()) != 0) error = errno;
  if (!error && fsync(fd) != 0) error = errno;
  if (close(fd) != 0 && !error) error = errno;
  if (!error && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (!error) return Status();
  unlink(temporary.c_str());
  return CannotWrite(path, error);
}

}  // namespace warpgrade::report
