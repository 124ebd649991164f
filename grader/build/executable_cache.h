// Keeps finished executables, and files that were made on the way to them. The key of each is the digest of everything
// that it was made from.
//
//   cache_dir/4f/4f0c...e1           an executable; it appears by rename, so nobody sees half of it
//   cache_dir/4f/4f0c...e1.object    the object of the rung in it, if it was asked for
//   cache_dir/4f/4f0c...e1.warnings  the warnings of the compiler; kept with the object
//   cache_dir/9b/9b72...07           a list of headers (brought_headers.h), or what a compiler said
//                                    (compiler_answers.h)
//   cache_dir/.new-XXXXXX            a file that is being written
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace warpgrade::build {

// How much space the cache may use. A worker has some hundred KB.
struct CacheLimits {
  int64_t bytes = int64_t{2} << 30;  // of all files
  int64_t file_bytes = 16 << 20;     // a larger file is not kept
};

// Thread-safe; several graders may share one folder. The limit for all files holds at all times; each other grader that
// uses the folder may add a 64th of it.
class ExecutableCache {
 public:
  // Creates the folder. It is not used if that fails, or if another user owns it or can write to it. "": no cache. The
  // folder is trimmed when the first file is added: to look through a large one takes longer than to find a file.
  explicit ExecutableCache(const std::string& directory, CacheLimits limits = {});

  bool usable() const { return usable_; }
  // The file with this key, which is now the most recently used one. nullopt: there is none.
  std::optional<std::string> Find(const std::string& key) const;
  // Copies a file into the cache and returns its path there. nullopt if that fails (disk full) or the file is too
  // large. Removes the least recently used files if there are too many bytes.
  std::optional<std::string> Publish(const std::string& key, const std::filesystem::path& file) const;
  // Removes the least recently used files until at most `most_bytes` are left. Also removes the unfinished files of
  // graders that died.
  void Trim(int64_t most_bytes) const;

 private:
  bool MakeRoomFor(int64_t bytes) const;
  std::filesystem::path PathOf(const std::string& key) const { return directory_ / key.substr(0, 2) / key; }
  const std::filesystem::path directory_;
  const CacheLimits limits_;
  bool usable_ = false;
  mutable std::mutex mutex_;             // guards room_
  mutable std::optional<int64_t> room_;  // the bytes that may be added before the folder is looked through again
};

}  // namespace warpgrade::build
