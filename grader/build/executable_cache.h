// Keeps finished executables, and files that were made on the way to them. The key of each is the digest of everything
// that it was made from.
//
//   cache_dir/4f/4f0c...e1           an executable; it appears by rename, so nobody sees half of it
//   cache_dir/4f/4f0c...e1.object    the object of the rung in it, if it was asked for
//   cache_dir/4f/4f0c...e1.warnings  the warnings of the compiler; kept with the object
//   cache_dir/9b/9b72...07           a list of headers (brought_headers.h)
//   cache_dir/.new-XXXXXX            a file that is being written
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpgrade::build {

// Thread-safe; several graders may share one folder.
class ExecutableCache {
 public:
  // Creates the folder. It is not used if that fails, or if another user owns it or can write to it. "": no cache.
  explicit ExecutableCache(const std::string& directory);

  bool usable() const { return usable_; }
  // The file with this key, which is now the most recently used one. nullopt: there is none.
  std::optional<std::string> Find(const std::string& key) const;
  // Copies a file into the cache and returns its path there. nullopt if that fails (disk full).
  std::optional<std::string> Publish(const std::string& key, const std::filesystem::path& file) const;
  // Removes the least recently used files until at most `most_bytes` are left. Also removes the unfinished files of
  // graders that died.
  void Trim(int64_t most_bytes) const;

 private:
  std::filesystem::path PathOf(const std::string& key) const { return directory_ / key.substr(0, 2) / key; }
  const std::filesystem::path directory_;
  bool usable_ = false;
};

}  // namespace warpgrade::build
