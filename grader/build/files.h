// Reads and writes whole files, and makes temporary folders that are removed automatically.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/leftovers/leftovers.h"
#include "grader/result/result.h"

namespace warpgrade::build {

// The content of a regular file; nullopt if it cannot be read.
std::optional<std::string> ReadWholeFile(const std::filesystem::path& path);

// Writes a file, and creates its parent folders. Errors (kMachine) name the path and the reason.
Status WriteWholeFile(const std::filesystem::path& path, const std::string& content);

// A private folder below TMPDIR. The destructor removes it with everything in it.
class WorkDirectory {
 public:
  static Result<WorkDirectory> Create();
  // Removes the folders of graders that were killed.
  static void RemoveAbandoned();
  WorkDirectory(WorkDirectory&& other) noexcept : path_(std::move(other.path_)), claim_(std::move(other.claim_)) {
    other.path_.clear();
  }
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory();
  // Absolute and without symbolic links.
  const std::filesystem::path& path() const { return path_; }

 private:
  WorkDirectory(std::filesystem::path path, std::optional<Claim> claim)
      : path_(std::move(path)), claim_(std::move(claim)) {}
  std::filesystem::path path_;
  std::optional<Claim> claim_;
};

}  // namespace warpgrade::build
