// Tests: tests/cli/batch_progress_test.cc.
#include "grader/cli/batch_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/cli/progress.h"

namespace warpgrade::cli {
namespace {

constexpr double kSlowSeconds = 20;  // a rung of the course's labs takes a few
constexpr int kDoneForEstimate = 3;  // before that, too little is known of the time left
constexpr int kSecondsPerMinute = 60;

}  // namespace

BatchProgress::BatchProgress(std::FILE* stream, bool terminal, int columns, std::function<double()> seconds)
    : stream_(stream), terminal_(terminal), columns_(columns), seconds_(std::move(seconds)) {}

void BatchProgress::Start(const std::string& lab, int total) {
  const std::lock_guard lock(mutex_);
  lab_ = lab;
  total_ = total;
  started_ = seconds_();
}

void BatchProgress::RungBegins(const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    running_[what] = seconds_();
  }
  Refresh();
}

void BatchProgress::RungEnds(const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    running_.erase(what);
  }
  Refresh();
}

void BatchProgress::Done(const std::string& line, bool failed) {
  {
    const std::lock_guard lock(mutex_);
    ++done_;
    failed_ += failed ? 1 : 0;
    if (!terminal_) {
      fmt::print(stream_, "[{}/{}] {}\n", done_, total_, line);
      std::fflush(stream_);
    }
  }
  Refresh();
}

void BatchProgress::Where(const std::string& where) {
  {
    const std::lock_guard lock(mutex_);
    where_ = where;
  }
  Refresh();
}

void BatchProgress::Say(const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    if (shown_) ClearLiveLine(stream_);
    fmt::print(stream_, "{}\n", line);
    std::fflush(stream_);
  }
  Refresh();
}

void BatchProgress::Refresh() {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  ShowLiveLine(stream_, columns_, Line());
  shown_ = true;
}

void BatchProgress::Finish() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  ClearLiveLine(stream_);
  shown_ = false;
}

std::string BatchProgress::Line() const {
  const std::string where = where_.empty() ? fmt::format("{} running", running_.size()) : where_;
  std::string line = fmt::format("{}: {} of {} done, {}", lab_, done_, total_, where);
  if (failed_ > 0) line += fmt::format(", {} failed", failed_);
  line += TimeLeft();
  const auto slowest = std::min_element(running_.begin(), running_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  if (slowest != running_.end() && seconds_() - slowest->second >= kSlowSeconds) {
    line += fmt::format(", slow: {} for {:.0f} s", slowest->first, seconds_() - slowest->second);
  }
  return line;
}

std::string BatchProgress::TimeLeft() const {
  if (done_ < kDoneForEstimate || done_ >= total_) return "";
  const double left = (seconds_() - started_) / done_ * (total_ - done_);
  if (left < 2 * kSecondsPerMinute) return fmt::format(", about {:.0f} s left", std::max(1.0, left));
  return fmt::format(", about {:.0f} min left", std::ceil(left / kSecondsPerMinute));
}

}  // namespace warpgrade::cli
