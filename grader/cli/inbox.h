// A folder in which submissions arrive, one after the other, while it is watched.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::cli {

// Names the entries that are complete. An entry is complete if one of these holds:
//
//   it is a file that was closed after writing, or it was renamed into the folder, as the system tells us
//   nothing in it has changed for `settle`
//
// The system's messages (inotify) only make it faster. Each call of Complete looks at the whole folder, so nothing is
// lost if messages are lost or do not come, as on a network drive. Entries whose names begin with "." are ignored, and
// no link is followed.
class Inbox {
 public:
  using Duration = std::chrono::milliseconds;

  // Errors: there is no such folder (kUsage).
  static Result<Inbox> Open(std::string folder, Duration settle);
  Inbox(Inbox&& other) noexcept;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  ~Inbox();

  // The complete entries that have changed since they were taken, the longest unchanged first. Errors (kMachine): the
  // folder cannot be read any more.
  Result<std::vector<std::string>> Complete();
  // The entries that the last Complete found and that were not complete.
  std::vector<std::string> Incomplete() const;
  // `name` is not named again until it changes from what the last Complete saw. So a change while it is graded counts.
  void Take(const std::string& name);
  // Names it again after `delay`, changed or not.
  void TakeAgainIn(const std::string& name, Duration delay);
  // Names all again, changed or not.
  void ForgetTaken();

  // Returns when something has happened in the folder, or after `at_most`, or when a signal has come.
  void Wait(Duration at_most);

 private:
  using Clock = std::chrono::steady_clock;

  // What is known of an entry.
  struct Entry {
    uint64_t state = 0;          // a hash of names, sizes and times of all that is in it
    int64_t changed_ns = 0;      // the latest change of it, by the file system's clock
    Clock::time_point since;     // `state` has not changed since then
    bool whole = false;          // the system says so
    bool taken = false;          // in this state
    Clock::time_point again_at;  // if it is taken
    bool is_here = true;
  };

  Inbox(std::string folder, Duration settle, int watch);
  void ReadMessages();
  bool IsComplete(const Entry& entry, Clock::time_point now, int64_t now_ns) const;

  std::string folder_;
  Duration settle_;
  int watch_ = -1;  // of inotify; -1: it is not available, and Wait only waits
  std::map<std::string, Entry> entries_;
  std::map<std::string, bool> told_whole_;  // by messages since the last Complete
};

}  // namespace warpgrade::cli
