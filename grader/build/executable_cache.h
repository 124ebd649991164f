// Finished executables, and what was made on the way to them, found again by the digest of everything that they were
// made from.
//
//   cache_dir/4f/4f0c...e1           one executable, published by rename, so that nobody ever sees half of one
//   cache_dir/4f/4f0c...e1.object    the rung's object in it, if somebody asked for that
//   cache_dir/4f/4f0c...e1.warnings  what the compiler said of it; goes with the object
//   cache_dir/9b/9b72...07           a list of headers (brought_headers.h)
//   cache_dir/.new-XXXXXX            one being written
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpgrade::build {

// Thread-safe; several graders may share one folder.
class ExecutableCache {
 public:
  // Makes the folder. It is not used when that fails, or when another user owns it or may write to it. "" for none.
  explicit ExecutableCache(const std::string& directory);

  bool usable() const { return usable_; }
  // The file of that key. It counts as used now.
  std::optional<std::string> Find(const std::string& key) const;
  // Copies a file in. Its path in the cache; nothing when it could not be kept (disk full).
  std::optional<std::string> Publish(const std::string& key, const std::filesystem::path& file) const;
  // Removes the least recently used until what is left has at most so many bytes, and what was left half-written by a
  // grader that died.
  void Trim(int64_t most_bytes) const;

 private:
  std::filesystem::path PathOf(const std::string& key) const { return directory_ / key.substr(0, 2) / key; }
  const std::filesystem::path directory_;
  bool usable_ = false;
};

}  // namespace warpgrade::build
