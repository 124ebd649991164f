// Keeps executables in a folder, by key. It writes each to a temporary file and renames it, uses only files and folders
// that belong to this user, and removes the least recently used. Tests: tests/build/executable_cache_test.cc.
#include "grader/build/executable_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "grader/leftovers/leftovers.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;

constexpr char kUnfinished[] = ".new-";

bool IsOurs(const fs::path& path, mode_t type) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && (info.st_mode & S_IFMT) == type && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

ExecutableCache::ExecutableCache(const std::string& directory, CacheLimits limits)
    : directory_(directory), limits_(limits) {
  if (directory.empty()) return;
  std::error_code error;
  if (fs::create_directories(directory_, error)) fs::permissions(directory_, fs::perms::owner_all, error);
  usable_ = IsOurs(directory_, S_IFDIR) && access(directory_.c_str(), R_OK | W_OK | X_OK) == 0;
}

// False if a file of that size is not kept. The folder is looked through again after each 64th of the limit, because
// other graders may have added files as well.
bool ExecutableCache::MakeRoomFor(int64_t bytes) const {
  if (bytes > limits_.file_bytes || bytes > limits_.bytes) return false;
  const std::lock_guard lock(mutex_);
  if (!room_ || *room_ < bytes) {
    const int64_t room = std::max(limits_.bytes / 64, bytes);
    Trim(limits_.bytes - room);
    room_ = room;
  }
  *room_ -= bytes;
  return true;
}

std::optional<std::string> ExecutableCache::Find(const std::string& key) const {
  if (!usable_) return std::nullopt;
  const fs::path path = PathOf(key);
  if (!IsOurs(path, S_IFREG) || access(path.c_str(), X_OK) != 0) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return path.string();
}

std::optional<std::string> ExecutableCache::Publish(const std::string& key, const fs::path& file) const {
  std::error_code error;
  const auto bytes = static_cast<int64_t>(fs::file_size(file, error));
  if (!usable_ || error || !MakeRoomFor(bytes)) return std::nullopt;
  std::string unfinished = (directory_ / kUnfinished).string() + "XXXXXX";
  const int fd = mkstemp(unfinished.data());
  if (fd < 0) return std::nullopt;
  close(fd);
  const std::optional<Claim> claim = Claim::Take(unfinished);
  const fs::path path = PathOf(key);
  fs::copy_file(file, unfinished, fs::copy_options::overwrite_existing, error);
  // A program of root is run by another user (sandbox/confinement.h). Nobody else gets into our folder.
  constexpr fs::perms kReadAndRun = fs::perms::owner_read | fs::perms::owner_exec | fs::perms::group_read |
                                    fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec;
  if (!error) fs::permissions(unfinished, kReadAndRun, error);
  if (!error) fs::create_directories(path.parent_path(), error);
  if (!error) fs::rename(unfinished, path, error);
  if (!error) return path.string();
  fs::remove(unfinished, error);
  return std::nullopt;
}

void ExecutableCache::Trim(int64_t most_bytes) const {
  if (!usable_) return;
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    int64_t bytes;
  };
  std::vector<Entry> entries;
  int64_t total = 0;
  std::error_code error;
  RemoveUnclaimed(directory_, kUnfinished);
  for (fs::recursive_directory_iterator it(directory_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (!it->is_regular_file(gone)) continue;
    const Entry entry = {it->path(), it->last_write_time(gone), static_cast<int64_t>(it->file_size(gone))};
    if (gone || entry.path.filename().string().starts_with(kUnfinished)) continue;
    entries.push_back(entry);
    total += entry.bytes;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= most_bytes) return;
    std::error_code gone;
    if (fs::remove(entry.path, gone)) total -= entry.bytes;
  }
}

}  // namespace warpgrade::build
