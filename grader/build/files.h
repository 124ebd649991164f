// Whole files in and out, and a temporary folder that cleans up after itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/result/result.h"

namespace warpgrade::build {

// Nothing when it cannot be read.
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path);

// Makes parent folders. Errors (kMachine) name the path and the reason.
Status WriteWholeFile(const std::filesystem::path& path, const std::string& content);

// A folder of our own below TMPDIR, closed to others; gone with everything in it when this goes.
class WorkDirectory {
 public:
  static Result<WorkDirectory> Create();
  WorkDirectory(WorkDirectory&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory();
  // Absolute and without symbolic links.
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit WorkDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace warpgrade::build
