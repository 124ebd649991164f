// How often the unfinished results of a grading are written: often enough that a grader that is killed leaves them, and
// seldom enough that writing costs next to nothing.
#pragma once

#include <algorithm>
#include <chrono>

namespace warpgrade::cli {

// Thread-compatible.
class Pace {
 public:
  using Duration = std::chrono::steady_clock::duration;
  using TimePoint = std::chrono::steady_clock::time_point;

  bool IsDue(TimePoint now) const { return now >= next_; }

  // Something was written from `begin` to `end`. The next time is a second later, or more: of the time until then,
  // writing took at most a hundredth.
  void Wrote(TimePoint begin, TimePoint end) {
    constexpr Duration kLeast = std::chrono::seconds(1);
    constexpr int kShare = 100;
    next_ = end + std::max(kLeast, kShare * (end - begin));
  }

 private:
  TimePoint next_ = TimePoint::min();  // the first result is written at once
};

}  // namespace warpgrade::cli
