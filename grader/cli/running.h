// What runs now, how far it is and since when, for a line that says so while somebody waits.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace warpgrade::cli {

// Thread-safe.
class Running {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `what` ("lab1 v1_naive") runs until the result is destroyed. `where` says how far it is, such as "case 7 of 51";
  // "": not known. It is called by other threads. This object must outlive the result.
  [[nodiscard]] std::shared_ptr<const void> Begin(std::string what, std::function<std::string()> where, TimePoint now);

  // "lab1 v1_naive: case 7 of 51, 12 s, and 1 more", with what has run longest; "" if nothing runs.
  std::string Words(TimePoint now) const;

 private:
  struct Work {
    std::string what;
    std::function<std::string()> where;
    TimePoint since;
  };
  mutable std::mutex mutex_;
  std::list<Work> works_;  // the oldest first
};

}  // namespace warpgrade::cli
