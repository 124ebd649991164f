// The files are written beside the folder, and a rename gives them its name. What a killed process left there is
// removed by the next one. Tests: tests/release/release_command_test.cc.
#include "grader/release/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "grader/leftovers/leftovers.h"
#include "grader/sandbox/process.h"

namespace warpgrade::release {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartialPrefix = ".warpgrade-release.";

// "a/b/" is the folder "a/b".
fs::path Normal(const std::string& path) {
  const fs::path normal = fs::absolute(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

Error CannotWrite(const fs::path& path, const std::string& why) {
  return Error{ErrorKind::kMachine,
               fmt::format("{}: it cannot be written: {}; name a folder whose parent you can write to, on a disk with "
                           "room",
                           path.string(), why)};
}

Status WriteOne(const fs::path& path, const BundleFile& file) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return CannotWrite(path, error.message());
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out.write(file.content.data(), static_cast<std::streamsize>(file.content.size()));
  out.close();
  if (!out) return CannotWrite(path, std::strerror(errno));
  const fs::perms read = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  const fs::perms run = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(path, read | fs::perms::owner_write | (file.executable ? run : fs::perms::none), error);
  return error ? Status(CannotWrite(path, error.message())) : Status();
}

// Without the settings of this user and this machine.
Status RunGit(const fs::path& folder, const std::vector<std::string>& arguments, const std::string& date) {
  sandbox::ProcessOptions options;
  options.argv = {"/usr/bin/env", "git", "-C", folder.string()};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  const char* const path = std::getenv("PATH");
  options.environment = {fmt::format("PATH={}", path == nullptr ? "/usr/bin:/bin" : path),
                         "HOME=/nonexistent",
                         "LC_ALL=C",
                         "GIT_CONFIG_NOSYSTEM=1",
                         "GIT_CONFIG_GLOBAL=/dev/null",
                         "GIT_AUTHOR_NAME=warpgrade",
                         "GIT_AUTHOR_EMAIL=warpgrade@localhost",
                         "GIT_COMMITTER_NAME=warpgrade",
                         "GIT_COMMITTER_EMAIL=warpgrade@localhost",
                         "GIT_AUTHOR_DATE=" + date,
                         "GIT_COMMITTER_DATE=" + date};
  const auto result = sandbox::RunProcess(options);
  if (!result) return result.error();
  if (result->succeeded()) return Status();
  return Error{ErrorKind::kMachine,
               fmt::format("git {} failed; install git, and run the command again:\n{}", arguments[0], result->output)};
}

Status MakeRepository(const fs::path& folder, const std::string& date) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"init", "--quiet", "--initial-branch=main", "--template="},
        {"add", "--all"},
        {"commit", "--quiet", "--message=Add the labs and their grader"}}) {
    if (Status done = RunGit(folder, arguments, date); !done.ok()) return done;
  }
  return Status();
}

Status Fill(const fs::path& folder, const std::vector<BundleFile>& files, const std::string& date) {
  for (const BundleFile& file : files) {
    if (Status written = WriteOne(folder / file.name, file); !written.ok()) return written;
  }
  return MakeRepository(folder, date);
}

// Gives the folder that is complete its name.
Status Rename(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::permissions(from, fs::perms::all & ~(fs::perms::group_write | fs::perms::others_write), error);
  if (!error) fs::rename(from, to, error);  // fails when `to` is no empty folder
  return error ? Status(CannotWrite(to, error.message())) : Status();
}

}  // namespace

Status CheckIsFree(const std::string& path) {
  std::error_code error;
  const fs::path folder = Normal(path);
  const fs::file_status status = fs::symlink_status(folder, error);
  if (!fs::exists(status)) return Status();
  if (!fs::is_directory(status)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: it exists and is no folder; name a new folder", path)};
  }
  const bool is_empty = fs::is_empty(folder, error);
  if (error) return Error{ErrorKind::kUsage, fmt::format("{}: {}; name a new folder", path, error.message())};
  if (is_empty) return Status();
  return Error{
      ErrorKind::kUsage,
      fmt::format("{}: the folder is not empty; name a new folder, since nothing of it must get to students", path)};
}

Status WriteFolder(const std::string& path, const std::vector<BundleFile>& files, const std::string& date) {
  if (Status free = CheckIsFree(path); !free.ok()) return free;
  const fs::path folder = Normal(path), parent = folder.parent_path();
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return CannotWrite(folder, error.message());
  RemoveUnclaimed(parent, kPartialPrefix);
  const std::optional<ClaimedFolder> partial = MakeClaimedFolder(parent, kPartialPrefix);
  if (!partial) return CannotWrite(folder, std::strerror(errno));
  Status done = Fill(partial->path, files, date);
  if (done.ok()) done = Rename(partial->path, folder);
  if (!done.ok()) fs::remove_all(partial->path, error);
  return done;
}

}  // namespace warpgrade::release
