// Whole files in and out, and a temporary folder that cleans up after itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/leftovers/leftovers.h"
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
  // Removes those of graders that were killed.
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
