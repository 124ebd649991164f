// What compilers say about themselves, such as their version. The answers are kept in the cache of executables, so that
// a student does not wait for the same questions after each edit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/executable_cache.h"

namespace warpgrade::build {

// Thread-safe. An answer is believed only as long as the program that gave it, and every path that it depends on, is
// what it was: the same file (by device, inode, size and the times of its last changes), a folder, or missing. The
// owner of a file cannot set the time of its last change of status, so a compiler that was replaced is always noticed.
class CompilerAnswers {
 public:
  // The paths on which an answer depends, beside the program itself. nullopt: it must not be kept.
  using DependsOn = std::function<std::optional<std::vector<std::string>>(const std::string& answer)>;

  // Keeps answers in `cache_dir`, under the conditions of ExecutableCache: only there if the folder belongs to this
  // user and nobody else can write to it. "": asks each time.
  explicit CompilerAnswers(const std::string& cache_dir) : cache_(cache_dir) {}

  // Runs `argv`, whose first word is a path, and returns what it prints; nullopt if it fails. Failures are not kept,
  // nor is what a script prints, because nobody knows which programs it calls. Without `depends_on` it asks each time.
  std::optional<std::string> Ask(const std::vector<std::string>& argv, const DependsOn& depends_on = nullptr) const;

 private:
  const ExecutableCache cache_;
};

}  // namespace warpgrade::build
