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
#include <utility>

namespace warpgrade::report {
namespace {

namespace fs = std::filesystem;

// A temporary file is named like the file, with this and six more characters behind it.
constexpr char kUnfinished[] = ".unfinished-";
// Chosen: a disk takes some milliseconds for it.
constexpr size_t kFlushedAtOnce = size_t{1} << 20;

Error CannotWrite(const std::string& path, int error) {
  return {ErrorKind::kMachine,
          fmt::format("{}: cannot be written: {}; check the folder, its permissions and the space on the disk", path,
                      std::strerror(error))};
}

// The permissions of an ordinary new file. The umask can only be read by setting it.
mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

FileWriter::FileWriter(std::string path) : path_(std::move(path)) { Begin(); }

FileWriter::~FileWriter() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileWriter::Begin() {
  struct stat info = {};
  const bool exists = stat(path_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    error_ = EISDIR;
    return;
  }
  if (exists && !S_ISREG(info.st_mode)) {
    fd_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) error_ = errno;
    return;
  }
  std::error_code ignored;
  const fs::path resolved = exists ? fs::canonical(path_, ignored) : fs::path(path_);
  target_ = resolved.empty() ? path_ : resolved.string();
  if (exists) old_mode_ = info.st_mode & 07777;
  const std::string unfinished = target_ + kUnfinished;
  RemoveUnclaimed(fs::path(unfinished).parent_path(), fs::path(unfinished).filename().string());
  std::string temporary = unfinished + "XXXXXX";
  fd_ = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd_ < 0) {
    error_ = errno;
    return;
  }
  temporary_ = std::move(temporary);
  claim_ = Claim::Take(temporary_);
}

void FileWriter::Append(std::string_view piece) {
  while (error_ == 0 && !piece.empty()) {
    const ssize_t written = write(fd_, piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
    } else {
      piece.remove_prefix(static_cast<size_t>(written));
      unflushed_ += static_cast<size_t>(written);
    }
  }
  if (error_ != 0 || temporary_.empty() || unflushed_ < kFlushedAtOnce) return;
  // Only begins to write, without waiting. A file system that cannot do so writes it all in Finish.
  sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE);
  unflushed_ = 0;
}

Status FileWriter::Finish() {
  if (error_ == 0 && !temporary_.empty()) {
    if (fchmod(fd_, old_mode_.value_or(NewFileMode())) != 0) error_ = errno;
    if (error_ == 0 && fsync(fd_) != 0) error_ = errno;
  }
  if (fd_ >= 0 && close(std::exchange(fd_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0) error_ = errno;
  if (error_ != 0) return CannotWrite(path_, error_);
  temporary_.clear();
  return Status();
}

Status WriteFile(const std::string& path, const std::string& content) {
  FileWriter file(path);
  file.Append(content);
  return file.Finish();
}

}  // namespace warpgrade::report
