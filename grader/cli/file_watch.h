// Some files of a folder, while a person edits them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warpgrade::cli {

// Says which files were saved. A file counts as saved if it is written, replaced by another file, deleted, or there
// again. Editors save in several steps: they write another file and rename it, or delete the old one first. So a save
// is over when nothing has changed for a while (`settle`), and a file that is gone gets kComeBack to come back.
//
// The system's messages (inotify) only make it faster. Each look is at the files themselves, so nothing is lost if
// messages are lost or do not come, or if the folder itself is replaced. No file is read.
class FileWatch {
 public:
  using Duration = std::chrono::milliseconds;
  static constexpr Duration kSettle{80}, kComeBack{400};

  // The files in `folder`, and in folders directly in it, whose names `is_wanted` takes. The folder need not exist yet.
  FileWatch(std::string folder, std::function<bool(const std::string& name)> is_wanted, Duration settle = kSettle);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  // From now on, only later changes count.
  void Take();
  // The names of the files that have changed since the last Take. REQUIRES: there was one, here and below.
  std::vector<std::string> Changed() const;
  // Waits until files were saved, and returns their names. Empty: `cancel` was set.
  std::vector<std::string> AwaitSave(const std::atomic<bool>& cancel);
  // Returns when something may have happened, after `at_most`, or when a signal has come.
  void Wait(Duration at_most);

 private:
  using State = std::map<std::string, uint64_t>;  // by name: a hash of what the file system says of it
  State Look() const;
  void Watch();

  const std::string folder_;
  const std::function<bool(const std::string& name)> is_wanted_;
  const Duration settle_;
  int messages_ = -1;  // of inotify; -1: it is not available, and Wait only waits
  State taken_;
};

}  // namespace warpgrade::cli
